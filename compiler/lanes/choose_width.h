// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lanes/loop_work.h"

namespace weft::compiler {

struct WidthChoice {
  unsigned width = 1;
  unsigned bits = 0;          ///< of the type that the loop mostly computes with
  unsigned groupsAtOnce = 1;  ///< lane groups, where one is not enough to fill the time
  bool isShort = false;       ///< the few iterations of the loop should be unrolled
  const char* why = "";       ///< when the width is 1
  bool isEmpty = false;       ///< there is nothing to compute
  bool isForLlvm = false;     ///< LLVM's loop vectoriser may find lanes that pay
};

/// How many work-items to run in the lanes of an iteration: a power of two up to 64; 1 when lanes
/// do not pay. Starts from the lanes of a register for the types that the loop mostly computes
/// with, and takes several registers where short dependence chains would leave the machine waiting.
/// `forced` decides when it is not 0.
WidthChoice chooseWidth(const WidthQuestion& question, unsigned forced);

}  // namespace weft::compiler
