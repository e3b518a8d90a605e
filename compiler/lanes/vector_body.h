// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace weft::compiler {

/// Whether a function is one block of arithmetic that vectors can do element by element.
bool isArithmetic(const llvm::Function& scalar);

/// Gives `wide` the body of `scalar`, of which isArithmetic holds, on vectors: its first parameters
/// and its result are vectors of so many lanes of those of `scalar`.
void vectorBody(const llvm::Function& scalar, unsigned lanes, llvm::Function& wide);

}  // namespace weft::compiler
