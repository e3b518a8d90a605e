// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <thread>

namespace weft {

/// What it costs to put a thread to sleep and to wake it, about, until it runs again: some 20 to
/// 30 microseconds where the CPU has been halted meanwhile, more in virtual machines. Watching for
/// as long before going to sleep costs at most twice of what the better choice would have.
inline constexpr std::chrono::microseconds kWakeUpTime{50};

/// Watches until `isDone()`, for kWakeUpTime at most; returns whether it came. Other threads of the
/// CPU go first after a short moment.
template <class Predicate>
bool spinUntil(const Predicate& isDone) noexcept {
  constexpr int kPausesPerLook = 16;
  const auto end = std::chrono::steady_clock::now() + kWakeUpTime;
  do {
    for (int i = 0; i < kPausesPerLook; ++i) {
      if (isDone()) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  return isDone();
}

}  // namespace weft
