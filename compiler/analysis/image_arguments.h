// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <vector>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// KernelInfo::imageArguments of `kernel`: images whose formats code may ask for, and samplers that
/// are used. The first ones, where there are too many.
std::vector<uint32_t> imageArgumentsOf(const llvm::Function& kernel,
                                       const std::vector<ArgumentInfo>& arguments);

}  // namespace weft::compiler
