// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// One KernelInfo for each kernel of the module, in order of definition. What a kernel uses is
/// found through everything it may call.
///
/// Pre: barriers numbered (number-barriers), local variables laid out (lay-out-local), no hidden
/// parameters yet (add-work-item-parameter comes after).
std::vector<KernelInfo> analyseKernels(llvm::Module& module);

/// The same for the kernels that initialise variables at program scope, in the order in which
/// they have to run.
std::vector<KernelInfo> analyseConstructors(llvm::Module& module);

/// The same for the kernels of blocks, in the order of their numbers (lower-blocks).
std::vector<KernelInfo> analyseBlocks(llvm::Module& module);

/// Adds to `kernels` which of those with barriers can run as barrier loops.
///
/// Pre: lowered; barriers in blocks of their own (isolate-barriers).
void analyseBarriers(llvm::Module& module, std::vector<KernelInfo>& kernels);

/// Adds which of those that meet in sub-groups can do so in the lanes of loops. Pre: lowered.
void analyseSubGroups(llvm::Module& module, std::vector<KernelInfo>& kernels);

}  // namespace weft::compiler
