// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace weft {

/// Whether kernels may come upon objects of compiler::kFarBytes and more, for which they need other
/// code: of all contexts, since a count for each would have to be asked for at each launch too.
///
/// Threads: all functions from any thread. What is counted before a launch is enqueued counts for
/// it.
class FarMemory {
 public:
  /// An object of `size` bytes begins, or ends, to exist.
  static void add(size_t size) noexcept;
  static void remove(size_t size) noexcept;
  /// Whether there is one that large.
  static bool exists() noexcept;
  /// Whether memory that the application got without us may be part of one: where it is, the host
  /// has mapped memory on one side of it for half that size. It may say so of what only lies among
  /// other memory.
  static bool mayHold(const void* pointer) noexcept;
};

}  // namespace weft
