// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>

namespace weft::runtime {

/// How long a part of jobs that do the same takes, as the last of them measured it. A job that it
/// says is long has the help of workers from its first part on. Threads: any.
class PartTime {
 public:
  /// In nanoseconds; 0: not known.
  uint64_t expected() const noexcept { return nanoseconds_.load(std::memory_order_relaxed); }
  void measured(uint64_t nanoseconds) noexcept {
    nanoseconds_.store(nanoseconds, std::memory_order_relaxed);
  }

 private:
  std::atomic<uint64_t> nanoseconds_{0};
};

}  // namespace weft::runtime
