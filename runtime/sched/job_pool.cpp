// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sched/job_pool.h"

#include <immintrin.h>

#include <algorithm>
#include <cassert>

#include "sched/service_thread.h"

namespace weft::runtime {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

/// Lazily submitted jobs beyond this many go to the workers at once.
constexpr uint32_t kMaxLazyJobs = 256;
/// Work that is worth the wake-up of one more thread: some times what a wake-up costs.
constexpr nanoseconds kWorthWaking = std::chrono::microseconds(20);

/// The pool whose worker is in a job's finished() on this thread; it looks for work right after,
/// so that submissions from there need no wake-up.
thread_local const JobPool* finishingWorkerOf = nullptr;

}  // namespace

JobPool::JobPool(std::vector<std::unique_ptr<Slot>> slots, unsigned cpus, uint32_t generation)
    // Where every CPU is needed for work a spinning thread takes what it waits for.
    : spins_(slots.size() > cpus ? 0
             : cpus <= 2         ? 40
                                 : 400),
      generation_(generation),
      slots_(std::move(slots)) {
  assert(!slots_.empty());
  MutexLock lock(mutex_);
  freeSlots_.reserve(slots_.size());
  for (const auto& slot : slots_) freeSlots_.push_back(slot.get());
  std::reverse(freeSlots_.begin(), freeSlots_.end());
  // Nothing may throw once work is accepted.
  workers_.reserve(slots_.size());
  parked_.reserve(slots_.size());
}

JobPool::~JobPool() {
  MutexLock lock(mutex_);
  assert(running_ == 0 && !lazy_.first && !probing_.first && !ready_.first);
  stopping_ = true;
  for (const auto& worker : workers_) worker->wakeUp.notifyOne();
  watch_.notifyOne();
  auto workers = std::move(workers_);
  auto watchdog = std::move(watchdog_);
  lock.unlock();
  for (const auto& worker : workers) worker->thread.join();
  if (watchdog.joinable()) watchdog.join();
}

unsigned JobPool::threads() const noexcept {
  MutexLock lock(mutex_);
  return static_cast<unsigned>(workers_.size()) + (watchdog_.joinable() ? 1 : 0);
}

// ---- States and lists

JobPool::State JobPool::stateOf(const Job& job) const noexcept {
  const uint32_t value = job.state_.load(std::memory_order_relaxed);
  // Whatever an abandoned pool knew of the job no longer holds.
  if (value >> kGenerationShift != generation_) return Idle;
  return static_cast<State>(value & kStateMask);
}

void JobPool::setState(Job& job, [[maybe_unused]] State from, State to) noexcept {
  assert(stateOf(job) == from);
  job.state_.store(generation_ << kGenerationShift | to, std::memory_order_relaxed);
}

JobPool::List& JobPool::listOf(State state) noexcept {
  assert(state == Lazy || state == Probing || state == Ready);
  return state == Lazy ? lazy_ : state == Probing ? probing_ : ready_;
}

bool JobPool::linked(const Job& job) const noexcept {
  const State state = stateOf(job);
  return state == Lazy || state == Probing || state == Ready;
}

void JobPool::link(Job& job, State from, State to) noexcept {
  setState(job, from, to);
  List& list = listOf(to);
  job.next_ = nullptr;
  job.previous_ = list.last;
  (list.last ? list.last->next_ : list.first) = &job;
  list.last = &job;
  if (to == Lazy)
    lazyCount_.store(lazyCount_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (to == Ready) readyEpoch_.fetch_add(1, std::memory_order_relaxed);
}

void JobPool::unlink(Job& job, State to) noexcept {
  const State from = stateOf(job);
  List& list = listOf(from);
  (job.previous_ ? job.previous_->next_ : list.first) = job.next_;
  (job.next_ ? job.next_->previous_ : list.last) = job.previous_;
  if (from == Lazy)
    lazyCount_.store(lazyCount_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  setState(job, from, to);
}

void JobPool::moveToReady(Job& job) noexcept {
  unlink(job, Starting);
  link(job, Starting, Ready);
}

size_t JobPool::moveAllLazy() noexcept {
  size_t moved = 0;
  for (; lazy_.first; ++moved) moveToReady(*lazy_.first);
  return moved;
}

// ---- Submission

void JobPool::submit(Job& job, Urgency urgency) noexcept {
  MutexLock lock(mutex_);
  assert(stateOf(job) == Idle && job.parts > 0);
  job.state_.store(generation_ << kGenerationShift | Idle, std::memory_order_relaxed);
  job.cursor_.store(0, std::memory_order_relaxed);
  job.remaining_.store(job.parts, std::memory_order_relaxed);
  if (finishingWorkerOf == this) {
    link(job, Idle, Ready);
    return;
  }
  if (urgency == Urgency::Now) {
    link(job, Idle, Ready);
    wake(1);
    return;
  }
  link(job, Idle, Lazy);
  if (lazyCount_.load(std::memory_order_relaxed) < kMaxLazyJobs) {
    arm();
  } else {
    moveAllLazy();
    wake(1);
  }
}

void JobPool::kick() noexcept {
  if (lazyCount_.load(std::memory_order_relaxed) == 0) return;
  MutexLock lock(mutex_);
  if (moveAllLazy() > 0) wake(1);
}

bool JobPool::help(Job& job) noexcept {
  MutexLock lock(mutex_);
  if (paused_.load(std::memory_order_relaxed)) waitWhilePaused(lock);
  if (!linked(job)) return false;
  if (freeSlots_.empty()) {
    // Whoever gives its slot back finds the job.
    if (stateOf(job) != Ready) moveToReady(job);
    return false;
  }
  const Claim mine = claim(job);
  if (!mine.job) return false;
  Slot& slot = takeSlot();
  lock.unlock();
  runClaim(mine, slot, false);
  return true;
}

// ---- Running

/// Takes a part of a linked job; the last part takes the job out of its list.
JobPool::Claim JobPool::claim(Job& job) noexcept {
  const size_t part = job.cursor_.fetch_add(1, std::memory_order_relaxed);
  if (part >= job.parts) return {};  // whoever took the last part is about to unlink it
  if (part + 1 == job.parts)
    unlink(job, Taken);
  else if (part == 0)
    unlink(job, Starting);
  return {&job, part};
}

JobPool::Claim JobPool::claimAny() noexcept {
  for (const List* list : {&ready_, &probing_})
    for (Job* job = list->first; job; job = job->next_)
      if (const Claim mine = claim(*job); mine.job) return mine;
  return {};
}

Slot& JobPool::takeSlot() noexcept {
  assert(!freeSlots_.empty());
  Slot* slot = freeSlots_.back();
  freeSlots_.pop_back();
  ++running_;
  return *slot;
}

void JobPool::releaseSlot(Slot& slot) noexcept {
  freeSlots_.push_back(&slot);
  --running_;
  if (paused_.load(std::memory_order_relaxed)) quiet_.notifyAll();
}

void JobPool::runClaim(Claim claim, Slot& slot, bool onWorker) noexcept {
  Job& job = *claim.job;
  if (claim.part == 0) {
    job.started();
    if (job.parts > 1) publish(job);
  }
  const size_t ended = runParts(job, claim.part, slot);
  {
    MutexLock lock(mutex_);
    releaseSlot(slot);
    if (!onWorker && ready_.first) wake(1);
  }
  if (job.remaining_.fetch_sub(ended, std::memory_order_acq_rel) != ended) return;
  setState(job, Taken, Idle);
  if (onWorker) finishingWorkerOf = this;
  job.finished();
  finishingWorkerOf = nullptr;
}

/// Makes the parts of a job that has begun visible to others.
void JobPool::publish(Job& job) noexcept {
  MutexLock lock(mutex_);
  link(job, Starting, Probing);
  arm();  // a first part that takes long must not keep the others waiting
}

/// Runs `part` and then whatever is left to take; returns how many parts that were.
size_t JobPool::runParts(Job& job, size_t part, Slot& slot) noexcept {
  const size_t parts = job.parts;
  bool measuring = part == 0 && parts > 1 && slots_.size() > 1;
  const Clock::time_point begin = measuring ? Clock::now() : Clock::time_point{};
  size_t measureAt = 1;  // doubles: reading the clock costs as much as a small part
  for (size_t ended = 0;;) {
    if (paused_.load(std::memory_order_relaxed)) [[unlikely]]
      leavePaused();
    job.runPart(part, slot);
    ++ended;
    part = job.cursor_.load(std::memory_order_relaxed);
    if (part < parts) part = job.cursor_.fetch_add(1, std::memory_order_relaxed);
    if (part >= parts) return ended;
    if (part + 1 == parts) {
      MutexLock lock(mutex_);
      unlink(job, Taken);
      measuring = false;
    }
    if (measuring && ended == measureAt) {
      measureAt *= 2;
      const auto each = static_cast<uint64_t>((Clock::now() - begin).count()) / ended;
      const uint64_t left = parts - part;
      if (const uint64_t helpers = each * left / kWorthWaking.count(); helpers > 0) {
        recruit(job, std::min(helpers, left - 1));
        measuring = false;
      }
    }
  }
}

void JobPool::recruit(Job& job, uint64_t helpers) noexcept {
  MutexLock lock(mutex_);
  if (stateOf(job) == Probing) moveToReady(job);
  // Two here; each of them wakes another while there is work.
  wake(std::min<uint64_t>(helpers, 2));
}

// ---- Workers

/// Makes sure that up to `count` more workers look for work, as far as there are slots.
void JobPool::wake(size_t count) noexcept {
  count = std::min(count, freeSlots_.size());
  for (count -= std::min(count, spinning_); count > 0; --count) {
    if (parked_.empty()) {
      if (!startWorker()) return;
      continue;
    }
    Worker* worker = parked_.back();
    parked_.pop_back();
    worker->parked = false;
    worker->wakeUp.notifyOne();
  }
}

bool JobPool::startWorker() noexcept {
  if (workers_.size() == slots_.size() || stopping_) return false;
  try {
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
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (paused_.load(std::memory_order_relaxed)) waitWhilePaused(lock);
    const Claim mine = freeSlots_.empty() ? Claim{} : claimAny();
    if (!mine.job) {
      idle(self, lock);
      continue;
    }
    Slot& slot = takeSlot();
    if (ready_.first) wake(1);  // more than this worker can take at once
    lock.unlock();
    runClaim(mine, slot, true);
    lock.lock();
  }
}

/// Waits for something to do: a moment awake, then parked.
void JobPool::idle(Worker& self, MutexLock& lock) noexcept WEFT_NO_TSA {
  if (spins_ > 0) {
    const uint32_t seen = readyEpoch_.load(std::memory_order_relaxed);
    ++spinning_;
    lock.unlock();
    spin(seen);
    lock.lock();
    --spinning_;
    if (readyEpoch_.load(std::memory_order_relaxed) != seen || stopping_) return;
    // A slot given back while this worker spun woke nobody.
    if (ready_.first && !freeSlots_.empty()) return;
  }
  self.parked = true;
  parked_.push_back(&self);
  self.wakeUp.wait(lock, [&]() WEFT_REQUIRES(mutex_) { return !self.parked || stopping_; });
}

void JobPool::spin(uint32_t seen) noexcept {
  for (unsigned i = 0; i < spins_; ++i) {
    if (readyEpoch_.load(std::memory_order_relaxed) != seen) return;
    _mm_pause();
  }
}

// ---- Watchdog

namespace {

/// A job that nobody has begun, or joined, for one to two ticks is handed to the workers.
constexpr auto kTick = std::chrono::microseconds(400);
/// Ticks without anything to watch before the watchdog sleeps until it is armed again.
constexpr unsigned kQuietTicks = 50;

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

void JobPool::watchdogMain() noexcept {
  MutexLock lock(mutex_);
  while (!stopping_) {
    for (unsigned quiet = 0; quiet < kQuietTicks && !stopping_;) {
      watch_.waitFor(lock, kTick, [this]() WEFT_REQUIRES(mutex_) { return stopping_; });
      quiet = activity_ || lazy_.first || probing_.first ? 0 : quiet + 1;
      activity_ = false;
      handOverAged();
    }
    watching_ = false;
    watch_.wait(lock, [this]() WEFT_REQUIRES(mutex_) { return watching_ || stopping_; });
  }
}

void JobPool::handOverAged() noexcept {
  const size_t moved = handOverAged(lazy_) + handOverAged(probing_);
  // Also looks after ready jobs for which no worker could be started or woken.
  if (moved > 0 || ready_.first) wake(std::max<size_t>(moved, 1));
}

size_t JobPool::handOverAged(List& list) noexcept {
  size_t moved = 0;
  for (Job *job = list.first, *next = nullptr; job; job = next) {
    next = job->next_;
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

void JobPool::waitWhilePaused(MutexLock& lock) noexcept WEFT_NO_TSA {
  resumed_.wait(lock, [this] { return !paused_.load(std::memory_order_relaxed); });
}

/// Between two parts of a job: lets the forking thread see that this one is quiet.
void JobPool::leavePaused() noexcept {
  MutexLock lock(mutex_);
  --running_;
  quiet_.notifyAll();
  waitWhilePaused(lock);
  ++running_;
}

void JobPool::pause(std::chrono::milliseconds patience) noexcept WEFT_NO_TSA {
  MutexLock lock(mutex_);
  paused_.store(true, std::memory_order_relaxed);
  quiet_.waitFor(lock, patience, [this]() WEFT_REQUIRES(mutex_) { return running_ == 0; });
  lock.native().release();  // stays locked until resume()
}

void JobPool::resume() noexcept {
  paused_.store(false, std::memory_order_relaxed);
  resumed_.notifyAll();
  mutex_.unlock();
}

}  // namespace weft::runtime
