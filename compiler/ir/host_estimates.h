// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace weft::compiler {

/// What hosts have instructions for that give the first bits of a result only.
enum class HostEstimate { Rsqrt, Recip };

/// Whether the host has all of them for floats, with 11 bits at least, the same for scalars and
/// vectors, of denormal numbers too, infinite for zeros and zero for infinite ones.
bool hostHasEstimates();

/// The estimate for each element of `value`, a float or a vector of any number of them.
/// Pre: hostHasEstimates().
llvm::Value* estimateOnHost(llvm::IRBuilderBase& builder, HostEstimate estimate,
                            llvm::Value* value);

/// Instructions of the same hosts that give exactly what others take several for, of floats and
/// doubles.
enum class HostOperation {
  Scale,        ///< x 2^n for a whole number n, rounded once
  Exponent,     ///< the whole part of log2 |x|, of denormal numbers too
  Significand,  ///< |x| by that power of two, in [1, 2)
  LogResult,  ///< the second, where it is the logarithm of the first, or what a logarithm is there
};

/// The result for each element of `operands`, which are as for estimateOnHost and of one type.
/// Pre: hostHasEstimates().
llvm::Value* operationOnHost(llvm::IRBuilderBase& builder, HostOperation operation,
                             llvm::ArrayRef<llvm::Value*> operands);

}  // namespace weft::compiler
