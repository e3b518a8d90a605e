// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>

namespace weft::compiler {

/// Phis are added where a block's phis are, whatever there is behind them.
struct PhisFirst : llvm::IRBuilderDefaultInserter {
  void InsertHelper(llvm::Instruction* instruction, const llvm::Twine& name,
                    llvm::BasicBlock::iterator place) const override;
};

/// Folds what it can, so that a mask that is known to be full costs nothing.
using LaneBuilder = llvm::IRBuilder<llvm::InstSimplifyFolder, PhisFirst>;

/// A block for a LaneBuilder to write, in front of `before`. It begins with an instruction that
/// does nothing: LLVM 19 looks for facts about values along the branches behind them
/// (programUndefinedIfUndefOrPoison), in every block's first instruction that is no phi.
llvm::BasicBlock* newLaneBlock(const llvm::Twine& name, llvm::BasicBlock& before);
/// Removes those instructions, once all blocks are written.
void finishLaneBlocks(llvm::Function& function);

/// Whether it is a number of 1, 2, 4 or 8 bytes.
bool isLaneElement(const llvm::Type& type);

/// Emits the idioms of code over lanes, `width` of them.
///
/// Ownership: borrows the builder; everything is emitted at its place.
class LaneCode {
 public:
  LaneCode(LaneBuilder& builder, unsigned width) : builder_(builder), width_(width) {}

  llvm::FixedVectorType* vectorOf(llvm::Type* element) const {
    return llvm::FixedVectorType::get(element, width_);
  }
  llvm::FixedVectorType* maskType() const { return vectorOf(builder_.getInt1Ty()); }
  llvm::Constant* fullMask() const { return llvm::Constant::getAllOnesValue(maskType()); }
  static bool isFull(const llvm::Value* mask);

  /// 0, stride, 2 * stride...
  llvm::Constant* steps(llvm::IntegerType* type, int64_t stride) const;
  /// `first` plus the steps; integers and pointers.
  llvm::Value* affine(llvm::Value* first, int64_t stride);
  llvm::Value* splat(llvm::Value* value) { return builder_.CreateVectorSplat(width_, value); }
  llvm::Value* reverse(llvm::Value* lanes);

  /// Lanes of both masks; inactive lanes of `mask` may hold poison in `condition`.
  llvm::Value* both(llvm::Value* mask, llvm::Value* condition);
  llvm::Value* either(llvm::Value* left, llvm::Value* right);
  /// The lanes of `mask` that are not in `part` of it.
  llvm::Value* without(llvm::Value* mask, llvm::Value* part) {
    return builder_.CreateXor(mask, part);
  }
  /// The mask as an integer, bit k for lane k.
  llvm::Value* bits(llvm::Value* mask);
  llvm::Value* any(llvm::Value* mask);
  llvm::Value* all(llvm::Value* mask);
  /// Index of the last active lane, of at least one.
  llvm::Value* lastActive(llvm::Value* mask);
  /// Lanes below `count`, which is at most the width.
  llvm::Value* below(llvm::Value* count);

  /// `parts` of all lanes in memory order: part 0 of lane 0, part 1 of lane 0...
  llvm::Value* interleave(llvm::ArrayRef<llvm::Value*> parts);
  /// The inverse of interleave.
  llvm::SmallVector<llvm::Value*, 4> deinterleave(llvm::Value* lanes, unsigned parts);
  /// Each lane of the mask `times` times.
  llvm::Value* replicate(llvm::Value* mask, unsigned times);

 private:
  LaneBuilder& builder_;
  unsigned width_;
};

}  // namespace weft::compiler
