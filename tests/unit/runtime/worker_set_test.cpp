// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "fiber/sanitizer.h"
#include "unit/runtime/pool_fixture.h"
#include "weft/runtime/cpus.h"

namespace weft::runtime::test {
namespace {

/// Sets of slots of one executor. A parameter of 0 takes as many workers as there are CPUs.
class WorkerSets : public PoolTest {
 protected:
  using Slots = std::vector<unsigned>;

  unsigned slots() const { return executor->slots(); }
  Slots range(unsigned first, unsigned last) const {
    Slots list(last - first);
    std::iota(list.begin(), list.end(), first);
    return list;
  }
  /// At least one slot each; they overlap when there is one slot alone.
  Slots lowerHalf() const { return range(0, std::max(1u, slots() / 2)); }
  Slots upperHalf() const { return range(slots() / 2, slots()); }

  std::unique_ptr<WorkerSet> makeSet(const Slots& list, const Slots& cpus = {}) const {
    return executor->createWorkerSet(list, cpus);
  }
};
INSTANTIATE_TEST_SUITE_P(Workers, WorkerSets, testing::Values(0, 1, 2, 4, 8, 64),
                         [](const auto& info) { return std::to_string(info.param); });

/// Holds one slot of a set from wait() to release().
class Blocker {
 public:
  Blocker(Executor& executor, WorkerSet* set, Priority priority = Priority::Medium) {
    job_.placement = {set, priority};
    job_.body = [this](size_t, Slot&) {
      inside_ = true;
      EXPECT_TRUE(eventually([&] { return released_.load(); }));
    };
    executor.submit(job_, Urgency::Now);
    EXPECT_TRUE(eventually([&] { return inside_.load(); }));
  }
  ~Blocker() { release(); }
  void release() {
    released_ = true;
    EXPECT_TRUE(eventually([&] { return job_.done(); }));
  }

 private:
  std::atomic<bool> inside_{false}, released_{false};
  CountingJob job_;
};

TEST_P(WorkerSets, KnowTheirSize) {
  const auto set = makeSet(upperHalf());
  EXPECT_EQ(set->size(), upperHalf().size());
  EXPECT_EQ(executor->slots({set.get()}), set->size());
  EXPECT_EQ(executor->slots(Placement{}), slots());
}

TEST_P(WorkerSets, LaunchesAreSlicedForTheSet) {
  const auto set = makeSet(lowerHalf());
  ExecutorOptions small = options;
  small.workers = set->size();
  const auto other = createExecutor(small);
  for (const uint64_t items : {1u, 100u, 5000u, 1u << 20}) {
    HandWritten here, there;
    here.range = there.range = {1, {items, 1, 1}, {}, {1, 1, 1}};
    here.slice(*executor, {set.get()});
    there.slice(*other);
    EXPECT_EQ(here.shape.parts, there.shape.parts) << items;
  }
}

TEST_P(WorkerSets, JobsRunInSlotsOfTheirSetOnly) {
  struct Family {
    Slots slots;
    std::unique_ptr<WorkerSet> set;
    std::atomic<unsigned> now{0}, most{0};
  };
  std::vector<Family> families(4);
  families[0].slots = lowerHalf();
  families[1].slots = upperHalf();
  families[2].slots = {slots() - 1};
  families[3].slots = range(0, slots());
  for (size_t i = 0; i < 3; ++i) families[i].set = makeSet(families[i].slots);

  std::vector<std::atomic<bool>> busy(slots());
  std::vector<CountingJob> jobs(16);
  for (size_t i = 0; i < jobs.size(); ++i) {
    Family& family = families[i % families.size()];
    jobs[i].placement.workers = family.set.get();
    jobs[i].parts = 20;
    jobs[i].body = [&](size_t, Slot& slot) {
      EXPECT_TRUE(std::ranges::count(family.slots, slot.index())) << slot.index();
      EXPECT_FALSE(busy[slot.index()].exchange(true)) << "two threads in one slot";
      const unsigned running = ++family.now;
      for (unsigned seen = family.most;
           running > seen && !family.most.compare_exchange_weak(seen, running);) {
      }
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      --family.now;
      busy[slot.index()] = false;
    };
  }
  std::vector<std::thread> helpers;
  for (size_t i = 0; i < jobs.size(); ++i) {
    executor->submit(jobs[i], i % 3 ? Urgency::Now : Urgency::Lazy);
    if (i % 2) helpers.emplace_back([&, i] { executor->help(jobs[i]); });
  }
  for (std::thread& helper : helpers) helper.join();
  for (CountingJob& job : jobs) ASSERT_TRUE(eventually([&] { return job.done(); }));
  for (const Family& family : families) EXPECT_LE(family.most, family.slots.size());
}

TEST_P(WorkerSets, ABusySetKeepsNobodyElseWaiting) {
  if (slots() < 2) GTEST_SKIP() << "one slot is in every set";
  const auto busy = makeSet({0});
  const auto idle = makeSet(range(1, slots()));
  Blocker blocker(*executor, busy.get());
  std::vector<CountingJob> waiting(100);
  for (CountingJob& job : waiting) {
    job.placement.workers = busy.get();
    executor->submit(job, Urgency::Now);
  }
  for (WorkerSet* const set : {idle.get(), static_cast<WorkerSet*>(nullptr)}) {
    for (const Urgency urgency : {Urgency::Now, Urgency::Lazy}) {
      CountingJob job;
      job.placement.workers = set;
      job.parts = 3;
      executor->submit(job, urgency);
      EXPECT_TRUE(eventually([&] { return job.done(); }));
    }
  }
  EXPECT_FALSE(executor->help(waiting[0])) << "no slot of the set is free, whatever others are";
  for (const CountingJob& job : waiting) EXPECT_FALSE(job.done());
  blocker.release();
  for (CountingJob& job : waiting) EXPECT_TRUE(eventually([&] { return job.done(); }));
}

TEST_P(WorkerSets, ASlotThatComesFreeIsTakenForItsSet) {
  const auto set = makeSet({slots() - 1});
  Blocker blocker(*executor, set.get());
  CountingJob lazy;
  lazy.placement.workers = set.get();
  executor->submit(lazy, Urgency::Lazy);
  EXPECT_FALSE(executor->help(lazy));
  EXPECT_FALSE(lazy.done());
  blocker.release();
  EXPECT_TRUE(eventually([&] { return lazy.done(); }));
}

/// Submits the next of a chain from finished(), as commands that wait for each other do.
struct ChainJob : CountingJob {
  Executor* executor = nullptr;
  Job* next = nullptr;
  void finished() noexcept override {
    if (next) executor->submit(*next, Urgency::Now);
    CountingJob::finished();
  }
};

TEST_P(WorkerSets, ChainsGoFromSetToSet) {
  const auto lower = makeSet(lowerHalf());
  const auto upper = makeSet(upperHalf());
  std::vector<ChainJob> chain(300);
  for (size_t i = 0; i < chain.size(); ++i) {
    chain[i].executor = executor.get();
    chain[i].placement.workers = i % 3 == 0 ? lower.get() : i % 3 == 1 ? upper.get() : nullptr;
    chain[i].parts = 1 + i % 4;
    if (i + 1 < chain.size()) chain[i].next = &chain[i + 1];
  }
  executor->submit(chain[0], Urgency::Lazy);
  for (ChainJob& job : chain) executor->help(job);
  for (ChainJob& job : chain) ASSERT_TRUE(eventually([&] { return job.done(); }));
}

TEST_P(WorkerSets, HelpersAndWorkersRaceForParts) {
  const auto lower = makeSet(lowerHalf());
  const auto upper = makeSet(upperHalf());
  std::atomic<uint64_t> sum{0};
  std::vector<std::thread> threads;
  constexpr int kThreads = 4;
  constexpr int kRounds = 100;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      CountingJob job;
      job.body = [&](size_t part, Slot&) { sum += part + 1; };
      for (int round = 0; round < kRounds; ++round) {
        job.rearm();
        job.parts = 1 + static_cast<size_t>((round * 7 + t) % 33);
        job.placement.workers = t == 0 ? nullptr : (round + t) % 2 ? lower.get() : upper.get();
        job.placement.priority = static_cast<Priority>((round / 3 + t) % 3);
        executor->submit(job, round % 3 ? Urgency::Lazy : Urgency::Now);
        if (round % 5 == 0) executor->kick();
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

// ---- Priorities

TEST_P(WorkerSets, UrgentJobsAreTakenFirst) {
  const auto one = makeSet({0});
  Mutex mutex;
  std::vector<Priority> order;
  std::vector<CountingJob> jobs(9);
  {
    Blocker blocker(*executor, one.get());
    for (size_t i = 0; i < jobs.size(); ++i) {
      const auto priority = static_cast<Priority>(i % kPriorityCount);
      jobs[i].placement = {one.get(), priority};
      jobs[i].body = [&, priority](size_t, Slot&) {
        MutexLock lock(mutex);
        order.push_back(priority);
      };
      executor->submit(jobs[i], Urgency::Now);
    }
  }
  for (CountingJob& job : jobs) ASSERT_TRUE(eventually([&] { return job.done(); }));
  MutexLock lock(mutex);
  EXPECT_TRUE(std::ranges::is_sorted(order, std::greater())) << "highest first";
}

TEST_P(WorkerSets, AnUrgentJobRunsBetweenTheParts) {
  const auto one = makeSet({0});
  for (const bool helped : {false, true}) {
    std::atomic<size_t> partsBefore{0};
    CountingJob low, high;
    high.placement = {one.get(), Priority::High};
    high.body = [&](size_t, Slot&) { partsBefore = low.ran(); };
    low.placement = {one.get(), Priority::Low};
    low.parts = 50;
    low.body = [&](size_t part, Slot&) {
      if (part == 3) executor->submit(high, Urgency::Now);
    };
    executor->submit(low, helped ? Urgency::Lazy : Urgency::Now);
    if (helped) executor->help(low);
    ASSERT_TRUE(eventually([&] { return low.done() && high.done(); }));
    EXPECT_EQ(partsBefore, 4u);
  }
}

// The same kernel may not be kept from running by one that needs no slot of its set.
TEST_P(WorkerSets, AnUrgentJobElsewhereIsNoReasonToWait) {
  if (slots() < 2) GTEST_SKIP() << "one slot is in every set";
  const auto busy = makeSet({0});
  const auto other = makeSet({1});
  Blocker blocker(*executor, busy.get());
  CountingJob high;
  high.placement = {busy.get(), Priority::High};
  executor->submit(high, Urgency::Now);
  CountingJob low;
  low.placement = {other.get(), Priority::Low};
  low.parts = 20;
  executor->submit(low, Urgency::Lazy);
  executor->help(low);  // unless a worker is already at it
  EXPECT_TRUE(eventually([&] { return low.done(); }));
  EXPECT_FALSE(high.done());
  blocker.release();
  EXPECT_TRUE(eventually([&] { return high.done(); }));
}

/// Comes back as soon as it is done, for ever.
struct RestlessJob : CountingJob {
  Executor* executor = nullptr;
  std::atomic<bool>* stop = nullptr;
  std::atomic<bool> ended{false};
  void finished() noexcept override {
    if (*stop) {
      ended = true;
      return;
    }
    rearm();
    executor->submit(*this, Urgency::Now);
  }
};

TEST_P(WorkerSets, NobodyStarves) {
  std::atomic<bool> stop{false};
  std::vector<RestlessJob> greedy(2 * slots());
  for (RestlessJob& job : greedy) {
    job.executor = executor.get();
    job.stop = &stop;
    job.placement.priority = Priority::High;
    executor->submit(job, Urgency::Now);
  }
  CountingJob low;
  low.placement.priority = Priority::Low;
  low.parts = 5;
  executor->submit(low, Urgency::Now);
  while (!low.done()) {
    if (!executor->help(low)) std::this_thread::yield();
  }
  stop = true;
  for (RestlessJob& job : greedy) EXPECT_TRUE(eventually([&] { return job.ended.load(); }));
}

// ---- CPUs

std::vector<unsigned> cpusOfThisThread() { return allowedCpus(); }

/// Binds the calling thread for a scope.
class Bound {
 public:
  explicit Bound(unsigned cpu) {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  }
  ~Bound() { sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_;
};

/// Runs a job of one part on a worker and gives the CPUs it saw.
std::vector<unsigned> cpusOfAJob(Executor& executor, WorkerSet* set) {
  std::vector<unsigned> seen;
  CountingJob job;
  job.placement.workers = set;
  job.body = [&](size_t, Slot&) { seen = cpusOfThisThread(); };
  executor.submit(job, Urgency::Now);
  EXPECT_TRUE(eventually([&] { return job.done(); }));
  return seen;
}

TEST_P(WorkerSets, PinnedJobsRunOnTheirCpus) {
  const std::vector<unsigned> home = cpusOfThisThread();
  const Slots last{home.back()};
  const auto pinned = makeSet(lowerHalf(), last);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(cpusOfAJob(*executor, pinned.get()), last);
    EXPECT_EQ(cpusOfAJob(*executor, nullptr), home) << "other jobs are not bound";
  }
  EXPECT_EQ(cpusOfThisThread(), home) << "the application's thread is left alone";
}

TEST_P(WorkerSets, AThreadFromElsewhereDoesNotHelpAPinnedJob) {
  const std::vector<unsigned> home = cpusOfThisThread();
  if (home.size() < 2) GTEST_SKIP() << "there is one CPU alone";
  const auto pinned = makeSet({0}, Slots{home.front()});
  const auto self = std::this_thread::get_id();
  std::atomic<bool> onSelf{false};
  CountingJob job;
  job.placement.workers = pinned.get();
  job.body = [&](size_t, Slot&) { onSelf = std::this_thread::get_id() == self; };
  executor->submit(job, Urgency::Lazy);
  EXPECT_FALSE(executor->help(job));
  EXPECT_TRUE(eventually([&] { return job.done(); }));
  EXPECT_FALSE(onSelf);

  const Bound bound(home.front());
  job.rearm();
  executor->submit(job, Urgency::Lazy);
  EXPECT_TRUE(executor->help(job));
  EXPECT_TRUE(job.done());
  EXPECT_TRUE(onSelf) << "a thread that cannot leave the CPUs of the set may help";
}

TEST_P(WorkerSets, WorkersAreNotBoundToWhereTheirStarterIs) {
  const std::vector<unsigned> home = cpusOfThisThread();
  recreate();
  const Bound bound(home.front());
  EXPECT_EQ(cpusOfAJob(*executor, nullptr), home);
}

TEST_P(WorkerSets, CpusThatAreGoneDoNotStopTheJob) {
  const auto nowhere = makeSet({0}, Slots{60000});
  EXPECT_FALSE(cpusOfAJob(*executor, nowhere.get()).empty());
}

// ---- fork()

TEST_P(WorkerSets, ServeTheChildToo) {
  if (WEFT_TSAN) GTEST_SKIP() << "ThreadSanitizer does not follow a fork with threads";
  const auto set = makeSet({0});
  Blocker blocker(*executor, set.get());
  CountingJob waiting;
  waiting.placement.workers = set.get();
  executor->submit(waiting, Urgency::Now);
  executor->prepareFork();
  const pid_t pid = fork();
  if (pid == 0) {
    executor->afterForkInChild();
    alarm(60);
    CountingJob job;
    job.placement.workers = set.get();
    job.parts = 3;
    executor->submit(job, Urgency::Now);
    _exit(eventually([&] { return job.done(); }) && !waiting.done() ? 0 : 1);
  }
  executor->afterForkInParent();
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  blocker.release();
  EXPECT_TRUE(eventually([&] { return waiting.done(); }));
}

}  // namespace
}  // namespace weft::runtime::test
