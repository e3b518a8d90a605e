// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler {

/// Whether `instruction` calls the barrier service, or what else work-items meet for. The first
/// operands are the work-item and the barrier's id.
bool isBarrier(const llvm::Instruction& instruction);

/// Calls the barrier service with an id, an i32. Pre: the function has its hidden parameter.
llvm::CallInst* createBarrier(llvm::IRBuilder<>& builder, llvm::Value* id);

/// Whether `instruction` is a barrier that combines what work-items bring along, in any of the ways
/// it is called from lower-sync on.
bool isCollective(const llvm::Instruction& instruction);

/// Whether `value` is what all work-items of a group get of such a one.
bool isSharedResult(const llvm::Value& value);

/// The barrier that `block` holds, of those that isBarrier() knows; null for none.
llvm::CallInst* barrierIn(llvm::BasicBlock& block);
/// Whether some block of `loop` holds one.
bool hasBarriers(const llvm::Loop& loop);

}  // namespace weft::compiler
