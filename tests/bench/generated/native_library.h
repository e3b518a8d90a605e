// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drawn programs as C++: compiled when they are drawn, and loaded.
#pragma once

#include <span>
#include <string>

#include "program.h"

namespace weft::bench::generated {

/// A function of Program::nativeSource.
using NativeFunction = void (*)(void* const* arguments, size_t begin, size_t end);

/// Compiles them to a shared library with Clang: -O3 for `machine` ("native" for the host),
/// OpenMP's SIMD directives, the C library's vector mathematics. Throws with the compiler's
/// messages.
void compileNative(std::span<const Program> programs, const std::string& library,
                   const std::string& machine);

/// One that is loaded, for as long as it lives.
class NativeLibrary {
 public:
  explicit NativeLibrary(const std::string& path);
  ~NativeLibrary();
  NativeLibrary(const NativeLibrary&) = delete;
  NativeLibrary& operator=(const NativeLibrary&) = delete;
  NativeFunction function(const Program& program) const;

 private:
  void* handle_;
};

}  // namespace weft::bench::generated
