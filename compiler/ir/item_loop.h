// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace llvm {
class TargetTransformInfo;
}

namespace weft::compiler {

/// A loop over work-items as item-loops makes it: it counts up from 0, and is tested at the end.
struct ItemLoop {
  llvm::Loop* loop;
  llvm::PHINode* index;  ///< of 64 bits
  llvm::Value* count;    ///< of iterations, at least 1

  /// Nothing when `loop` has another shape.
  static std::optional<ItemLoop> recognise(llvm::Loop& loop);
};

/// Where a loop's index is used, but for where it is counted up: what counts something else has its
/// users get their index from there.
llvm::SmallVector<llvm::Use*> usesOfIndex(llvm::PHINode& index, const llvm::BasicBlock& latch);

/// Lanes to expect of a loop over work-items: two registers of the numbers that it reads and
/// writes, and one of small ones, which are mostly computed with in larger ones.
int64_t lanesExpected(const llvm::Loop& loop, const llvm::TargetTransformInfo& target);

/// Has a loop end after its first iteration, where it is left at its latch alone.
void runOnce(llvm::Loop& loop);

/// Whether `value`, in an entry function, is the global id of its box's first work-item in some
/// dimension, or a size of its group, as loaded from the group, or in a fiber for lane groups an id
/// of its first work-item, or that of a loop over a part of them: all below 2^31, and so are their
/// sums with an index of the loop.
bool isGroupIdOrSize(const llvm::Value* value);

}  // namespace weft::compiler
