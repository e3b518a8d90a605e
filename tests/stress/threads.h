// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

/// Threads that do the same for a bounded time.
namespace weft::test {

/// Enough to get in each other's way wherever the tests run.
inline constexpr int kThreads = 4;

/// How long one test may go on, and how often at most: a slow machine or a sanitizer makes fewer
/// rounds, not a longer test.
inline constexpr std::chrono::milliseconds kStressTime{800};
inline constexpr int kMaxRounds = 2000;

/// Calls body(thread, round) on every thread, a first round whatever the time.
template <class Body>
void onThreads(Body body) {
  const auto end = std::chrono::steady_clock::now() + kStressTime;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&body, end, thread] {
      int round = 0;
      do body(thread, round++);
      while (round < kMaxRounds && std::chrono::steady_clock::now() < end);
    });
  for (std::thread& thread : threads) thread.join();
}

/// Waits for `count` to reach what it must in the end; a lost callback fails the test.
inline void awaitCount(const std::atomic<int>& count, int wanted) {
  for (int i = 0; i < 60000 && count < wanted; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(count, wanted);
}

}  // namespace weft::test
