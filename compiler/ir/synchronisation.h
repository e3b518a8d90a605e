// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>

namespace weft::compiler {

/// LLVM's order for a memory_order of the language. One that is not constant is the strongest.
llvm::AtomicOrdering orderOf(const llvm::Value* order);

/// The part of `order` that a read has, and that a write has.
llvm::AtomicOrdering loadOrder(llvm::AtomicOrdering order);
llvm::AtomicOrdering storeOrder(llvm::AtomicOrdering order);

/// Makes an ordinary access of a volatile load or store.
void makePlain(llvm::Instruction& access);

/// LLVM's scope for a memory_scope of the language: that of one thread for a work-item, and of the
/// system for all others. x86 code generation drops fences of any other scope, and old translators
/// to SPIR-V write work-group scope where they mean the device.
llvm::SyncScope::ID scopeOf(const llvm::Value* scope);

/// Notes on `fence` the address spaces that `flags`, cl_mem_fence_flags of the language, name, as
/// memory model relaxation annotations: without them it orders all memory, so that they may be lost
/// anywhere. Flags that are not constant name all.
void annotateSpaces(llvm::FenceInst& fence, const llvm::Value* flags);

/// Whether annotations of `fence` say that it orders local memory, and nothing else.
bool ordersLocalMemoryAlone(const llvm::FenceInst& fence);

}  // namespace weft::compiler
