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

}  // namespace weft::compiler
