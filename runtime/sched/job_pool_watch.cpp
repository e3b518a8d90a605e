// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What watches over the pool from outside: the watchdog of jobs that nobody begins, and fork().
#include <algorithm>

#include "sched/job_pool.h"
#include "sched/service_thread.h"

namespace weft::runtime {

// ---- Watchdog

namespace {

/// A job that nobody has begun, or joined, for one to two ticks is handed to the workers.
constexpr std::chrono::microseconds kTick{400};
/// Where so many ticks came in vain they come less often: each takes some 15 microseconds of the
/// CPU of whoever computes there.
constexpr unsigned kCalmTicks = 16;
constexpr std::chrono::microseconds kCalmTick{2000};
/// Without anything to watch for so long the watchdog sleeps until it is armed again.
constexpr std::chrono::microseconds kQuietTime{20'000};

}  // namespace

/// Makes sure that the watchdog ticks. A system call only when it sleeps, which it does after a
/// while without jobs to watch.
void JobPool::arm() noexcept {
  activity_ = true;
  if (watching_) return;
  watching_ = true;
  if (watchdog_.joinable()) {
    watch_.notifyOne();
    return;
  }
  try {
    watchdog_ = startServiceThread("weft-watchdog", [this] { watchdogMain(); });
  } catch (...) {
    watching_ = false;
    moveAllLazy();  // without a watchdog there is no being lazy
    wake(1);
  }
}

/// For a job of which nobody can say how long its first part takes.
void JobPool::hurry() noexcept {
  if (watching_ && calmTicks_ >= kCalmTicks) watch_.notifyOne();
  calmTicks_ = 0;
}

void JobPool::watchdogMain() noexcept {
  MutexLock lock(mutex_);
  while (!stopping_) {
    for (std::chrono::microseconds quiet{0}; quiet < kQuietTime && !stopping_;) {
      const auto tick = calmTicks_ < kCalmTicks ? kTick : kCalmTick;
      watch_.waitFor(lock, tick, [&]() WEFT_REQUIRES(mutex_) {
        return stopping_ || (tick == kCalmTick && calmTicks_ == 0);
      });
      const bool isWatching = !lazy_.empty() || !probing_.empty();
      quiet = activity_ || isWatching ? std::chrono::microseconds{0} : quiet + tick;
      activity_ = false;
      calmTicks_ = isWatching ? 0 : calmTicks_ + 1;
      handOverAged();
    }
    watching_ = false;
    watch_.wait(lock, [this]() WEFT_REQUIRES(mutex_) { return watching_ || stopping_; });
  }
}

void JobPool::handOverAged() noexcept {
  const size_t moved = handOverAged(lazy_) + handOverAged(probing_);
  // Also looks after ready jobs for which no worker could be started or woken.
  if (moved > 0 || ready_.any(free_)) wake(std::max<size_t>(moved, 1));
}

size_t JobPool::handOverAged(JobList& list) noexcept {
  size_t moved = 0;
  for (Job *job = list.first(), *next = nullptr; job; job = next) {
    next = JobList::next(*job);
    const uint32_t value = job->state_.load(std::memory_order_relaxed);
    if ((value & kAged) == 0) {
      job->state_.store(value | kAged, std::memory_order_relaxed);
    } else {
      moveToReady(*job);
      ++moved;
    }
  }
  return moved;
}

// ---- fork()

/// Slots that the calling thread holds.
size_t JobPool::ownSlots() const noexcept {
  size_t own = 0;
  for (const Run* run = current_; run; run = run->outer) own += &run->pool == this && run->slot;
  return own;
}

/// Lets the forking thread see that this one is quiet.
void JobPool::waitWhilePaused(MutexLock& lock) noexcept WEFT_NO_TSA {
  const size_t own = ownSlots();
  running_ -= own;
  quiet_.notifyAll();
  resumed_.wait(lock, [this] { return !paused_.load(std::memory_order_relaxed); });
  running_ += own;
}

/// Between two parts of a job.
void JobPool::leavePaused() noexcept {
  MutexLock lock(mutex_);
  if (paused_.load(std::memory_order_relaxed)) waitWhilePaused(lock);
}

void JobPool::pause(std::chrono::milliseconds patience) noexcept WEFT_NO_TSA {
  const size_t own = ownSlots();  // a part that forks does not wait for itself
  MutexLock lock(mutex_);
  paused_.store(true, std::memory_order_relaxed);
  quiet_.waitFor(lock, patience, [&]() WEFT_REQUIRES(mutex_) { return running_ == own; });
  lock.native().release();  // stays locked until resume()
}

void JobPool::resume() noexcept {
  paused_.store(false, std::memory_order_relaxed);
  resumed_.notifyAll();
  mutex_.unlock();
}

}  // namespace weft::runtime
