// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weft::runtime {

/// Work that is worth the wake-up of one more thread, in nanoseconds, at least: some times what a
/// wake-up costs.
inline constexpr uint32_t kWorthWaking = 20'000;

/// Threads that `left` parts are worth, of which each takes `partTime` nanoseconds.
inline uint64_t helpersFor(size_t left, uint64_t partTime,
                           uint64_t worthWaking = kWorthWaking) noexcept {
  return partTime * left / worthWaking;
}

/// How long it takes until threads that have been woken run, on this machine: 5 microseconds where
/// CPUs are kept awake, 30 and more in virtual machines.
/// Threads: noting is serialised by the caller.
class WakeUpTime {
 public:
  void note(std::chrono::nanoseconds time) noexcept {
    // What a busy machine has kept from running for milliseconds says nothing of the others.
    const int64_t sample = std::clamp<int64_t>(time.count(), 0, kMost);
    const int64_t average = average_.load(std::memory_order_relaxed);
    average_.store(average + (sample - average) / kWeight, std::memory_order_relaxed);
  }
  /// Work that is worth it, in nanoseconds: who comes so late must save more than that, and is
  /// waited for at the end.
  uint64_t worthWaking() const noexcept {
    const auto average = static_cast<uint64_t>(average_.load(std::memory_order_relaxed));
    return std::max<uint64_t>(kWorthWaking, average + average / 2);
  }

 private:
  static constexpr int64_t kMost = 100'000;
  static constexpr int64_t kWeight = 8;  ///< samples that the average goes by
  std::atomic<int64_t> average_{0};
};

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
