// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft::runtime {

/// Work that is worth the wake-up of one more thread, in nanoseconds: some times what a wake-up
/// costs.
inline constexpr uint32_t kWorthWaking = 20'000;

/// Threads that `left` parts are worth, of which each takes `partTime` nanoseconds.
inline uint64_t helpersFor(size_t left, uint64_t partTime) noexcept {
  return partTime * left / kWorthWaking;
}

/// Times the first parts of work whose cost is not known, on the thread that has begun it.
class Probe {
 public:
  /// Nanoseconds since it was made.
  uint64_t elapsed() const noexcept {
    return static_cast<uint64_t>(std::chrono::nanoseconds(Clock::now() - begin_).count());
  }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin_ = Clock::now();
};

}  // namespace weft::runtime
