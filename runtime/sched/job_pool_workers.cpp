// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of the pool: how they are woken, and what they do.
#include <sched.h>

#include <algorithm>

#include "sched/job_pool.h"
#include "sched/service_thread.h"
#include "weft/support/spin_wait.h"

namespace weft::runtime {

/// As wake(), for jobs of one set: more threads than it has free slots are of no use.
void JobPool::wakeFor(const SlotSet& set, size_t count) noexcept {
  wake(std::min(count, freeIn(set)));
}

/// Makes sure that up to `count` more workers look for work, as far as there are slots.
void JobPool::wake(size_t count) noexcept {
  count = std::min(count, freeCount());
  for (count -= std::min(count, spinning_); count > 0; --count) {
    if (parked_.empty()) {
      if (!startWorker()) return;
      continue;
    }
    Worker& worker = *parked_.back();
    parked_.pop_back();
    wake(worker);
  }
}

/// Wakes a worker to run beside the calling thread. Linux wakes threads where they slept or where
/// the caller is, as the load tells it, and then looks for an idle CPU among those that share a
/// cache. Virtual machines often have CPUs that share none, as far as it knows: there the worker
/// may wait for milliseconds until the caller has done all by itself. Once that has been seen,
/// workers are kept off the caller's CPU until they have something to run.
void JobPool::wake(Worker& worker) noexcept {
  worker.parked = false;
  worker.wokenFrom = ::sched_getcpu();
  worker.wokenAt = std::chrono::steady_clock::now();
  if (isPulled_ && (worker.pinId == 0 || worker.pinId == kOffOne) &&
      home_.keepOff(worker.thread, worker.wokenFrom))
    worker.pinId = kOffOne;
  worker.wakeUp.notifyOne();
}

bool JobPool::startWorker() noexcept {
  if (workers_.size() >= slots_.size() + slotless_ || stopping_) return false;
  try {
    parked_.reserve(workers_.size() + 1);  // parking may not throw
    workers_.push_back(std::make_unique<Worker>());
    Worker& worker = *workers_.back();
    try {
      worker.thread = startServiceThread("weft-worker", [this, &worker] { workerMain(worker); });
    } catch (...) {
      workers_.pop_back();
      throw;
    }
  } catch (...) {
    return false;  // the job stays ready: the next wake-up or blocking caller sees to it
  }
  return true;
}

void JobPool::workerMain(Worker& self) noexcept {
  // The thread that started this one may have been bound to a CPU meanwhile.
  home_.moveThisThread();
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (paused_.load(std::memory_order_relaxed)) waitWhilePaused(lock);
    const Claim mine = freeCount() == 0 ? Claim{} : claimAny();
    if (!mine.job) {
      idle(self, lock);
      continue;
    }
    const SlotSet& set = setOf(*mine.job);
    Slot& slot = takeSlot(set);
    if (ready_.any(free_)) wake(1);  // more than this worker can take at once
    lock.unlock();
    moveFor(self, set);
    runClaim(mine, slot, true);
    if (isAbandoned()) return;
    lock.lock();
  }
}

/// Moves the worker to where jobs of the set run; a system call when that is elsewhere.
void JobPool::moveFor(Worker& self, const SlotSet& set) const noexcept {
  if (self.pinId == set.pinId()) return;
  (set.isPinned() ? set.cpus() : home_).moveThisThread();
  self.pinId = set.pinId();
}

/// Waits for something to do: a moment awake, then parked.
void JobPool::idle(Worker& self, MutexLock& lock) noexcept WEFT_NO_TSA {
  if (maySpin_) {
    const uint32_t seen = readyEpoch_.load(std::memory_order_relaxed);
    ++spinning_;
    lock.unlock();
    spinUntil([&] { return readyEpoch_.load(std::memory_order_relaxed) != seen; });
    lock.lock();
    --spinning_;
    if (readyEpoch_.load(std::memory_order_relaxed) != seen || stopping_) return;
    // A slot given back while this worker spun woke nobody.
    if (ready_.any(free_)) return;
  }
  self.parked = true;
  parked_.push_back(&self);
  self.wakeUp.wait(lock, [&]() WEFT_REQUIRES(mutex_) { return !self.parked || stopping_; });
  isPulled_ = isPulled_ || ::sched_getcpu() == self.wokenFrom;
  wakeUpTime_.note(std::chrono::steady_clock::now() - self.wokenAt);
}

}  // namespace weft::runtime
