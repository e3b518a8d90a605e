// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/wait.h>
#include <unistd.h>

#include "fiber/sanitizer.h"
#include "unit/runtime/pool_fixture.h"

namespace weft::runtime::test {
namespace {

class Forking : public PoolTest {
 protected:
  /// Runs `child` in a forked child and gives its exit code.
  template <class Child>
  int inChild(Child child) {
    executor->prepareFork();
    const pid_t pid = fork();
    if (pid == 0) {
      executor->afterForkInChild();
      alarm(60);  // a hang must not outlive the test
      _exit(child());
    }
    executor->afterForkInParent();
    int status = 0;
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

  /// Whether two fresh jobs, one helped and one not, come to their end.
  bool works() {
    std::atomic<int> count{0};
    CountingJob helped, other;
    for (CountingJob* job : {&helped, &other}) {
      job->parts = 10;
      job->body = [&](size_t, Slot&) { ++count; };
    }
    executor->submit(helped, Urgency::Lazy);
    executor->help(helped);
    executor->submit(other, Urgency::Lazy);
    return eventually([&] { return helped.done() && other.done(); }) && count == 20;
  }
};
WEFT_SWEEP_WORKERS(Forking);

// ThreadSanitizer gives up in a child of a process with threads when that starts its own.
#define WEFT_SKIP_UNDER_TSAN() \
  if (WEFT_TSAN) GTEST_SKIP() << "ThreadSanitizer does not follow a fork with threads"

TEST_P(Forking, AnIdlePoolWorksOnBothSides) {
  WEFT_SKIP_UNDER_TSAN();
  EXPECT_TRUE(works());
  EXPECT_EQ(inChild([&] { return works() ? 0 : 1; }), 0);
  EXPECT_TRUE(works());
}

TEST_P(Forking, JobsOfTheParentAreForgottenInTheChild) {
  WEFT_SKIP_UNDER_TSAN();
  CountingJob waiting;
  executor->submit(waiting, Urgency::Lazy);
  EXPECT_EQ(inChild([&] {
              if (executor->help(waiting)) return 2;
              executor->kick();
              return works() && !waiting.done() ? 0 : 1;
            }),
            0);
  executor->help(waiting);
  EXPECT_TRUE(eventually([&] { return waiting.done(); }));
}

TEST_P(Forking, RunningJobsPauseAndGoOnInTheParent) {
  WEFT_SKIP_UNDER_TSAN();
  CountingJob running;
  running.parts = 400;
  running.body = [](size_t, Slot&) { std::this_thread::sleep_for(std::chrono::microseconds(200)); };
  executor->submit(running, Urgency::Now);
  std::thread helper([&] { executor->help(running); });
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(inChild([&] { return works() ? 0 : 1; }), 0);
  }
  helper.join();
  EXPECT_TRUE(eventually([&] { return running.done(); }));
  EXPECT_TRUE(works());
}

TEST_P(Forking, APartThatDoesNotEndHoldsTheForkUpForABoundedTimeOnly) {
  WEFT_SKIP_UNDER_TSAN();
  std::atomic<bool> release{false}, inside{false};
  CountingJob stuck;
  stuck.body = [&](size_t, Slot&) {
    inside = true;
    EXPECT_TRUE(eventually([&] { return release.load(); }));
  };
  executor->submit(stuck, Urgency::Now);
  ASSERT_TRUE(eventually([&] { return inside.load(); }));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(inChild([&] { return works() ? 0 : 1; }), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  release = true;
  EXPECT_TRUE(eventually([&] { return stuck.done(); }));
}

// An application's function that a job calls forks, and its child returns from it.
TEST_P(Forking, APartOfAHelperForks) {
  WEFT_SKIP_UNDER_TSAN();
  CountingJob forking;
  forking.parts = 3;
  pid_t child = -1;
  bool inChild = false;
  forking.body = [&](size_t part, Slot&) {
    if (part != 0) return;
    executor->prepareFork();
    child = fork();
    inChild = child == 0;
    if (inChild)
      executor->afterForkInChild();
    else
      executor->afterForkInParent();
  };
  const auto begin = std::chrono::steady_clock::now();
  executor->submit(forking, Urgency::Lazy);
  while (!executor->help(forking) && forking.ran() == 0) std::this_thread::yield();
  if (inChild) {
    alarm(60);
    _exit(works() && !forking.done() ? 0 : 1);
  }
  ASSERT_TRUE(eventually([&] { return forking.done(); }));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(works());
}

TEST_P(Forking, APartOfAWorkerForks) {
  WEFT_SKIP_UNDER_TSAN();
  if (WEFT_ASAN)
    GTEST_SKIP() << "LeakSanitizer misses what the stacks of the parent's threads held";
  std::atomic<pid_t> child{-1};
  CountingJob forking;
  forking.body = [&](size_t, Slot&) {
    executor->prepareFork();
    const pid_t pid = fork();
    if (pid != 0) {
      executor->afterForkInParent();
      child = pid;
      return;
    }
    executor->afterForkInChild();
    alarm(60);  // the thread, the last one of its process, is to end
  };
  executor->submit(forking, Urgency::Now);
  ASSERT_TRUE(eventually([&] { return forking.done(); }));
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(works());
}

TEST_P(Forking, GenerationsOfChildren) {
  WEFT_SKIP_UNDER_TSAN();
  EXPECT_EQ(inChild([&] {
              if (!works()) return 1;
              return inChild([&] { return works() ? 0 : 3; }) == 0 && works() ? 0 : 2;
            }),
            0);
}

TEST_P(Forking, SubmissionsFromOtherThreadsGoOn) {
  WEFT_SKIP_UNDER_TSAN();
  std::atomic<bool> stop{false};
  std::thread submitter([&] {
    while (!stop) {
      CountingJob job;
      job.parts = 3;
      executor->submit(job, Urgency::Lazy);
      executor->help(job);
      while (!job.done()) std::this_thread::yield();
    }
  });
  for (int i = 0; i < 10; ++i) EXPECT_EQ(inChild([&] { return works() ? 0 : 1; }), 0);
  stop = true;
  submitter.join();
}

}  // namespace
}  // namespace weft::runtime::test
