// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "frontend/spirv/binary.h"

namespace weft::compiler::spirv {

/// What Khronos' validator says is wrong with a module that the reader has refused, as a line for
/// the build log; empty when it has nothing to say.
///
/// It has no say in what is taken: it refuses what translators for OpenCL send (loop merges that do
/// not stand before their branch, blocks in another order), and knows no extension younger than
/// itself. Of modules that it could take long over it says nothing.
std::string explain(const Binary& binary);

}  // namespace weft::compiler::spirv
