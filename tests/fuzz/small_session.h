// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "fuzz/small_runner.h"

namespace weft::fuzz {

/// Small programs are run in batches that take programs from everywhere: batch b of B has the
/// numbers b, b + B, b + 2B...
uint64_t smallBatchCount();

struct SmallSessionOptions : SmallOptions {
  uint64_t firstBatch = 0, lastBatch = 0;  ///< both among them; they go round at the end
  std::string family;    ///< only programs of families whose names have this in them
  uint64_t seconds = 0;  ///< no batch is begun after so long; 0: never mind
  unsigned processes = 1;
  uint64_t mostShown = 3;    ///< programs that are printed when they fail
  std::string folder;        ///< failing programs go there
  std::string progressFile;  ///< names the batches that are done, which are left out; may be empty
};

struct SmallSessionTotals : SmallTotals {
  uint64_t batches = 0, failures = 0;
};

/// Runs batches in child processes, which may crash or hang. What fails is reported, written to
/// the folder, and the rest goes on.
///
/// Pre: this process has one thread.
SmallSessionTotals runSmallSession(const SmallSessionOptions& options,
                                   void (*report)(const std::string&));

}  // namespace weft::fuzz
