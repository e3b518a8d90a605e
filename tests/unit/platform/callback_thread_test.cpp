// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/callback_thread.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <thread>

namespace weft::test {
namespace {

// As that of the process, a CallbackThread is never destroyed: its thread is never joined.

TEST(CallbackThread, RunsInOrderOnOneThread) {
  auto& callbacks = *new CallbackThread;
  std::vector<int> order;
  std::vector<std::thread::id> threads;
  std::promise<void> done;
  for (int i = 0; i < 100; ++i)
    callbacks.post([&, i] {
      order.push_back(i);
      threads.push_back(std::this_thread::get_id());
    });
  callbacks.post([&] { done.set_value(); });
  done.get_future().wait();
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(order[i], i);
    EXPECT_EQ(threads[i], threads[0]);
    EXPECT_NE(threads[i], std::this_thread::get_id());
  }
}

TEST(CallbackThread, CallbacksMayPost) {
  auto& callbacks = *new CallbackThread;
  std::promise<void> done;
  callbacks.post([&] { callbacks.post([&] { done.set_value(); }); });
  EXPECT_EQ(done.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
}

TEST(CallbackThread, SurvivesAnException) {
  auto& callbacks = *new CallbackThread;
  std::promise<void> done;
  callbacks.post([] { throw 1; });
  callbacks.post([&] { done.set_value(); });
  EXPECT_EQ(done.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
}

TEST(CallbackThread, StartsAnewInAForkedChild) {
  auto& callbacks = *new CallbackThread;
  std::promise<void> entered, leave;
  std::atomic<int> ran{0};
  callbacks.post([&] {
    entered.set_value();
    leave.get_future().wait();
  });
  callbacks.post([&] { ++ran; });  // still waiting at the fork
  entered.get_future().wait();

  callbacks.prepareFork();
  const pid_t child = fork();
  if (child == 0) {
    callbacks.afterForkInChild();
    std::promise<void> inChild;
    callbacks.post([&] { inChild.set_value(); });
    const bool works =
        inChild.get_future().wait_for(std::chrono::seconds(20)) == std::future_status::ready;
    std::_Exit(works && ran == 0 ? 0 : 1);
  }
  callbacks.afterForkInParent();
  leave.set_value();
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::promise<void> done;
  callbacks.post([&] { done.set_value(); });
  done.get_future().wait();
  EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace weft::test
