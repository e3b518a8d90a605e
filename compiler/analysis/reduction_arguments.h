// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// KernelInfo::reductions of `kernel`: arguments of which nothing is known but addresses that
/// relaxed atomic operations of one kind reduce into, and whose results nobody uses. None where the
/// kernel orders memory accesses by anything but barriers: others may then be told, while it runs,
/// to look at what it has reduced so far.
std::vector<Reduction> reductionsOf(const llvm::Function& kernel,
                                    const std::vector<ArgumentInfo>& arguments);

}  // namespace weft::compiler
