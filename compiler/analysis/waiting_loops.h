// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler {

/// Finds a loop within `items` that a work-item may not leave before another one has gone on: a
/// spin lock, or a wait for a flag. Lanes leave a loop together, so that the one that has the lock
/// would wait for those that want it; OpenCL promises nothing of such programs, but they end where
/// work-items run one after the other, and are in use.
///
/// What counts is a way out of the loop that depends on what an access of memory that others see
/// has read: an atomic or volatile one, one of an object with atomic accesses in the loop, any
/// where the loop has a fence; also by way of memory that the loop puts it into. Not that of a
/// compare-and-swap that is given what the loop has read there just before: when it fails, another
/// one has succeeded; nor that of a counter that each iteration moves on to where it is left.
/// Functions that are called lane by lane count too: where they wait themselves, and where a way
/// out depends on what they read so.
///
/// Returns the access or the call, or null.
const llvm::Instruction* findWait(const llvm::Loop& items, const llvm::DominatorTree& dominators);

/// Whether `loop` is such a loop itself, whatever functions it calls do.
bool waits(const llvm::Loop& loop, const llvm::DominatorTree& dominators);

/// The same for all loops of `body`, the code of one work-item.
const llvm::Instruction* findWait(llvm::Function& body);

}  // namespace weft::compiler
