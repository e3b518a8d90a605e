// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

#include <vector>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// How a kernel's arguments stand in the argument block, from its IR type and what the front end
/// has noted of the types of the language (`weft.arguments`). Names and type names come from
/// Clang's metadata where that has names, which is what -cl-kernel-arg-info adds.
///
/// Pre: `kernel` has no hidden parameter yet.
std::vector<ArgumentInfo> describeArguments(const llvm::Function& kernel);

/// Bytes of the block that holds `arguments`.
uint32_t argumentBlockBytes(const std::vector<ArgumentInfo>& arguments);

}  // namespace weft::compiler
