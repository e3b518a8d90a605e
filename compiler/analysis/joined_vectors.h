// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>

#include "analysis/lane_shapes.h"
#include "analysis/strided_groups.h"

namespace weft::compiler {

/// The program's vectors that stay as they are in memory, one lane's behind the other's, in place
/// of one vector of all lanes for each component: what is loaded, computed with component by
/// component and stored need not be transposed. A choice: code that asks for components gets them
/// all the same.
///
/// Ownership: names instructions of the loop.
class JoinedVectors {
 public:
  /// Of vectors that are computed from each other.
  struct Bits {
    unsigned smallest = ~0U;
    unsigned largest = 0;
  };

  JoinedVectors(const llvm::Loop& loop, const LaneShapes& shapes, const StridedGroups& groups);

  /// Whether what the instruction computes, or stores, stays joined.
  bool contains(const llvm::Instruction& instruction) const {
    return members_.contains(&instruction);
  }
  bool empty() const { return members_.empty(); }

  Bits bitsOf(const llvm::Instruction& member) const { return members_.at(&member); }
  /// Of the largest of all.
  unsigned largestBits() const { return largestBits_; }

 private:
  llvm::DenseMap<const llvm::Instruction*, Bits> members_;
  unsigned largestBits_ = 0;
};

/// How often an instruction is run for each work-item of a loop over them, as a guess.
int runsOf(const llvm::Loop& items, const llvm::Instruction& instruction);

}  // namespace weft::compiler
