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

/// Times the first parts of work whose cost is not known, on the thread that has begun it, and says
/// from that how many more threads the rest is worth.
class Probe {
 public:
  /// Nanoseconds since it was made.
  uint64_t elapsed() const noexcept {
    return static_cast<uint64_t>(std::chrono::nanoseconds(Clock::now() - begin_).count());
  }
  /// Threads that `left` parts are worth, by what the first `ended` took.
  uint64_t helpersFor(size_t left, size_t ended) const noexcept {
    return elapsed() / ended * left / kWorthWaking;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin_ = Clock::now();
};

}  // namespace weft::runtime
