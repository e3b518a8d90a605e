// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <set>

#include "unit/runtime/pool_fixture.h"

namespace weft::runtime::test {
namespace {

using Pool = PoolTest;
WEFT_SWEEP_WORKERS(Pool);

TEST_P(Pool, HasAsManySlotsAsAskedFor) { EXPECT_EQ(executor->slots(), GetParam()); }

TEST_P(Pool, StartsNoThreadBeforeWork) {
  const size_t before = threadCount();
  recreate();
  EXPECT_EQ(threadCount(), before);
}

TEST_P(Pool, RunsAJobOnAWorkerWithoutHelp) {
  CountingJob job;
  const auto self = std::this_thread::get_id();
  std::atomic<bool> onSelf{false};
  job.body = [&](size_t, Slot&) { onSelf = std::this_thread::get_id() == self; };
  executor->submit(job, Urgency::Now);
  ASSERT_TRUE(eventually([&] { return job.done(); }));
  EXPECT_FALSE(onSelf);
}

TEST_P(Pool, BeginsALazyJobWithoutAnyOtherCall) {
  for (int round = 0; round < 3; ++round) {
    CountingJob job;
    job.parts = 1 + static_cast<size_t>(round);
    executor->submit(job, Urgency::Lazy);
    ASSERT_TRUE(eventually([&] { return job.done(); }));
    // Long enough for the watchdog to fall asleep before one of the rounds.
    std::this_thread::sleep_for(std::chrono::milliseconds(round * 25));
  }
}

TEST_P(Pool, KickHandsLazyJobsOver) {
  CountingJob jobs[3];
  for (CountingJob& job : jobs) executor->submit(job, Urgency::Lazy);
  executor->kick();
  for (CountingJob& job : jobs) ASSERT_TRUE(eventually([&] { return job.done(); }));
  executor->kick();
}

TEST_P(Pool, TooManyLazyJobsGoToWorkers) {
  std::vector<CountingJob> jobs(300);
  for (CountingJob& job : jobs) executor->submit(job, Urgency::Lazy);
  for (CountingJob& job : jobs) ASSERT_TRUE(eventually([&] { return job.done(); }));
}

TEST_P(Pool, ALazySmallJobRunsOnTheHelperAlone) {
  const auto self = std::this_thread::get_id();
  // On a busy machine the watchdog, which nobody can wait for, may be there before the helper.
  const bool alone = eventually([&] {
    CountingJob job;
    job.parts = 4;
    std::atomic<int> elsewhere{0};
    job.body = [&](size_t, Slot&) { elsewhere += std::this_thread::get_id() != self; };
    executor->submit(job, Urgency::Lazy);
    const bool hasHelped = executor->help(job);
    const bool isOver = job.done();
    EXPECT_TRUE(eventually([&] { return job.done(); }));
    EXPECT_FALSE(executor->help(job)) << "a job that is idle cannot be helped";
    return hasHelped && isOver && elsewhere == 0;
  });
  EXPECT_TRUE(alone);
}

TEST_P(Pool, AJobIsWithdrawnBeforeItHasBegun) {
  // Every slot is taken, so the second job waits.
  std::atomic<bool> leave{false};
  CountingJob busy;
  busy.parts = GetParam();
  busy.body = [&](size_t, Slot&) {
    while (!leave) std::this_thread::yield();
  };
  executor->submit(busy, Urgency::Now);
  ASSERT_TRUE(eventually([&] { return busy.ran() == GetParam(); }));
  CountingJob job;
  EXPECT_FALSE(executor->withdraw(job)) << "an idle job";
  for (const Urgency urgency : {Urgency::Lazy, Urgency::Now}) {
    executor->submit(job, urgency);
    EXPECT_TRUE(executor->withdraw(job));
    EXPECT_FALSE(executor->withdraw(job));
  }
  EXPECT_FALSE(executor->withdraw(busy)) << "a job that has begun";
  leave = true;
  ASSERT_TRUE(eventually([&] { return busy.done(); }));
  EXPECT_EQ(job.ran(), 0u);
  executor->submit(job, Urgency::Now);
  ASSERT_TRUE(eventually([&] { return job.done(); }));
}

// Every slot is held by an application's function that waits for a job.
TEST_P(Pool, SleepersLeaveTheirSlotsToOthers) {
  CountingJob wanted;
  std::vector<CountingJob> sleepers(2 * size_t{GetParam()});
  std::atomic<unsigned> asleep{0};
  for (CountingJob& job : sleepers) {
    job.body = [&](size_t, Slot&) {
      executor->releaseSlots();
      ++asleep;
      EXPECT_TRUE(eventually([&] { return wanted.done(); }));
    };
    executor->submit(job, Urgency::Now);
  }
  // Also those for which there was no slot at first.
  ASSERT_TRUE(eventually([&] { return asleep == sleepers.size(); }));
  executor->submit(wanted, Urgency::Now);
  for (CountingJob& job : sleepers) ASSERT_TRUE(eventually([&] { return job.done(); }));
  // From then on there are as many at a time as before.
  std::atomic<unsigned> now{0}, most{0};
  CountingJob crowd;
  crowd.parts = 200;
  crowd.body = [&](size_t, Slot&) {
    const unsigned running = ++now;
    for (unsigned seen = most; running > seen && !most.compare_exchange_weak(seen, running);) {
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    --now;
  };
  finish(crowd, Drive::Workers);
  EXPECT_LE(most, GetParam());
}

TEST_P(Pool, WhatASleeperDoesNotGetToIsRunByOthers) {
  for (const Drive drive : {Drive::Help, Drive::Workers}) {
    CountingJob job;
    job.parts = 20;
    std::atomic<size_t> others{0};
    job.body = [&](size_t part, Slot&) {
      if (part != 0) {
        ++others;
        return;
      }
      executor->releaseSlots();
      executor->releaseSlots();
      EXPECT_TRUE(eventually([&] { return others == job.parts - 1; }));
    };
    finish(job, drive);
  }
}

TEST_P(Pool, ASleeperThatHelpsGivesAllItsSlotsBack) {
  CountingJob outer, inner, wanted;
  outer.body = [&](size_t, Slot&) {
    executor->submit(inner, Urgency::Now);
    executor->help(inner);
    EXPECT_TRUE(eventually([&] { return inner.done(); }));
  };
  inner.body = [&](size_t, Slot&) {
    executor->releaseSlots();
    executor->submit(wanted, Urgency::Now);
    EXPECT_TRUE(eventually([&] { return wanted.done(); }));
  };
  if (GetParam() == 1) {
    // There is no slot for the inner one before the outer sleeps.
    const auto body = outer.body;
    outer.body = [&, body](size_t part, Slot& slot) {
      executor->releaseSlots();
      body(part, slot);
    };
  }
  finish(outer);
}

TEST_P(Pool, LongJobsAreShared) {
  if (GetParam() < 2) GTEST_SKIP();
  CountingJob job;
  job.parts = 64;
  Mutex mutex;
  std::set<std::thread::id> threads;
  job.body = [&](size_t, Slot&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    MutexLock lock(mutex);
    threads.insert(std::this_thread::get_id());
  };
  finish(job);
  EXPECT_GE(threads.size(), 2u);
}

// The first part alone takes so long that nothing has been measured yet.
TEST_P(Pool, ALongFirstPartDoesNotKeepOthersWaiting) {
  if (GetParam() < 2) GTEST_SKIP();
  CountingJob job;
  job.parts = 2;
  std::atomic<bool> other{false};
  job.body = [&](size_t part, Slot&) {
    if (part == 0)
      EXPECT_TRUE(eventually([&] { return other.load(); }));
    else
      other = true;
  };
  finish(job);
}

TEST_P(Pool, WhatAPartTakesIsKeptForTheNextJob) {
  if (GetParam() < 2) GTEST_SKIP();
  PartTime time;
  std::atomic<bool> joined{false};
  for (const int run : {1, 2, 3}) {
    CountingJob job;
    job.parts = 2;
    job.partTime = &time;
    joined = false;
    job.body = [&](size_t part, Slot&) {
      if (part == 1) joined = true;
      // The second time it is known that a part takes long, and somebody joins during the first.
      if (part == 0 && run == 2) EXPECT_TRUE(eventually([&] { return joined.load(); }));
      if (run == 1) std::this_thread::sleep_for(std::chrono::microseconds(200));
    };
    const uint64_t before = time.expected();
    finish(job);
    EXPECT_NE(time.expected(), before) << "the last job counts";
    if (run == 1) EXPECT_GE(time.expected(), 200'000u);
  }
}

/// A job whose first thread takes a run of so many parts.
struct RunsJob : CountingJob {
  static constexpr size_t kRun = 8;

  explicit RunsJob(size_t slots) {
    time.measured(1000);
    parts = kRun * slots;
    takesRuns = true;
    partTime = &time;
  }

  PartTime time;
};

/// Two threads side by side write to the same cache lines.
TEST_P(Pool, NeighboursAreRunByOneThread) {
  if (GetParam() < 2) GTEST_SKIP();
  RunsJob job(GetParam());
  std::atomic<size_t> firstOfOthers{0};
  job.body = [&](size_t part, Slot&) {
    if (part == 0)
      EXPECT_TRUE(eventually([&] { return firstOfOthers != 0; }));
    else if (size_t none = 0; firstOfOthers == 0)
      firstOfOthers.compare_exchange_strong(none, part);
  };
  finish(job);
  EXPECT_EQ(firstOfOthers, RunsJob::kRun);
}

TEST_P(Pool, WhatAThreadHasTakenAndNotBegunIsShared) {
  if (GetParam() < 2) GTEST_SKIP();
  RunsJob job(GetParam());
  Mutex mutex;
  std::set<std::thread::id> threads;  // of the parts that one has taken at first
  std::atomic<size_t> others{0};
  job.body = [&](size_t part, Slot&) {
    if (part >= RunsJob::kRun) {
      ++others;
      return;
    }
    if (part == 0) EXPECT_TRUE(eventually([&] { return others == job.parts - RunsJob::kRun; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    MutexLock lock(mutex);
    threads.insert(std::this_thread::get_id());
  };
  finish(job);
  EXPECT_GE(threads.size(), 2u);
}

TEST_P(Pool, NeverMoreThreadsThanSlotsCompute) {
  std::atomic<unsigned> now{0}, most{0};
  std::vector<std::atomic<bool>> busy(GetParam());
  std::vector<CountingJob> jobs(8);
  for (CountingJob& job : jobs) {
    job.parts = 40;
    job.body = [&](size_t, Slot& slot) {
      EXPECT_FALSE(busy[slot.index()].exchange(true)) << "two threads in one slot";
      const unsigned running = ++now;
      for (unsigned seen = most; running > seen && !most.compare_exchange_weak(seen, running);) {
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      --now;
      busy[slot.index()] = false;
    };
  }
  for (CountingJob& job : jobs) executor->submit(job, Urgency::Now);
  std::vector<std::thread> helpers;
  for (CountingJob& job : jobs) helpers.emplace_back([&] { executor->help(job); });
  for (std::thread& helper : helpers) helper.join();
  for (CountingJob& job : jobs) ASSERT_TRUE(eventually([&] { return job.done(); }));
  EXPECT_LE(most, GetParam());
}

TEST_P(Pool, WaitingForASlotIsNoDeadEnd) {
  // Every slot is held by a helper; the job that could not be helped must still run.
  std::atomic<unsigned> inside{0};
  std::atomic<bool> release{false};
  std::vector<CountingJob> blockers(GetParam());
  std::vector<std::thread> helpers;
  for (CountingJob& job : blockers) {
    job.body = [&](size_t, Slot&) {
      ++inside;
      EXPECT_TRUE(eventually([&] { return release.load(); }));
    };
    executor->submit(job, Urgency::Lazy);
    helpers.emplace_back([&] { executor->help(job); });
  }
  ASSERT_TRUE(eventually([&] { return inside == GetParam(); }));
  CountingJob job;
  executor->submit(job, Urgency::Lazy);
  EXPECT_FALSE(executor->help(job));
  EXPECT_FALSE(job.done());
  release = true;
  ASSERT_TRUE(eventually([&] { return job.done(); }));
  for (std::thread& helper : helpers) helper.join();
  for (CountingJob& blocker : blockers) ASSERT_TRUE(eventually([&] { return blocker.done(); }));
}

/// Submits the next of a chain from finished(), as an in-order queue does.
struct ChainJob : CountingJob {
  Executor* executor = nullptr;
  Job* next = nullptr;
  Urgency urgency = Urgency::Lazy;
  void finished() noexcept override {
    if (next) executor->submit(*next, urgency);
    CountingJob::finished();
  }
};

TEST_P(Pool, ChainsRunToTheirEnd) {
  for (const Urgency urgency : {Urgency::Lazy, Urgency::Now}) {
    std::vector<ChainJob> chain(200);
    for (size_t i = 0; i < chain.size(); ++i) {
      chain[i].executor = executor.get();
      chain[i].urgency = urgency;
      chain[i].parts = 1 + i % 3;
      if (i + 1 < chain.size()) chain[i].next = &chain[i + 1];
    }
    executor->submit(chain[0], urgency);
    for (ChainJob& job : chain) executor->help(job);
    executor->kick();
    for (ChainJob& job : chain) ASSERT_TRUE(eventually([&] { return job.done(); }));
  }
}

/// Ends its life in finished(), as a command does that nobody refers to any more.
struct VanishingJob : CountingJob {
  explicit VanishingJob(std::atomic<int>& left) : left_(left) {}
  void finished() noexcept override {
    std::atomic<int>& left = left_;
    delete this;
    --left;
  }
  std::atomic<int>& left_;
};

TEST_P(Pool, ForgetsAJobOnceItIsFinished) {
  constexpr int kJobs = 2000;
  std::atomic<int> left{kJobs};
  std::vector<std::thread> submitters;
  for (int t = 0; t < 4; ++t) {
    submitters.emplace_back([&, t] {
      for (int i = 0; i < kJobs / 4; ++i) {
        auto* job = new VanishingJob(left);
        job->parts = 1 + static_cast<size_t>(i % 5);
        executor->submit(*job, (i + t) % 2 ? Urgency::Now : Urgency::Lazy);
      }
    });
  }
  for (std::thread& submitter : submitters) submitter.join();
  executor->kick();
  EXPECT_TRUE(eventually([&] { return left == 0; }));
}

TEST_P(Pool, HelpersAndWorkersRaceForParts) {
  constexpr int kRounds = 200;
  constexpr int kThreads = 3;
  std::atomic<uint64_t> sum{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      CountingJob job;
      job.body = [&](size_t part, Slot&) { sum += part + 1; };
      for (int round = 0; round < kRounds; ++round) {
        job.rearm();
        job.parts = 1 + static_cast<size_t>((round * 7 + t) % 33);
        executor->submit(job, round % 3 ? Urgency::Lazy : Urgency::Now);
        if (round % 5 == 0) executor->kick();
        if (round % 2 == 0) executor->help(job);
        while (!job.done()) {
          if (!executor->help(job)) std::this_thread::yield();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  uint64_t expected = 0;
  for (int t = 0; t < kThreads; ++t)
    for (int round = 0; round < kRounds; ++round) {
      const uint64_t parts = 1 + static_cast<uint64_t>((round * 7 + t) % 33);
      expected += parts * (parts + 1) / 2;
    }
  EXPECT_EQ(sum, expected);
}

TEST_P(Pool, SeveralThreadsHelpOneJob) {
  for (int round = 0; round < 20; ++round) {
    CountingJob job;
    job.parts = 50;
    std::vector<std::atomic<int>> hits(job.parts);
    job.body = [&](size_t part, Slot&) { ++hits[part]; };
    executor->submit(job, Urgency::Lazy);
    std::vector<std::thread> helpers;
    for (int t = 0; t < 3; ++t) helpers.emplace_back([&] { executor->help(job); });
    for (std::thread& helper : helpers) helper.join();
    ASSERT_TRUE(eventually([&] { return job.done(); }));
    for (const auto& hit : hits) ASSERT_EQ(hit, 1);
  }
}

}  // namespace
}  // namespace weft::runtime::test
