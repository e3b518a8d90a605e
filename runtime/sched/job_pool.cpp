// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sched/job_pool.h"

#include <sched.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "sched/service_thread.h"
#include "weft/support/spin_wait.h"

namespace weft::runtime {
namespace {

/// Lazily submitted jobs beyond this many go to the workers at once.
constexpr uint32_t kMaxLazyJobs = 256;

/// The pool whose worker is in a job's finished() on this thread; it looks for work right after,
/// so that submissions from there need no wake-up.
thread_local const JobPool* finishingWorkerOf = nullptr;

SlotMask everySlot(unsigned slots) {
  SlotMask mask(slots);
  for (unsigned i = 0; i < slots; ++i) mask.set(i);
  return mask;
}

}  // namespace

thread_local JobPool::Run* JobPool::current_ = nullptr;

JobPool::JobPool(std::vector<std::unique_ptr<Slot>> slots, CpuMask home, unsigned cpus,
                 uint32_t generation)
    // Where every CPU is needed for work a spinning thread takes what it waits for.
    : maySpin_(slots.size() <= cpus),
      generation_(generation),
      slots_(std::move(slots)),
      home_(std::move(home)),
      all_(everySlot(this->slots()), this->slots(), CpuMask{}),
      ready_(generation),
      free_(all_.slots()),
      freeCount_(slots_.size()) {
  assert(!slots_.empty());
  MutexLock lock(mutex_);
  // Nothing may throw once work is accepted.
  workers_.reserve(slots_.size());
  parked_.reserve(slots_.size());
}

JobPool::~JobPool() {
  MutexLock lock(mutex_);
  assert(running_ == 0 && lazy_.empty() && probing_.empty());
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

SlotSet& JobPool::setOf(const Job& job) noexcept {
  return job.placement.workers ? static_cast<SlotSet&>(*job.placement.workers) : all_;
}

bool JobPool::linked(const Job& job) const noexcept {
  const State state = stateOf(job);
  return state == Lazy || state == Probing || state == Ready;
}

void JobPool::link(Job& job, State from, State to) noexcept {
  assert(to == Lazy || to == Probing || to == Ready);
  setState(job, from, to);
  if (to == Ready) {
    ready_.push(job, setOf(job));
    readyEpoch_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  (to == Lazy ? lazy_ : probing_).push(job);
  if (to == Lazy)
    lazyCount_.store(lazyCount_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void JobPool::unlink(Job& job, State to) noexcept {
  const State from = stateOf(job);
  if (from == Ready)
    ready_.remove(job, setOf(job));
  else
    (from == Lazy ? lazy_ : probing_).remove(job);
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
  for (; !lazy_.empty(); ++moved) moveToReady(*lazy_.first());
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
    wakeFor(setOf(job), 1);
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
  const SlotSet& set = setOf(job);
  const bool elsewhere = set.isPinned() && !set.cpus().holdsThisThread();
  MutexLock lock(mutex_);
  if (paused_.load(std::memory_order_relaxed)) waitWhilePaused(lock);
  if (!linked(job)) return false;
  // Where there is no slot, whoever gives one back finds the job.
  if (elsewhere || freeIn(set) == 0) return leaveToWorkers(job);
  if (ready_.mayPrecede(job.placement.priority) &&
      ready_.competesFor(set, job.placement.priority, free_))
    return leaveToWorkers(job);
  const Claim mine = claim(job);
  if (!mine.job) return false;
  Slot& slot = takeSlot(set);
  lock.unlock();
  runClaim(mine, slot, false);
  return true;
}

bool JobPool::withdraw(Job& job) noexcept {
  MutexLock lock(mutex_);
  if (!linked(job) || job.cursor_.load(std::memory_order_relaxed) != 0) return false;
  unlink(job, Idle);
  return true;
}

/// A linked job that the calling thread cannot help with; returns false.
bool JobPool::leaveToWorkers(Job& job) noexcept {
  if (stateOf(job) != Ready) moveToReady(job);
  wakeFor(setOf(job), 1);
  return false;
}

// ---- Running

/// Takes a part of a linked job, for which there is a slot; the last part takes the job out of its
/// list.
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
  while (Job* job = ready_.next(free_))
    if (const Claim mine = claim(*job); mine.job) return mine;
  for (Job* job = probing_.first(); job; job = JobList::next(*job))
    if (freeIn(setOf(*job)) != 0)
      if (const Claim mine = claim(*job); mine.job) return mine;
  return {};
}

size_t JobPool::freeIn(const SlotSet& set) const noexcept {
  return &set == &all_ ? freeCount_ : set.slots().countCommon(free_);
}

Slot& JobPool::takeSlot(const SlotSet& set) noexcept {
  const unsigned index = set.slots().firstCommon(free_);
  free_.clear(index);
  --freeCount_;
  ++running_;
  return *slots_[index];
}

void JobPool::releaseSlot(Slot& slot) noexcept {
  free_.set(slot.index());
  ++freeCount_;
  --running_;
  if (paused_.load(std::memory_order_relaxed)) quiet_.notifyAll();
}

void JobPool::runClaim(Claim claim, Slot& slot, bool onWorker) noexcept {
  Job& job = *claim.job;
  if (claim.part == 0) {
    job.started();
    if (job.parts > 1) publish(job);
  }
  Run run{*this, &slot, onWorker, current_};
  current_ = &run;
  const size_t ended = runParts(job, claim.part, run);
  current_ = run.outer;
  if (isAbandoned()) return;
  {
    MutexLock lock(mutex_);
    if (run.slot)
      releaseSlot(*run.slot);
    else if (onWorker)
      --slotless_;
    if (!onWorker && ready_.any(free_)) wake(1);
  }
  if (job.remaining_.fetch_sub(ended, std::memory_order_acq_rel) != ended) return;
  setState(job, Taken, Idle);
  if (onWorker) finishingWorkerOf = this;
  job.finished();
  finishingWorkerOf = nullptr;
}

/// Makes the parts of a job that has begun visible to others.
void JobPool::publish(Job& job) noexcept {
  const uint64_t partTime = job.partTime ? job.partTime->expected() : 0;
  const uint64_t helpers = helpersFor(job.parts - 1, partTime, wakeUpTime_.worthWaking());
  MutexLock lock(mutex_);
  link(job, Starting, Probing);
  arm();  // a first part that takes long must not keep the others waiting
  if (partTime == 0) hurry();
  if (helpers > 0) recruit(job, helpers);
}

void JobPool::releaseSlots() noexcept {
  bool holdsAny = false;
  for (const Run* run = current_; run; run = run->outer)
    holdsAny = holdsAny || (&run->pool == this && run->slot);
  if (!holdsAny) return;
  MutexLock lock(mutex_);
  for (Run* run = current_; run; run = run->outer) {
    if (&run->pool != this || !run->slot) continue;
    releaseSlot(*std::exchange(run->slot, nullptr));
    if (run->onWorker) ++slotless_;
  }
  if (ready_.any(free_)) wake(1);
}

/// Runs `part` and then whatever is left to take, unless a more urgent job needs the slot or the
/// run has lost it; returns how many parts that were. In a child of fork(), where nothing counts
/// any more, it returns after the part that forked.
size_t JobPool::runParts(Job& job, size_t part, const Run& run) noexcept {
  Slot& slot = *run.slot;
  const size_t parts = job.parts;
  const Priority priority = job.placement.priority;
  std::optional<Probe> probe;
  if (part == 0 && parts > 1 && setOf(job).size() > 1) probe.emplace();
  size_t measureAt = 1;  // doubles: reading the clock costs as much as a small part
  for (size_t ended = 0;;) {
    if (paused_.load(std::memory_order_relaxed)) [[unlikely]]
      leavePaused();
    job.runPart(part, slot);
    ++ended;
    if (isAbandoned()) [[unlikely]]
      return ended;
    uint64_t time = 0;
    if (probe && ended == measureAt) {
      measureAt *= 2;
      time = probe->elapsed() / ended;
      if (job.partTime) job.partTime->measured(time);
    }
    if (!run.slot) [[unlikely]] {
      leaveRest(job);
      return ended;
    }
    if (ready_.mayPrecede(priority)) [[unlikely]]
      if (makesWay(job, slot)) return ended;
    part = job.cursor_.load(std::memory_order_relaxed);
    if (part < parts) part = job.cursor_.fetch_add(1, std::memory_order_relaxed);
    if (part >= parts) return ended;
    if (part + 1 == parts) {
      MutexLock lock(mutex_);
      unlink(job, Taken);
      probe.reset();
    } else if (const uint64_t helpers = helpersFor(parts - part, time, wakeUpTime_.worthWaking());
               helpers > 0) {
      MutexLock lock(mutex_);
      if (stateOf(job) == Probing) recruit(job, std::min<uint64_t>(helpers, parts - part - 1));
      probe.reset();
    }
  }
}

/// For a thread that ran parts of a job and may run no more of them.
void JobPool::leaveRest(Job& job) noexcept {
  MutexLock lock(mutex_);
  if (!linked(job)) return;
  if (stateOf(job) == Probing) moveToReady(job);
  wakeFor(setOf(job), 1);
}

/// Has others join a job that is probing.
void JobPool::recruit(Job& job, uint64_t helpers) noexcept {
  moveToReady(job);
  // Two here; each of them wakes another while there is work.
  wakeFor(setOf(job), std::min<uint64_t>(helpers, 2));
}

/// Between two parts: whether the slot is to be given up, what is left of the job being ready.
bool JobPool::makesWay(Job& job, const Slot& slot) noexcept {
  MutexLock lock(mutex_);
  if (!linked(job) || !ready_.waitsFor(slot.index(), job.placement.priority, free_)) return false;
  if (stateOf(job) == Probing) moveToReady(job);
  return true;
}

// ---- Workers

/// As wake(), for jobs of one set: more threads than it has free slots are of no use.
void JobPool::wakeFor(const SlotSet& set, size_t count) noexcept {
  wake(std::min(count, freeIn(set)));
}

/// Makes sure that up to `count` more workers look for work, as far as there are slots.
void JobPool::wake(size_t count) noexcept {
  count = std::min(count, freeCount_);
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
    const Claim mine = freeCount_ == 0 ? Claim{} : claimAny();
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
