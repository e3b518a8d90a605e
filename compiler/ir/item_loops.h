// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include <array>

#include "weft/abi/slicing.h"

namespace weft::compiler {

/// Emits the loops over a box of work-items: over its planes and their rows, unless it is known to
/// have one only, and within a row, where the work-item, a variable of the function, gets its ids.
///
/// Ownership: borrows everything. All values must dominate where loops are opened.
class ItemLoops {
 public:
  /// `bases` are the global ids of the box's first work-item, `counts` its sizes, none of them 0.
  ItemLoops(llvm::AllocaInst& item, const std::array<llvm::Value*, 3>& bases,
            const std::array<llvm::Value*, 3>& counts, uint32_t rowDimension = 0)
      : item_(item), bases_(bases), counts_(counts), order_(abi::dimensionsFrom(rowDimension)) {}

  /// Runs all rows as one, for rows too short to fill lanes with: the inner loop then counts
  /// through the whole box, whose sizes these are. Those along the last dimension do not matter.
  void joinRows(const std::array<uint32_t, 3>& sizes) {
    joined_ = {sizes[order_[0]], sizes[order_[1]]};
  }

  /// Work-items in the box.
  llvm::Value* itemCount(llvm::IRBuilder<>& builder) const {
    return builder.CreateMul(builder.CreateMul(counts_[0], counts_[1]), counts_[2]);
  }

  /// Loops within each other, one for each dimension.
  struct Nest {
    llvm::BasicBlock* before;  ///< ends in a branch to the loops
    llvm::BasicBlock* body;    ///< ends in a branch to `latch`: the body goes before it
    llvm::BasicBlock* latch;   ///< of the inner loop
    llvm::Value* linear;       ///< position of the work-item in the box, row by row, in `body`
    llvm::SmallVector<llvm::BasicBlock*, 2> rowLatches = {};  ///< of the loops around the inner one
  };

  /// Opens loops in `before`, which has no terminator yet; they go on to `after`.
  Nest open(llvm::BasicBlock& before, llvm::BasicBlock& after) const;
  /// Opens a single loop, over part of a row of the group: `localIds` are those of its first
  /// work-item, `bases` the global ones, and `counts[0]` is how many there are. Pre: rows are along
  /// dimension 0.
  Nest openRow(llvm::BasicBlock& before, llvm::BasicBlock& after,
               const std::array<llvm::Value*, 3>& localIds) const;

  /// Has the first work-item alone run what is in the loops that `latch` is the inner latch of, and
  /// that go on to `after`. They are no loops from then on.
  static void runOnce(llvm::BasicBlock* latch, const llvm::BasicBlock& after);

  /// Says that the iterations of loops over work-items and over their rows do not depend on each
  /// other in global, local and constant memory, nor in `perItem`, variables with a cell for each
  /// work-item. What every iteration shares keeps its dependences, and volatile and atomic accesses
  /// are not spoken for. No more is said than that: accesses of one iteration may depend on each
  /// other, which keep-order sees to.
  using Variables = llvm::SmallPtrSet<const llvm::Value*, 16>;
  static void markParallel(llvm::Function& function, llvm::ArrayRef<Nest> nests,
                           const Variables& perItem);

  /// The same of another loop, made of `blocks`, whose iterations are as independent as work-items
  /// in all that their simple accesses touch.
  static void markIndependent(const llvm::BasicBlock& latch,
                              llvm::ArrayRef<llvm::BasicBlock*> blocks);

  /// Whether `loop` is an inner loop of such a nest, as markParallel left it.
  static bool isItemLoop(const llvm::Loop& loop);
  /// The innermost such loop around `loop`; null for none.
  static const llvm::Loop* around(const llvm::Loop& loop);
  /// Whether it is one around those.
  static bool isRowLoop(const llvm::Loop& loop);
  static bool isBlockLoop(const llvm::Loop& loop);  ///< names::kBlockLoop
  /// Whether a load or store of such a loop cannot meet those of its other iterations, as
  /// markParallel says of the inner one. Volatile and atomic ones may.
  static bool isIndependent(const llvm::Instruction& access);
  /// Says that a loop, marked as parallel, is over the work-items that one fiber runs.
  static void markLaneGroup(llvm::BasicBlock& latch);
  static bool isLaneGroup(const llvm::Loop& loop);
  /// What a value of `type` is kept as for each work-item. Integers lie in as many bytes as a
  /// power of two: packed, those of one work-item could not be written without the others'.
  static llvm::Type* typeInMemory(llvm::Type* type);
  /// A variable of `count` cells for values of `type`, and accesses to one of them.
  static llvm::AllocaInst* makeCells(llvm::Function& function, llvm::Type* type, uint64_t count,
                                     const llvm::Twine& name);
  static void storeCell(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::AllocaInst& cells,
                        llvm::Value& index);
  static llvm::Value* loadCell(llvm::IRBuilder<>& builder, llvm::Type* type,
                               llvm::AllocaInst& cells, llvm::Value& index);
  /// Whether `variable` has a cell for each work-item, as it told markParallel.
  static bool hasCells(const llvm::AllocaInst& variable);

 private:
  struct Counted {
    llvm::PHINode* index;
    llvm::BasicBlock* latch;
  };
  Nest close(llvm::IRBuilder<>& builder, llvm::BasicBlock& before, const Counted& items,
             const std::array<llvm::Value*, 3>& ids, llvm::Value* linear) const;
  Counted openLoop(llvm::IRBuilder<>& builder, llvm::Value* count, llvm::BasicBlock& after,
                   const char* name) const;
  std::array<llvm::Value*, 3> idsInJoinedRows(llvm::IRBuilder<>& builder, llvm::Value* index) const;

  /// Along the `i`th dimension in the order in which they are run through.
  llvm::Value* countAlong(size_t i) const { return counts_[order_[i]]; }

  llvm::AllocaInst& item_;
  std::array<uint64_t, 2> joined_{};  ///< zeros when every row is run by itself
  std::array<llvm::Value*, 3> bases_;
  std::array<llvm::Value*, 3> counts_;
  std::array<uint32_t, 3> order_;  ///< that of rows first; so are ids that helpers give
};

}  // namespace weft::compiler
