// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "weft/compiler/compiler.h"

namespace weft::compiler {

/// Short text that differs wherever binaries of Program::serialize() would be refused: for another
/// build of the library or another host. It is part of CL_DRIVER_VERSION, by which programs that
/// keep binaries tell when to make them anew. Cheap: makes no compiler. `cpu` is what compilers are
/// made with: the host is looked at once in a process, by whichever comes first.
const std::string& binaryTag(CpuLevel cpu);

}  // namespace weft::compiler
