// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <string>

#include "frontend/build_options.h"
#include "frontend/ir_unit.h"
#include "frontend/spirv/specialization.h"
#include "weft/compiler/compiler.h"
#include "weft/support/result.h"

namespace weft::compiler::spirv {

/// Makes a module of LLVM's of a module of SPIR-V, in the shapes and with the names that Clang
/// gives one of OpenCL C, so that all that follows is the same for both.
///
/// Does:    reads the words, with checks of whatever LLVM relies on; where it refuses them, has
///          SPIRV-Tools say what is wrong with them.
/// Leaves:  a verified module for spir64-unknown-unknown, without target types; kernels have
///          `weft.arguments`, the attributes that Clang gives them, and names of arguments where
///          the module says their types too.
/// Pre:     on a compiler thread, or any with room on its stack.
/// The error is for the build log and names the instruction.
Expected<std::unique_ptr<IrUnit>, std::string> readModule(const IlModule& il,
                                                          const BuildOptions& options,
                                                          bool keepNames);

}  // namespace weft::compiler::spirv
