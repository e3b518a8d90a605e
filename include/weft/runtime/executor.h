// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/abi/services.h"
#include "weft/runtime/device_enqueue.h"
#include "weft/runtime/launch.h"
#include "weft/runtime/open_parts.h"
#include "weft/runtime/part_time.h"

/// The executor as the host API sees it: a pool of workers that runs ready jobs in parts.
/// It knows nothing of events, queues or dependencies.
namespace weft::runtime {

/// Why a kernel command ended abnormally.
enum class FailureKind : uint8_t {
  BarrierDivergence,  ///< live work-items waited at different barriers
  OutOfResources,     ///< stacks or local memory could not be had
  WaitFailed,         ///< a launch that a kernel enqueued waited for one that failed, or for ever
  WrongSlicing,       ///< a call that its code was not made for; a mistake of the library
};

/// What a thread is given to run parts of a job with: its fibers, local-memory arena and
/// scratch stack. One slot runs one part at a time; there are as many as workers.
class Slot {
 public:
  virtual ~Slot() = default;
  /// Runs part `part` of a launch. False when the launch failed; the failure has then
  /// been handed to `job` and its other parts should be skipped.
  virtual bool runPart(const KernelLaunch& launch, size_t part, class Job& job) noexcept = 0;
  /// The same for the parts [first, last), which cost less together than one by one.
  virtual bool runParts(const KernelLaunch& launch, size_t first, size_t last,
                        class Job& job) noexcept {
    for (size_t part = first; part < last; ++part)
      if (!runPart(launch, part, job)) return false;
    return true;
  }
  virtual unsigned index() const noexcept = 0;
};

/// Some of the executor's slots: the compute units of a sub-device. Sets may overlap; a slot runs
/// one part at a time, whichever set it was taken for.
///
/// Ownership: made by Executor::createWorkerSet; outlives every job placed on it.
class WorkerSet {
 public:
  explicit WorkerSet(unsigned size) noexcept : size_(size) {}
  WorkerSet(const WorkerSet&) = delete;
  WorkerSet& operator=(const WorkerSet&) = delete;
  virtual ~WorkerSet() = default;
  /// Slots in the set; at least 1.
  unsigned size() const noexcept { return size_; }

 private:
  const unsigned size_;
};

/// Ready jobs are taken in this order, the oldest first among equals. A more urgent job gets the
/// slots of others between two of their parts; once in a while the oldest job goes first, so that
/// nobody waits for ever.
enum class Priority : uint8_t { Low, Medium, High };
inline constexpr size_t kPriorityCount = 3;

/// Where a job runs and when it is taken.
struct Placement {
  WorkerSet* workers = nullptr;  ///< null: all slots
  Priority priority = Priority::Medium;
};

/// One ready command. The owner (src/queue) derives from it, keeps it alive until
/// finished() has returned, and may submit it again after that.
///
/// States: Idle -> Queued (submit) -> Running (first part taken) -> Idle (finished).
/// Threads: runPart on any number of threads with different parts; finished exactly once, on
/// the thread that ended the last part, with no lock of the executor held.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  /// Runs one part in [0, parts). Must not throw and must not block on other jobs.
  virtual void runPart(size_t part, Slot& slot) noexcept = 0;
  /// The first part has been taken. Called once, before any runPart.
  virtual void started() noexcept = 0;
  /// All parts have ended.
  virtual void finished() noexcept = 0;
  /// A launch of this job failed; called at most once for each part.
  virtual void failed(FailureKind kind, std::string_view message) noexcept = 0;
  /// One whole printf call's output. Called on any thread while the job runs.
  virtual void printed(std::string_view text) noexcept = 0;

  /// Whether there are parts that no thread has taken.
  bool hasOpenParts() const noexcept { return !open_.all().isEmpty(); }

  // Set before submit.
  size_t parts = 1;  ///< at least 1, less than 2^32
  Placement placement;
  PartTime* partTime = nullptr;  ///< of jobs like this one; null: there are none
  /// Parts side by side write to the same cache lines: threads take some of them at a time.
  bool takesRuns = false;

 private:
  // runtime/sched
  friend class JobPool;
  friend class JobList;
  friend class ReadyJobs;
  Job* next_ = nullptr;
  Job* previous_ = nullptr;
  OpenParts open_;
  std::atomic<size_t> remaining_{0};  ///< parts not yet ended
  std::atomic<uint32_t> state_{0};
  uint64_t order_ = 0;  ///< age among ready jobs
};

/// When a submitted job must begin without the help of a blocking caller.
enum class Urgency : uint8_t {
  Lazy,  ///< at the next kick(), help(), or after the executor's short bound in count or time
  Now,   ///< a worker is woken if one is parked
};

inline constexpr unsigned kMaxWorkers = 4096;

struct ExecutorOptions {
  unsigned workers = 0;           ///< 0: as many as availableCpus()
  std::vector<unsigned> cpus;     ///< where workers may run; empty: where the creating thread may
  uint64_t maxLocalBytes = 0;     ///< size of each slot's local-memory arena
  uint64_t maxWorkGroupSize = 0;  ///< most fibers of one group
  uint64_t maxStackBytes = 0;     ///< stacks of all fibers; 0: half of the machine's memory
  bool strictBarriers = false;    ///< early returns before a barrier are errors too
};

/// The worker pool of the device.
///
/// Threads: all methods from any thread. Workers start on the first submit, park when idle
/// after a bounded spin, and never run callbacks of the application.
/// fork(): prepareFork lets running jobs end for a bounded time; in the child the old
/// workers, jobs and locks are abandoned (never freed) and the next submit starts a new pool. A
/// part that forks is the last of its job there: a thread that helped goes on, a worker ends.
class Executor {
 public:
  virtual ~Executor() = default;

  /// A set of the slots with these indices, each below slots() and given once. With `cpus`, the
  /// set's jobs run on those CPUs alone: workers move there for them, and a thread of the
  /// application helps only where its own affinity keeps it within. Throws std::bad_alloc.
  virtual std::unique_ptr<WorkerSet> createWorkerSet(std::span<const unsigned> slots,
                                                     std::span<const unsigned> cpus) = 0;

  /// Slices the boxes of a shape for where its launches will run, and fills its ABI block.
  /// Pre: the range is validated and not empty; the boxes make it up.
  virtual void slice(LaunchShape& shape, const Placement& placement) const noexcept = 0;
  void slice(LaunchShape& shape) const noexcept { slice(shape, Placement{}); }

  /// Whether the stacks that the code of a shape needs are within the limits: where they are not,
  /// launches would fail.
  virtual bool hasStacksFor(const LaunchShape& /*shape*/) const noexcept { return true; }

  /// Adds a ready job to the pool. Pre: Idle. Never runs it on the calling thread.
  virtual void submit(Job& job, Urgency urgency) noexcept = 0;

  /// Hands every lazily submitted job to the workers. Cheap when there is none.
  virtual void kick() noexcept = 0;

  /// Runs parts of `job` on the calling thread, in a slot of the job's set, until none is left to
  /// take. Wakes workers when what is left is worth it. Returns whether it ran anything: false
  /// when the job is not queued, all its parts are taken, or it has to wait for a slot; workers
  /// then see to it.
  virtual bool help(Job& job) noexcept = 0;

  /// The calling thread is about to sleep for something else than this executor. What it is running
  /// when it does, as an application's function that a job calls may, goes on without the slots
  /// that it was begun in: others have them from now on.
  virtual void releaseSlots() noexcept {}

  /// For a command whose kernel enqueues others; its job has its parts and placement. Null when
  /// there is no such thing. Throws std::bad_alloc.
  virtual std::unique_ptr<Descendants> createDescendants(const DescendantsOptions& /*options*/) {
    return nullptr;
  }

  /// Takes a submitted job back before it has begun; it is Idle then and will not be finished.
  /// False when it is not queued or has begun.
  virtual bool withdraw(Job& job) noexcept = 0;

  /// Number of execution slots: threads that run parts at the same time.
  virtual unsigned slots() const noexcept = 0;
  /// Those that jobs placed so can take.
  unsigned slots(const Placement& placement) const noexcept {
    return placement.workers ? placement.workers->size() : slots();
  }

  /// Functions that compiled code may call; see include/weft/abi/services.h.
  virtual abi::ServiceTable services() const noexcept = 0;

  virtual void prepareFork() noexcept = 0;
  virtual void afterForkInParent() noexcept = 0;
  virtual void afterForkInChild() noexcept = 0;
};

std::unique_ptr<Executor> createExecutor(const ExecutorOptions& options);

}  // namespace weft::runtime
