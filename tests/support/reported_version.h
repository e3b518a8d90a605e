// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstdlib>
#include <string_view>

namespace weft::test {

/// The version of OpenCL that the library must report, as the environment has it.
inline cl_version expectedVersion() {
  const auto is = [](const char* variable, std::string_view value) {
    const char* const text = std::getenv(variable);
    return text != nullptr && text == value;
  };
  const bool isOlder = is("WEFT_OPENCL", "3.0") || is("WEFT_SPIRV", "0");
  return CL_MAKE_VERSION(3, isOlder ? 0 : 1, 0);
}
inline bool expectsOpenCl31() { return expectedVersion() >= CL_MAKE_VERSION(3, 1, 0); }

}  // namespace weft::test
