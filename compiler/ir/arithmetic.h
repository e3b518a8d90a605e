// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace weft::compiler {

/// Whether a function is one block of arithmetic that vectors can do element by element:
/// operations, intrinsics, and estimates of the host (lanes/estimates.h).
bool isArithmetic(const llvm::Function& scalar);

/// Whether a function's parameters and its result may each be an element of a vector.
bool isOfScalars(const llvm::Function& function);

}  // namespace weft::compiler
