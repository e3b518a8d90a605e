// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>

#include "analysis/joined_vectors.h"
#include "analysis/lane_blocks.h"
#include "analysis/lane_shapes.h"
#include "analysis/likely_rows.h"
#include "analysis/strided_groups.h"

namespace weft::compiler {

/// What the choice of a width looks at.
struct WidthQuestion {
  const llvm::Loop& loop;
  const llvm::LoopInfo& loops;
  const LaneShapes& shapes;
  const StridedGroups& groups;
  const StridedGroups& groupsApart;
  const LikelyRows& likelyRows;
  const JoinedVectors& joined;
  const LaneBlocks& blocks;
  const PrivateLayouts& privates;
  const llvm::Value* count;  ///< of work-items
  bool isLaneGroup;   ///< each iteration is a fiber, which costs its start and a switch at each
                      ///< barrier
  bool hasSubGroups;  ///< which its lanes are: it must become lanes
  unsigned rowItems;  ///< of work-groups, as far as it is known; 0: any number
  const llvm::TargetTransformInfo& target;
};

struct WidthChoice {
  unsigned width = 1;
  unsigned bits = 0;       ///< of the type that the loop mostly computes with
  bool isShort = false;    ///< the few iterations of the loop should be unrolled
  const char* why = "";    ///< when the width is 1
  bool isEmpty = false;    ///< there is nothing to compute
  bool isForLlvm = false;  ///< LLVM's loop vectoriser may find lanes that pay
};

/// How many work-items to run in the lanes of an iteration: a power of two up to 64; 1 when lanes
/// do not pay. Starts from the lanes of a register for the types that the loop mostly computes
/// with, and takes several registers where short dependence chains would leave the machine waiting.
/// `forced` decides when it is not 0.
WidthChoice chooseWidth(const WidthQuestion& question, unsigned forced);

/// Whether it adds to local memory, or the like, and nobody asks for what was there.
bool isCount(const llvm::Instruction& instruction);

/// Whether it updates one place atomically for all lanes, which they do together.
bool isSharedUpdate(const llvm::Instruction& instruction, const LaneShapes& shapes);

/// Whether it updates global memory atomically, hardly ever changes it, and nobody asks for what
/// was there: lanes read all places first.
bool isReadFirst(const llvm::Instruction& instruction, const LaneShapes& shapes);

/// Whether it updates local memory atomically, each lane its own of a row of places.
bool isRowUpdate(const llvm::Instruction& instruction, const LaneShapes& shapes);

/// Whether it claims one place in a pipe, which lanes do together.
bool isPipeClaim(const llvm::Instruction& instruction);

}  // namespace weft::compiler
