// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>

namespace weft {

/// A thread that sleeps until one event is complete.
///
/// Ownership: on the stack of that thread, linked into the event's list until it is woken; wake()
/// is the last access of whoever wakes it. Threads: one sleeps, one wakes, once.
class Waiter {
 public:
  void sleep() noexcept { woken_.wait(0, std::memory_order_acquire); }
  void wake() noexcept {
    // The sleeper may be gone as soon as the value is stored; notifying needs its address alone.
    woken_.store(1, std::memory_order_release);
    woken_.notify_one();
  }

  Waiter* next = nullptr;

 private:
  std::atomic<uint32_t> woken_{0};
};

}  // namespace weft
