// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft::compiler {

/// The parts that an inner loop falls into by what its iterations hand on to each other: numbers
/// that follow each other by themselves, which may all be computed before; what iterations compute
/// on their own; and what takes that up in order, sums for example, which may wait until all of it
/// is there.
struct LoopParts {
  /// Numbers that grow by the same step, and what extends them: no iteration needs another for
  /// these.
  llvm::MapVector<llvm::Instruction*, const llvm::SCEVAddRecExpr*> inductions;
  llvm::SmallVector<llvm::PHINode*> first;                 ///< of the loop's head, computed before
  llvm::SmallSetVector<llvm::Instruction*, 8> recurrence;  ///< what leads from one to the next
  llvm::SmallVector<llvm::PHINode*> last;                  ///< of the loop's head, computed behind
  llvm::SmallSetVector<llvm::Instruction*, 8> ordered;     ///< what depends on these, in order
  llvm::SmallSetVector<llvm::Instruction*, 8> handedOn;    ///< what these want of the others

  /// Nothing where the loop does not fall into such parts: an access or a branch depends on what
  /// has to be computed in order. Pre: `loop` holds no other, is in simplified form, and is left at
  /// its latch alone.
  static std::optional<LoopParts> of(const llvm::Loop& loop, const llvm::LoopInfo& loops,
                                     llvm::ScalarEvolution& evolution);

  /// Whether `value` is one of those that are computed in order.
  bool isInOrder(const llvm::Value& value) const;
};

}  // namespace weft::compiler
