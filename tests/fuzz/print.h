// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "fuzz/ast.h"

namespace weft::fuzz {

/// The program as OpenCL C. Integer arithmetic that wraps is done on unsigned types.
std::string print(const Program& program);

}  // namespace weft::fuzz
