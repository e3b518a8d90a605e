// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "ir/item_loop.h"
#include "ir/loop_analyses.h"

namespace weft::compiler {

/// An inner loop of a work-item that is left at its head alone, when its counter is no longer below
/// a limit, or no longer at most one. Nobody can tell whether its head is run once more.
struct CountedLoop {
  llvm::Loop* loop;
  llvm::PHINode* counter;  ///< of 32 or 64 bits
  llvm::Value* limit;
  unsigned inside;  ///< the successor of the head that goes on
  bool isSigned;
  bool isAtMost;  ///< the last number is the limit

  /// Nothing when `loop` has another shape, as loop-rotate gives it.
  static std::optional<CountedLoop> recognise(llvm::Loop& loop);

  llvm::BasicBlock& head() const { return *loop->getHeader(); }
  llvm::BranchInst& exit() const { return *llvm::cast<llvm::BranchInst>(head().getTerminator()); }
  llvm::Value* start() const { return counter->getIncomingValueForBlock(loop->getLoopPreheader()); }
  llvm::Value* next() const { return counter->getIncomingValueForBlock(loop->getLoopLatch()); }
};

/// A number of each work-item in a loop over them, modulo the width of its type.
struct ItemNumber {
  const llvm::SCEV* first;  ///< of the first work-item, known before the loop
  llvm::APInt each;         ///< from one work-item to the next; 0 if it is the same for all

  /// Nothing where it shrinks, or depends on the work-item in another way.
  static std::optional<ItemNumber> of(llvm::Value* value, const ItemLoop& items,
                                      llvm::ScalarEvolution& evolution);
  bool isUniform() const { return each.isZero(); }
  /// Whether the numbers of all work-items, and of as many idle ones as there are lanes, follow
  /// each other in the type's order. Ids do.
  bool isInOrder(const ItemLoop& items, bool isSigned, llvm::ScalarEvolution& evolution) const;
};

/// By how much the counter grows, as far as that is known before `items`, out of which its parts
/// are moved. Null where it is not.
const llvm::SCEV* stepOf(const CountedLoop& inner, const ItemLoop& items,
                         llvm::ScalarEvolution& evolution);

}  // namespace weft::compiler
