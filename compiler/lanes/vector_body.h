// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

namespace weft::compiler {

/// Gives `wide` the body of `scalar`, of which isArithmetic holds, on vectors: its first parameters
/// and its result are vectors of so many lanes of those of `scalar`.
void vectorBody(const llvm::Function& scalar, unsigned lanes, llvm::Function& wide);

}  // namespace weft::compiler
