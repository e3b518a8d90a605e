// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace weft::compiler {

/// Loop metadata of LLVM's vectoriser, which leaves loops with it alone: vectors, and their
/// remainders.
inline constexpr const char* kVectorizedLoop = "llvm.loop.isvectorized";

/// Loop metadata of ours, with a number: lane groups of a row that jam-groups should run at once.
inline constexpr const char* kGroupsAtOnce = "weft.groups_at_once";

/// A fact of a loop, alone or with a number.
inline llvm::MDNode* loopFact(llvm::LLVMContext& context, const char* name) {
  return llvm::MDNode::get(context, llvm::MDString::get(context, name));
}
inline llvm::MDNode* loopFact(llvm::LLVMContext& context, const char* name, unsigned value) {
  auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
  return llvm::MDNode::get(
      context, {llvm::MDString::get(context, name), llvm::ConstantAsMetadata::get(number)});
}

/// Has the loop that `branch` goes back in known by these facts, and no others.
inline void nameLoop(llvm::Instruction& branch, llvm::ArrayRef<llvm::Metadata*> facts) {
  llvm::SmallVector<llvm::Metadata*> all{nullptr};
  llvm::append_range(all, facts);
  llvm::MDNode* loop = llvm::MDNode::getDistinct(branch.getContext(), all);
  loop->replaceOperandWith(0, loop);
  branch.setMetadata(llvm::LLVMContext::MD_loop, loop);
}

inline bool isVectorized(const llvm::Loop& loop) {
  return llvm::getBooleanLoopAttribute(&loop, kVectorizedLoop);
}

}  // namespace weft::compiler
