// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace weft::compiler {

/// Element k of the result is that of `values`, a power of two of integers from 8 up, that element
/// k of `places`, of i32 and below their number, says. By the host's instructions that move
/// elements between any lanes of registers; null where it has none, and memory does it.
llvm::Value* permuteLanes(llvm::IRBuilderBase& builder, llvm::Value* values, llvm::Value* places);

}  // namespace weft::compiler
