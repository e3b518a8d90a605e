// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "sched/cpu_mask.h"
#include "sched/job_list.h"
#include "sched/probe.h"
#include "sched/ready_jobs.h"
#include "sched/slot_mask.h"
#include "weft/runtime/executor.h"
#include "weft/support/mutex.h"

namespace weft::runtime {

/// The ready jobs of the device and the threads that run them.
///
/// A job with parts left to take is in one of three lists:
///  - lazy: submitted without hurry. Only help() takes from it, until a kick, a bound in count
///    or the watchdog moves it to `ready`.
///  - probing: has begun; whoever began it measures whether waking others is worth it.
///    Threads that are awake anyway join.
///  - ready: workers have been or are being woken for it. There is one such list for each set of
///    slots and priority; see ReadyJobs.
///
/// States of a job (low byte of Job::state_):
///  - Idle: not known to the pool.
///  - Lazy, Probing, Ready: linked in that list.
///  - Starting: the first part has been taken; started() is being called, nobody else joins.
///  - Taken: all parts are taken, the last of them has not ended. Ready again when a thread opens
///    parts that it has taken and not begun.
///
/// Threads take parts in their order, one at a time, or runs of them (Job::takesRuns). When nothing
/// is open, and a thread has nothing to do, who has taken a run opens half of what it has not
/// begun. A run whose thread has lost its slot is ended all the same.
///
/// A thread begins parts only while it holds a slot of the job's set, so that never more threads
/// compute for a set than it has slots. Whoever gives a slot back while ready jobs wait wakes a
/// worker for it. Any worker may take any slot; one that runs for a pinned set moves to its CPUs.
/// A thread that goes to sleep in a part gives its slot back for good, and ends the part without:
/// waiting for another one could be waiting for ever. There may be a worker more for each that did.
///
/// Lifetime of a job: a thread touches it only while it is linked and the mutex is held, or
/// while it holds a part that it has not reported as ended.
/// Ownership: owns slots and threads, borrows jobs. Threads: all methods from any thread.
class JobPool {
 public:
  /// `home` is where workers run, empty for wherever the thread that starts them may. `cpus` is
  /// how many threads can really run at once. `generation` tells the jobs of this pool from those
  /// of one abandoned by fork().
  JobPool(std::vector<std::unique_ptr<Slot>> slots, CpuMask home, unsigned cpus,
          uint32_t generation);
  /// Pre: no job is queued or running.
  ~JobPool();
  JobPool(const JobPool&) = delete;
  JobPool& operator=(const JobPool&) = delete;

  void submit(Job& job, Urgency urgency) noexcept WEFT_EXCLUDES(mutex_);
  void kick() noexcept WEFT_EXCLUDES(mutex_);
  bool help(Job& job) noexcept WEFT_EXCLUDES(mutex_);
  bool withdraw(Job& job) noexcept WEFT_EXCLUDES(mutex_);
  void releaseSlots() noexcept WEFT_EXCLUDES(mutex_);

  /// fork(): lets running parts end for at most `patience` and keeps the pool locked.
  void pause(std::chrono::milliseconds patience) noexcept WEFT_ACQUIRE(mutex_);
  void resume() noexcept WEFT_RELEASE(mutex_);
  /// In a child of fork(): nothing of the pool will be used again, its locks least of all.
  void abandon() noexcept { abandoned_.store(true, std::memory_order_relaxed); }

  unsigned slots() const noexcept { return static_cast<unsigned>(slots_.size()); }
  /// Threads that exist, the watchdog included.
  unsigned threads() const noexcept WEFT_EXCLUDES(mutex_);

 private:
  enum State : uint32_t { Idle, Lazy, Probing, Ready, Starting, Taken };
  static constexpr uint32_t kStateMask = 0xff;
  static constexpr uint32_t kAged = 0x100;  ///< has been seen by the watchdog in its list
  static constexpr uint32_t kGenerationShift = 16;

  /// In place of a set's: all CPUs of the pool but one.
  static constexpr uint64_t kOffOne = ~uint64_t{0};

  /// A thread of the pool. Parked <-> Awake, under the pool's mutex.
  struct Worker {
    std::thread thread;
    ConditionVariable wakeUp;
    bool parked = false;
    int wokenFrom = -1;  ///< the CPU of the thread that woke it last
    std::chrono::steady_clock::time_point wokenAt;
    /// Of the set whose CPUs it is on, or kOffOne; its own thread's, and of who wakes it.
    uint64_t pinId = 0;
  };

  /// Parts that this thread has to run.
  struct Claim {
    Job* job = nullptr;
    PartRange parts;
  };

  /// Parts that a thread runs one after the other. They nest where a part waits for another job.
  struct Run {
    JobPool& pool;
    Slot* slot;  ///< null once it has been given back
    const bool onWorker;
    Run* const outer;
  };
  /// The innermost of the calling thread, in whatever pool.
  static thread_local Run* current_;

  State stateOf(const Job& job) const noexcept;
  void setState(Job& job, State from, State to) noexcept;
  SlotSet& setOf(const Job& job) noexcept;
  void link(Job& job, State from, State to) noexcept WEFT_REQUIRES(mutex_);
  void unlink(Job& job, State to) noexcept WEFT_REQUIRES(mutex_);
  bool linked(const Job& job) const noexcept WEFT_REQUIRES(mutex_);
  void moveToReady(Job& job) noexcept WEFT_REQUIRES(mutex_);
  size_t moveAllLazy() noexcept WEFT_REQUIRES(mutex_);

  Claim claim(Job& job) noexcept WEFT_REQUIRES(mutex_);
  Claim claimAny() noexcept WEFT_REQUIRES(mutex_);
  size_t freeIn(const SlotSet& set) const noexcept WEFT_REQUIRES(mutex_);
  size_t freeCount() const noexcept { return freeCount_.load(std::memory_order_relaxed); }
  void setFreeCount(size_t count) noexcept WEFT_REQUIRES(mutex_) {
    freeCount_.store(count, std::memory_order_relaxed);
  }
  Slot& takeSlot(const SlotSet& set) noexcept WEFT_REQUIRES(mutex_);
  void releaseSlot(Slot& slot) noexcept WEFT_REQUIRES(mutex_);
  void runClaim(Claim claim, Slot& slot, bool onWorker) noexcept WEFT_EXCLUDES(mutex_);
  size_t runParts(Job& job, PartRange mine, const Run& run) noexcept WEFT_EXCLUDES(mutex_);
  uint32_t partsAtOnce(const Job& job, uint64_t pace) noexcept;
  bool recruitFor(Job& job, uint32_t own, uint64_t pace) noexcept WEFT_EXCLUDES(mutex_);
  void share(Job& job, PartRange& rest, uint64_t pace) noexcept WEFT_EXCLUDES(mutex_);
  bool isAbandoned() const noexcept { return abandoned_.load(std::memory_order_relaxed); }
  void leaveRest(Job& job) noexcept WEFT_EXCLUDES(mutex_);
  void publish(Job& job) noexcept WEFT_EXCLUDES(mutex_);
  void recruit(Job& job, uint64_t helpers) noexcept WEFT_REQUIRES(mutex_);
  bool makesWay(Job& job, const Slot& slot) noexcept WEFT_EXCLUDES(mutex_);
  bool leaveToWorkers(Job& job) noexcept WEFT_REQUIRES(mutex_);

  void wake(size_t count) noexcept WEFT_REQUIRES(mutex_);
  void wakeFor(const SlotSet& set, size_t count) noexcept WEFT_REQUIRES(mutex_);
  void wake(Worker& worker) noexcept WEFT_REQUIRES(mutex_);
  bool startWorker() noexcept WEFT_REQUIRES(mutex_);
  void workerMain(Worker& self) noexcept;
  void moveFor(Worker& self, const SlotSet& set) const noexcept;
  void idle(Worker& self, MutexLock& lock) noexcept WEFT_REQUIRES(mutex_);
  size_t ownSlots() const noexcept;
  void waitWhilePaused(MutexLock& lock) noexcept WEFT_REQUIRES(mutex_);
  void leavePaused() noexcept WEFT_EXCLUDES(mutex_);

  void arm() noexcept WEFT_REQUIRES(mutex_);
  void hurry() noexcept WEFT_REQUIRES(mutex_);
  void watchdogMain() noexcept;
  void handOverAged() noexcept WEFT_REQUIRES(mutex_);
  size_t handOverAged(JobList& list) noexcept WEFT_REQUIRES(mutex_);

  const bool maySpin_;  ///< whether an idle worker watches for work before it parks
  const uint32_t generation_;
  const std::vector<std::unique_ptr<Slot>> slots_;
  const CpuMask home_;
  SlotSet all_;  ///< of jobs that are placed on no set

  mutable Mutex mutex_;
  JobList lazy_ WEFT_GUARDED_BY(mutex_);
  JobList probing_ WEFT_GUARDED_BY(mutex_);
  ReadyJobs ready_;                        ///< guarded by mutex_, but for mayPrecede()
  SlotMask free_ WEFT_GUARDED_BY(mutex_);  ///< slots that no thread holds
  std::atomic<size_t> freeCount_;          ///< written under the mutex
  std::vector<std::unique_ptr<Worker>> workers_ WEFT_GUARDED_BY(mutex_);
  std::vector<Worker*> parked_ WEFT_GUARDED_BY(mutex_);
  /// The system has woken a worker on the CPU of the thread that woke it, which goes on there.
  bool isPulled_ WEFT_GUARDED_BY(mutex_) = false;
  WakeUpTime wakeUpTime_;  ///< written under the mutex
  size_t spinning_ WEFT_GUARDED_BY(mutex_) = 0;
  size_t running_ WEFT_GUARDED_BY(mutex_) = 0;   ///< slots between claim and last part
  size_t slotless_ WEFT_GUARDED_BY(mutex_) = 0;  ///< workers that run a part without a slot
  bool stopping_ WEFT_GUARDED_BY(mutex_) = false;
  ConditionVariable quiet_;  ///< running_ fell
  ConditionVariable resumed_;

  std::thread watchdog_ WEFT_GUARDED_BY(mutex_);
  ConditionVariable watch_;
  bool watching_ WEFT_GUARDED_BY(mutex_) = false;   ///< ticking, not asleep
  bool activity_ WEFT_GUARDED_BY(mutex_) = false;   ///< since the last tick
  unsigned calmTicks_ WEFT_GUARDED_BY(mutex_) = 0;  ///< without a job that nobody had begun, so far

  std::atomic<uint32_t> lazyCount_{0};   ///< written under the mutex
  std::atomic<uint32_t> readyEpoch_{0};  ///< counts jobs made ready; spinners watch it
  std::atomic<bool> paused_{false};      ///< written under the mutex
  std::atomic<bool> abandoned_{false};   ///< by a child of fork()
};

}  // namespace weft::runtime
