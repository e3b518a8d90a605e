// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes integer division total: x / 0 and INT_MIN / -1 have an unspecified value in OpenCL C
/// but must not trap.
///
/// Does:    replaces a divisor that would trap by 1, for scalars and each vector element; and what
///          the front end has made of such operations on constants, which LLVM would take for
///          undefined behaviour, by zero.
/// Assumes: runs before any pass that uses LLVM's rule that such divisions are undefined.
/// Leaves:  divisions whose operands cannot trap; those by good constants are untouched.
/// Reads:   nothing.
class TotalDivisionPass : public llvm::PassInfoMixin<TotalDivisionPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

/// What to divide by in place of `divisor`: itself, or 1 where the division would trap; scalars and
/// vectors, neither undefined. Made of sums: LLVM 19 takes a division of vectors by a selection for
/// undefined, in all elements, where one of the choices is a constant with a zero in some element.
llvm::Value* fitDivisor(llvm::IRBuilderBase& builder, llvm::Value* dividend, llvm::Value* divisor,
                        bool isSigned);

/// The divisor that `division` had before total-division.
const llvm::Value* divisorBefore(const llvm::BinaryOperator& division);

/// Whether `divisor` is what fitDivisor() makes of a signed one; `fit` is then what it comes to
/// where `dividend` is not the least number.
bool isFitForLeast(llvm::Value* divisor, llvm::Value* dividend, llvm::Value*& fit);

}  // namespace weft::compiler
