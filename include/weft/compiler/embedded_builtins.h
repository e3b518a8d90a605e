// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// The OpenCL C library as bitcode inside libweft.so. Defined by the generated source of
/// builtins/, read only by the compiler's builtins linker.
namespace weft::builtins {

/// One bitcode module (one .cl file of builtins/). Triple spir64; retargeted when loaded.
struct EmbeddedModule {
  std::string_view name;               ///< e.g. "math/sin"
  std::span<const std::byte> bitcode;  ///< 4-byte aligned
};

/// One externally visible function and the module that defines it.
struct Definition {
  std::string_view symbol;  ///< link name, e.g. "_Z3sinDv4_f"
  uint32_t module;          ///< index into modules()
};

std::span<const EmbeddedModule> modules() noexcept;
/// All definitions of all modules, sorted by symbol.
std::span<const Definition> definitions() noexcept;
/// Text of the header that is included before every program (what TableGen's builtin
/// declarations lack): builtins/include/weft_extra.h.
std::string_view extraHeader() noexcept;

}  // namespace weft::builtins
