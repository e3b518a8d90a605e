// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "sched/cpu_mask.h"
#include "sched/job_list.h"
#include "sched/slot_mask.h"
#include "weft/runtime/executor.h"

namespace weft::runtime {

/// The executor's WorkerSet: slots, and the ready jobs that may take them.
///
/// Threads: slots and CPUs never change; what is private belongs to the ReadyJobs of the pool that
/// last used the set, and to that pool's lock.
class SlotSet final : public WorkerSet {
 public:
  SlotSet(SlotMask slots, unsigned size, CpuMask cpus) noexcept;

  const SlotMask& slots() const noexcept { return slots_; }
  /// Where jobs of the set run; empty: anywhere.
  const CpuMask& cpus() const noexcept { return cpus_; }
  bool isPinned() const noexcept { return pinId_ != 0; }
  /// Tells sets that are pinned from one another, for ever; 0 for those that are not.
  uint64_t pinId() const noexcept { return pinId_; }

 private:
  friend class ReadyJobs;

  const SlotMask slots_;
  const CpuMask cpus_;
  const uint64_t pinId_;

  uint32_t generation_ = 0;  ///< of the pool that the rest is about
  size_t jobs_ = 0;
  std::array<JobList, kPriorityCount> ready_;
  SlotSet* next_ = nullptr;  ///< neighbours among the sets with ready jobs
  SlotSet* previous_ = nullptr;
};

/// The ready jobs of a pool: every set's by priority, oldest first.
///
/// Looking for a job costs a step for each set that has any, not for each job.
/// Ownership: borrows jobs and sets. Threads: all methods under the pool's lock, except for
/// mayPrecede().
class ReadyJobs {
 public:
  /// `generation` tells the pool from those abandoned by fork(), whose jobs may still be linked.
  explicit ReadyJobs(uint32_t generation) noexcept : generation_(generation) {}

  void push(Job& job, SlotSet& set) noexcept;
  void remove(Job& job, SlotSet& set) noexcept;

  /// The job whose part is to be taken next, of those that have a free slot; null for none.
  Job* next(const SlotMask& free) noexcept;
  /// Whether there is one.
  bool any(const SlotMask& free) const noexcept;

  /// Whether a job more urgent than `priority` is ready. Any thread; may be out of date.
  bool mayPrecede(Priority priority) const noexcept {
    return priorities_.load(std::memory_order_relaxed) >> (index(priority) + 1) != 0;
  }
  /// Whether such a job waits for a slot that is taken, and `slot` would do.
  bool waitsFor(unsigned slot, Priority priority, const SlotMask& free) const noexcept;
  /// Whether such a job is about to take one of the free slots of `set`.
  bool competesFor(const SlotSet& set, Priority priority, const SlotMask& free) const noexcept;

 private:
  /// A job that others passed over that many times goes first.
  static constexpr unsigned kPatience = 32;

  static constexpr size_t index(Priority priority) noexcept {
    return static_cast<size_t>(priority);
  }
  static Job* open(const JobList& list) noexcept;
  static bool hasAbove(const SlotSet& set, Priority priority) noexcept;
  void count(Priority priority, int change) noexcept;

  const uint32_t generation_;
  SlotSet* sets_ = nullptr;  ///< those with ready jobs
  uint64_t lastOrder_ = 0;
  unsigned passedOver_ = 0;
  std::array<size_t, kPriorityCount> counts_{};
  std::atomic<uint32_t> priorities_{0};  ///< a bit for each priority that has jobs
};

}  // namespace weft::runtime
