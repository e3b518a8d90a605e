// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "weft/support/result.h"

namespace weft::compiler {

/// Links into `module` those functions of the builtins library that it calls, and those that
/// they call in turn. Library modules are read lazily, so the cost follows what is used. Calls in
/// functions with LLVM's attribute `unsafe-fp-math` get the relaxed form of a function, if any.
///
/// Assumes: target types lowered (lower_target_types.h).
/// Leaves:  everything but kernels internal; library functions marked `weft-library`; what the
///          library does not define stays declared. The error is for the build log.
Expected<void, std::string> linkBuiltins(llvm::Module& module);

}  // namespace weft::compiler
