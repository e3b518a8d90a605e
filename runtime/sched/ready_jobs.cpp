// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sched/ready_jobs.h"

#include <utility>

namespace weft::runtime {
namespace {

uint64_t newPinId() noexcept {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

SlotSet::SlotSet(SlotMask slots, unsigned size, CpuMask cpus) noexcept
    : WorkerSet(size),
      slots_(std::move(slots)),
      cpus_(std::move(cpus)),
      pinId_(cpus_.empty() ? 0 : newPinId()) {}

void ReadyJobs::push(Job& job, SlotSet& set) noexcept {
  if (set.generation_ != generation_) {
    // What the set knew was of a pool that this process no longer has.
    set.generation_ = generation_;
    set.jobs_ = 0;
    set.ready_ = {};
  }
  if (set.jobs_++ == 0) {
    set.previous_ = nullptr;
    set.next_ = sets_;
    if (sets_) sets_->previous_ = &set;
    sets_ = &set;
  }
  job.order_ = ++lastOrder_;
  set.ready_[index(job.placement.priority)].push(job);
  count(job.placement.priority, 1);
}

void ReadyJobs::remove(Job& job, SlotSet& set) noexcept {
  set.ready_[index(job.placement.priority)].remove(job);
  count(job.placement.priority, -1);
  if (--set.jobs_ != 0) return;
  (set.previous_ ? set.previous_->next_ : sets_) = set.next_;
  if (set.next_) set.next_->previous_ = set.previous_;
}

void ReadyJobs::count(Priority priority, int change) noexcept {
  size_t& jobs = counts_[index(priority)];
  jobs += static_cast<size_t>(change);
  const uint32_t bit = uint32_t{1} << index(priority);
  const uint32_t before = priorities_.load(std::memory_order_relaxed);
  priorities_.store(jobs != 0 ? before | bit : before & ~bit, std::memory_order_relaxed);
}

/// The oldest job with parts left to take. Whoever takes a last part is about to remove the job.
Job* ReadyJobs::open(const JobList& list) noexcept {
  for (Job* job = list.first(); job; job = JobList::next(*job))
    if (job->hasOpenParts()) return job;
  return nullptr;
}

Job* ReadyJobs::next(const SlotMask& free) noexcept {
  Job* best = nullptr;
  Job* oldest = nullptr;
  for (const SlotSet* set = sets_; set; set = set->next_) {
    if (!set->slots_.meets(free)) continue;
    for (const JobList& list : set->ready_) {
      Job* const job = open(list);
      if (job == nullptr) continue;
      if (!oldest || job->order_ < oldest->order_) oldest = job;
      const bool better =
          !best || job->placement.priority > best->placement.priority ||
          (job->placement.priority == best->placement.priority && job->order_ < best->order_);
      if (better) best = job;
    }
  }
  if (best == oldest || ++passedOver_ < kPatience) return best;
  passedOver_ = 0;
  return oldest;
}

bool ReadyJobs::any(const SlotMask& free) const noexcept {
  for (const SlotSet* set = sets_; set; set = set->next_)
    if (set->slots_.meets(free)) return true;
  return false;
}

bool ReadyJobs::hasAbove(const SlotSet& set, Priority priority) noexcept {
  for (size_t i = index(priority) + 1; i < kPriorityCount; ++i)
    if (open(set.ready_[i])) return true;
  return false;
}

bool ReadyJobs::waitsFor(unsigned slot, Priority priority, const SlotMask& free) const noexcept {
  for (const SlotSet* set = sets_; set; set = set->next_)
    if (set->slots_.has(slot) && hasAbove(*set, priority) && !set->slots_.meets(free)) return true;
  return false;
}

bool ReadyJobs::competesFor(const SlotSet& own, Priority priority,
                            const SlotMask& free) const noexcept {
  for (const SlotSet* set = sets_; set; set = set->next_)
    if (hasAbove(*set, priority) && set->slots_.meets(own.slots_, free)) return true;
  return false;
}

}  // namespace weft::runtime
