// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>

namespace weft::compiler {

/// What modules of SPIR-V may ask for, by the names and numbers of its registry. The texts end in a
/// zero and live as long as the library.
struct IlSupport {
  std::span<const char* const> instructionSets;
  std::span<const char* const> extensions;
  std::span<const uint32_t> capabilities;
};

/// What the compiler reports: all of it works, in every module that needs nothing else. Cheap:
/// makes no compiler.
const IlSupport& ilSupport() noexcept;

}  // namespace weft::compiler
