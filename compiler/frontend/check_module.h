// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

#include <string>

namespace weft::compiler {

/// Lets through what the pipeline knows of all that Clang makes of its extensions of C, and
/// refuses the rest by name, since later it would end in the code generator or in the application.
///
/// Dropped, as a device has no use for it: sections, `used`, annotations, destructors at program
/// end, musttail, breakpoints. A trap, which would raise a signal in the application, is refused.
/// Clang's names for math functions become the library's. Aliases become what they stand for.
///
/// Assumes: a module as Clang emits it; the library not linked yet.
/// Leaves:  no alias, no intrinsic that the pipeline does not know. What is refused is told in
///          the result, a line of the build log each; empty when there is nothing.
std::string checkSourceModule(llvm::Module& module);

}  // namespace weft::compiler
