// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace weft::bench {

/// The module of SPIR-V, as bytes, that Clang 15 (at -O1, or else without passes) and the
/// translator of its day make of a source in OpenCL C. Throws Unsupported where they are not
/// installed, or do not take it.
std::string translateToSpirv(const std::string& source, const std::string& options);

}  // namespace weft::bench
