// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>

#include "analysis/program_scope.h"

namespace weft::compiler {

/// The memory of one program's variables at program scope.
///
/// Ownership: owns the memory, which keeps its address. Threads: kernels use it as they like.
class ProgramBlock {
 public:
  /// Memory as the initialisers say, before constructors have run. Null when there is not so much.
  static std::unique_ptr<ProgramBlock> create(const ProgramScope& scope) noexcept;
  ~ProgramBlock();
  ProgramBlock(const ProgramBlock&) = delete;
  ProgramBlock& operator=(const ProgramBlock&) = delete;

  void* data() const noexcept { return data_; }

 private:
  ProgramBlock(void* data, size_t bytes) noexcept : data_(data), bytes_(bytes) {}

  void* const data_;
  const size_t bytes_;
};

}  // namespace weft::compiler
