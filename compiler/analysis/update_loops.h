// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler {

/// The compare-and-swap for whose success `loop` goes on, where that is its only way out, nothing
/// else that it does is seen by others, and it waits for nobody: each failure is someone else's
/// success. Null for other loops.
const llvm::AtomicCmpXchgInst* findUpdate(const llvm::Loop& loop,
                                          const llvm::DominatorTree& dominators);

/// Whether a relaxed update is likely to change nothing, a minimum or a maximum, so that it had
/// better read its place first and leave the line of the cache to others.
bool seldomChanges(const llvm::AtomicRMWInst& update);

/// Whether relaxed updates may have to tell others of what was written before a release fence, as
/// reads in their place would not.
bool hasReleases(const llvm::Module& module);

}  // namespace weft::compiler
