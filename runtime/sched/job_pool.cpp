// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sched/job_pool.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "sched/service_thread.h"

namespace weft::runtime {
namespace {

/// Lazily submitted jobs beyond this many go to the workers at once.
constexpr uint32_t kMaxLazyJobs = 256;

/// The pool whose worker is in a job's finished() on this thread; it looks for work right after,
/// so that submissions from there need no wake-up.
thread_local const JobPool* finishingWorkerOf = nullptr;

/// A thread takes at once a slot's share of the parts that are open, but no more than takes it so
/// many nanoseconds, for which what is more urgent waits (decision 0044). Guess.
constexpr uint64_t kTimeAtOnce = 200'000;

/// Nanoseconds for a part; 0: not known.
uint64_t expectedTime(const Job& job) noexcept {
  return job.partTime ? job.partTime->expected() : 0;
}

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
  assert(stateOf(job) == Idle && job.parts > 0 && job.parts <= UINT32_MAX);
  job.state_.store(generation_ << kGenerationShift | Idle, std::memory_order_relaxed);
  job.open_.open({0, static_cast<uint32_t>(job.parts)});
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
  if (!linked(job) || job.open_.all().size() != job.parts) return false;
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

/// Takes parts of a linked job, for which there is a slot; who takes the last takes the job out of
/// its list.
JobPool::Claim JobPool::claim(Job& job) noexcept {
  const auto [mine, isLast] = job.open_.take(partsAtOnce(job, expectedTime(job)));
  if (mine.isEmpty()) return {};  // whoever took the last part is about to unlink it
  if (isLast)
    unlink(job, Taken);
  else if (mine.first == 0)
    unlink(job, Starting);
  return {&job, mine};
}

/// Parts to take at once, of which each takes `pace` nanoseconds; 0: not known.
uint32_t JobPool::partsAtOnce(const Job& job, uint64_t pace) noexcept {
  const size_t slots = setOf(job).size();
  if (!job.takesRuns || pace == 0 || slots == 1) return 1;
  const uint64_t share = job.open_.all().size() / slots;
  return static_cast<uint32_t>(std::max<uint64_t>(std::min(share, kTimeAtOnce / pace), 1));
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
  return &set == &all_ ? freeCount() : set.slots().countCommon(free_);
}

Slot& JobPool::takeSlot(const SlotSet& set) noexcept {
  const unsigned index = set.slots().firstCommon(free_);
  free_.clear(index);
  setFreeCount(freeCount() - 1);
  ++running_;
  return *slots_[index];
}

void JobPool::releaseSlot(Slot& slot) noexcept {
  free_.set(slot.index());
  setFreeCount(freeCount() + 1);
  --running_;
  if (paused_.load(std::memory_order_relaxed)) quiet_.notifyAll();
}

void JobPool::runClaim(Claim claim, Slot& slot, bool onWorker) noexcept {
  Job& job = *claim.job;
  if (claim.parts.first == 0) {
    job.started();
    if (claim.parts.last != job.parts) publish(job);
  }
  Run run{*this, &slot, onWorker, current_};
  current_ = &run;
  const size_t ended = runParts(job, claim.parts, run);
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
  const uint64_t pace = expectedTime(job);
  const uint64_t helpers = helpersFor(job.parts - 1, pace, wakeUpTime_.worthWaking());
  MutexLock lock(mutex_);
  link(job, Starting, Probing);
  arm();  // a first part that takes long must not keep the others waiting
  if (pace == 0) hurry();
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

/// Runs `mine` and then whatever is left to take, unless a more urgent job needs the slot or the
/// run has lost it; returns how many parts that were. In a child of fork(), where nothing counts
/// any more, it returns after the part that forked.
size_t JobPool::runParts(Job& job, PartRange mine, const Run& run) noexcept {
  Slot& slot = *run.slot;
  const bool hasOthers = job.parts > 1 && setOf(job).size() > 1;
  const bool takesRuns = job.takesRuns && hasOthers;
  bool isProbing = mine.first == 0 && hasOthers;  // whether others are worth waking
  uint64_t pace = expectedTime(job);
  std::optional<Probe> watch;  // not of the smallest launches, where it would take a tenth
  if (hasOthers) watch.emplace();
  size_t watched = 0;    // parts that it has timed
  size_t measureAt = 1;  // doubles: reading the clock costs as much as a small part
  for (size_t ended = 0;;) {
    if (paused_.load(std::memory_order_relaxed)) [[unlikely]]
      leavePaused();
    job.runPart(mine.first, slot);
    ++mine.first;
    ++ended;
    ++watched;
    if (isAbandoned()) [[unlikely]]
      return ended;
    if (isProbing ? ended == measureAt : takesRuns && mine.isEmpty()) {
      pace = watch->elapsed() / watched;
      if (isProbing) {
        measureAt *= 2;
        if (job.partTime) job.partTime->measured(pace);
        isProbing = !recruitFor(job, mine.size(), pace);
      }
      if (!isProbing) {
        watch.emplace();
        watched = 0;
      }
    }
    if (!isProbing && mine.size() > 1 && !job.hasOpenParts()) share(job, mine, pace);
    if (!mine.isEmpty()) continue;
    if (!run.slot) [[unlikely]] {
      leaveRest(job);
      return ended;
    }
    if (ready_.mayPrecede(job.placement.priority)) [[unlikely]]
      if (makesWay(job, slot)) return ended;
    const uint32_t open = job.open_.all().size();
    // While nobody else has been woken something stays open for the watchdog to hand over.
    const uint32_t most = isProbing ? std::max(open / 2, 1U) : open;
    const OpenParts::Taken taken = job.open_.take(std::min(partsAtOnce(job, pace), most));
    if (taken.parts.isEmpty()) return ended;
    if (taken.isLast) {
      MutexLock lock(mutex_);
      unlink(job, Taken);
    }
    mine = taken.parts;
  }
}

/// Has others join a job whose parts take `pace` nanoseconds, if they are worth it. This thread has
/// `own` of them to run. False when it is to go on probing.
bool JobPool::recruitFor(Job& job, uint32_t own, uint64_t pace) noexcept {
  const uint64_t open = job.open_.all().size();
  const uint64_t helpers = helpersFor(open + own, pace, wakeUpTime_.worthWaking());
  if (helpers == 0) return false;
  MutexLock lock(mutex_);
  if (stateOf(job) == Probing) recruit(job, std::min(helpers, open));
  return true;
}

/// Opens half of the parts that this thread has taken and not begun, of which each takes `pace`
/// nanoseconds, if another has nothing to do. Pre: nothing is open, and there are two or more.
void JobPool::share(Job& job, PartRange& rest, uint64_t pace) noexcept {
  if (freeCount() == 0) return;
  const uint32_t half = rest.size() / 2;
  MutexLock lock(mutex_);
  // Else whoever has taken the last part is about to unlink the job, or another one has shared.
  if (stateOf(job) != Taken || freeIn(setOf(job)) == 0) return;
  job.open_.open({rest.last - half, rest.last});
  rest.last -= half;
  link(job, Taken, Ready);
  // A thread that waits for the job sees that there is something to do.
  if (helpersFor(half, pace, wakeUpTime_.worthWaking()) > 0) wakeFor(setOf(job), 1);
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

}  // namespace weft::runtime
