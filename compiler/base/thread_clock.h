// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>
#include <time.h>

#include <chrono>

namespace weft::compiler {

/// Processor time that a thread has used since a moment.
/// Threads: used() from any thread, while the measured one lives.
class ThreadClock {
 public:
  static ThreadClock ofThisThread() noexcept {
    ThreadClock clock;
    if (pthread_getcpuclockid(pthread_self(), &clock.id_) != 0) clock.id_ = CLOCK_MONOTONIC;
    clock.start_ = clock.now();
    return clock;
  }
  std::chrono::nanoseconds used() const noexcept { return now() - start_; }

 private:
  std::chrono::nanoseconds now() const noexcept {
    timespec time{};
    clock_gettime(id_, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  clockid_t id_ = CLOCK_MONOTONIC;
  std::chrono::nanoseconds start_{};
};

}  // namespace weft::compiler
