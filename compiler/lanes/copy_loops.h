// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace weft::compiler {

/// What says of a loop's branch what `name` says, for another loop.
llvm::MDNode* ownLoopName(const llvm::MDNode& name);

/// Copies blocks, at the end of their function, which go on to the same others; phis of others are
/// left alone. `map` may say beforehand what becomes of values, and then has what became of all.
/// Metadata of the copies has names of its own, so that nothing is said of both at once.
llvm::SmallVector<llvm::BasicBlock*> copyBlocks(llvm::ArrayRef<llvm::BasicBlock*> blocks,
                                                const llvm::Twine& suffix,
                                                llvm::ValueToValueMapTy& map);

/// Copies a loop in the same way, before `place`.
void copyLoop(const llvm::Loop& loop, const llvm::Twine& suffix, llvm::BasicBlock& place,
              llvm::ValueToValueMapTy& map);

/// Has a loop run where `condition`, which is known in its preheader, holds, and a copy of it,
/// which is returned, elsewhere. No metadata says anything of the copy. Pre: the loop is in
/// simplified form, which both are then, and hands nothing on to its one exit.
llvm::Loop* versionLoop(llvm::Loop& loop, llvm::Value& condition, const llvm::Twine& suffix,
                        llvm::DominatorTree& dominators, llvm::LoopInfo& loops);

}  // namespace weft::compiler
