// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "ir/item_loops.h"

namespace weft::compiler {

/// What work-items are asked for where it is not known that they take a branch together.

/// Index of the successor that `branch`, conditional or a switch, goes on to.
llvm::Value* wayOf(llvm::Instruction& branch, llvm::Type* type, llvm::IRBuilder<>& builder);

/// Whether all work-items of `loops` have `value` in their cells, an array of its type. The builder
/// goes on at the end of a block, which may be another one.
llvm::Value* areAllEqual(const ItemLoops& loops, llvm::AllocaInst& cells, llvm::Value& value,
                         llvm::IRBuilder<>& builder);

}  // namespace weft::compiler
