// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// The optimiser for one kernel in one form: what LLVM's O2 does for a module that is one function,
/// with what is out of line beside it.
///
/// LLVM's own list is made for modules of many functions, whose callers and globals tell of one
/// another, and cleans up after inlining that is done here before a variant begins. Without all
/// that, and with loops over work-items treated as what they are, a kernel costs two thirds.
llvm::ModulePassManager optimisePipeline();

/// What pays for itself before code generation that does not optimise: values in registers instead
/// of memory, each computed once.
llvm::ModulePassManager quickPipeline();

}  // namespace weft::compiler
