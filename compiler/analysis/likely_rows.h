// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include "analysis/lane_shapes.h"

namespace weft::compiler {

/// The accesses of a loop over work-items whose lanes touch elements that follow each other most of
/// the time, though not always: indices that are clamped to a range, or wrapped round, as at the
/// borders of images and in ring buffers. A guess, for code that asks before it relies on it.
class LikelyRows {
 public:
  LikelyRows(const llvm::Loop& loop, const LaneShapes& shapes, const PrivateLayouts& privates);

  bool contains(const llvm::Instruction& access) const { return accesses_.contains(&access); }

 private:
  llvm::DenseSet<const llvm::Instruction*> accesses_;
};

}  // namespace weft::compiler
