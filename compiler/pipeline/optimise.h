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
/// Of the rest, each pass has been left out in turn: those that changed the code of hardly any of
/// 54 kernels of the benchmarks are gone, and what makes vectors or copies turns is not run on
/// loops that are written for lanes.
llvm::ModulePassManager optimisePipeline();

/// What pays for itself before code generation that does not optimise: values in registers instead
/// of memory, each computed once.
llvm::ModulePassManager quickPipeline();

}  // namespace weft::compiler
