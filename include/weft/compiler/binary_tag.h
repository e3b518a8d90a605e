// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace weft::compiler {

/// Short text that differs wherever binaries of Program::serialize() would be refused: for another
/// build of the library or another host. It is part of CL_DRIVER_VERSION, by which programs that
/// keep binaries tell when to make them anew. Cheap: makes no compiler.
const std::string& binaryTag();

}  // namespace weft::compiler
