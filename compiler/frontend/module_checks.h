// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

#include <string>

#include "weft/support/result.h"

namespace weft::compiler {

/// LLVM's verifier, as an error for the build log. An invalid module must not reach a pass.
Expected<void, std::string> checkModule(const llvm::Module& module);

/// A function of which optimisation would take many minutes, since parts of it take time in the
/// square of blocks, or of instructions in one; null when there is none.
const llvm::Function* enormousFunction(const llvm::Module& module);

/// Turns what Clang made into a module that every later step can rely on: target types
/// lowered, verified, and free of what programs cannot have (check_module.h).
/// The error is for the build log.
Expected<void, std::string> finishSourceModule(llvm::Module& module);

}  // namespace weft::compiler
