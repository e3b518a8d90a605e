// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace weft::compiler {

/// Clang's opencl-c-base.h: the types and constants that go with its table of builtins.
std::string_view openclBaseHeader() noexcept;

}  // namespace weft::compiler
