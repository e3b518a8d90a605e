// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/object_mutex.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "base/callback_thread.h"

namespace weft::test {
namespace {

/// Two values that are equal except under the lock.
struct Pair {
  ObjectMutex mutex;
  int first = 0, second = 0;
};

void change(Pair& pair) {
  ObjectLock lock(pair.mutex);
  ++pair.first;
  std::this_thread::yield();
  ++pair.second;
}

TEST(ObjectMutex, AForkWaitsForSectionsAndKeepsNewOnesOut) {
  ObjectSections sections;
  ObjectMutex mutex;
  std::promise<void> inside, leave;
  std::thread holder([&] {
    ObjectLock lock(mutex);
    inside.set_value();
    leave.get_future().wait();
  });
  inside.get_future().wait();
  std::atomic<bool> prepared{false}, entered{false};
  std::promise<void> forked;
  std::thread forker([&]() WEFT_NO_TSA {
    sections.prepareFork();
    prepared = true;
    forked.get_future().wait();
    EXPECT_FALSE(entered);
    sections.afterForkInParent();
  });
  EXPECT_FALSE(prepared);
  leave.set_value();
  holder.join();
  while (!prepared) std::this_thread::yield();
  std::thread newcomer([&] {
    ObjectLock lock(mutex);
    entered = true;
  });
  forked.set_value();
  forker.join();
  newcomer.join();
  EXPECT_TRUE(entered);
}

TEST(ObjectMutex, SectionsNest) {
  ObjectSections sections;
  Pair outer, inner;
  {
    ObjectLock lock(outer.mutex);
    change(inner);
    EXPECT_EQ(inner.second, 1);
  }
  // All gates are open again, and the participants may use objects while a fork is prepared.
  sections.prepareFork();
  change(inner);
  sections.afterForkInParent();
  std::thread(change, std::ref(inner)).join();
  EXPECT_EQ(inner.second, 3);
}

TEST(ObjectMutex, AChildFindsObjectsWholeAndUnlocked) {
  CallbackThread::instance();  // locks of objects survive forks once anyone's do
  std::vector<Pair> pairs(8);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      while (!stop)
        for (Pair& pair : pairs) change(pair);
    });
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // ends a child that waits for ever
      for (Pair& pair : pairs) {
        change(pair);
        if (pair.first != pair.second) std::_Exit(1);
      }
      std::_Exit(0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace weft::test
