// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseSet.h>

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
  /// Of each vector: a register, of which larger ones are made without shuffles.
  static constexpr unsigned kBits = 128;

  JoinedVectors(const llvm::Loop& loop, const LaneShapes& shapes, const StridedGroups& groups);

  /// Whether what the instruction computes, or stores, stays joined.
  bool contains(const llvm::Instruction& instruction) const {
    return members_.contains(&instruction);
  }
  bool empty() const { return members_.empty(); }

 private:
  llvm::DenseSet<const llvm::Instruction*> members_;
};

}  // namespace weft::compiler
