// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include "weft/compiler/compiler.h"

namespace weft {

/// Which operation a compiler error ended; the same error has a different code in each.
enum class BuildStep { Build, Compile, Link };

/// The only place where errors of the compiler become CL codes.
cl_int clCode(compiler::ErrorKind kind, BuildStep step) noexcept;

}  // namespace weft
