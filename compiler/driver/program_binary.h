// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/program_scope.h"
#include "cache/digest.h"
#include "weft/compiler/compiler.h"

namespace weft::compiler {

/// What a program consists of, wherever it is kept. Immutable once made.
struct ProgramImage {
  ProgramKind kind = ProgramKind::CompiledObject;
  Digest identity;  ///< of the contents; keys machine code in the cache. Set by identify()
  bool optimize = true;
  bool debugInfo = false;           ///< Program::hasDebugInfo()
  bool linkOptionsEnabled = false;  ///< a library made with -enable-link-options
  PrivateMemory privateMemory = PrivateMemory::Unspecified;
  std::string options;  ///< as they were given; not part of the identity
  std::vector<KernelInfo> kernels;
  std::vector<KernelInfo> blocks;        ///< Program::blocks()
  std::vector<KernelInfo> constructors;  ///< run once, in this order, before the first kernel
  ProgramScope programScope;
  std::string_view bitcode;  ///< points into `storage`
  std::shared_ptr<const void> storage;
};

/// Computes the identity. It is never read from a binary: a forged one could make the cache
/// hand out another program's code.
void identify(ProgramImage& image);

/// Bytes of clGetProgramInfo(CL_PROGRAM_BINARIES): a header with magic, versions and a checksum
/// over everything, then host tag, kernels and bitcode.
std::string encodeProgram(const ProgramImage& image, std::string_view hostTag);

/// Reads a program whose bytes are kept alive by `storage`. Every length is checked before use
/// and the checksum before anything else; the error says what is wrong.
Expected<ProgramImage, std::string> decodeProgram(std::span<const std::byte> bytes,
                                                  std::string_view hostTag,
                                                  std::shared_ptr<const void> storage);

}  // namespace weft::compiler
