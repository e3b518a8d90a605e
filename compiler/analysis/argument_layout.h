// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// How a kernel's arguments stand in the argument block, from its IR type, what the front end has
/// noted of the types of the language (`weft.arguments`), and the kernel_arg_* metadata. Names and
/// type names are filled only when the metadata has names, which is what -cl-kernel-arg-info adds.
///
/// Pre: `kernel` has no hidden parameter yet.
std::vector<ArgumentInfo> describeArguments(const llvm::Function& kernel);

/// Bytes of the block that holds `arguments`.
uint32_t argumentBlockBytes(const std::vector<ArgumentInfo>& arguments);

}  // namespace weft::compiler
