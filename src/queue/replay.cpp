// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/replay.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/clock.h"
#include "queue/command.h"

namespace weft {
namespace {

using runtime::Urgency;

/// Work that is worth the wake-up of one more thread: some times what a wake-up costs.
constexpr uint32_t kWorthWaking = 20'000;

/// A member that took this many times what its segments used to take, and then some, has shown
/// that the known costs no longer hold.
constexpr uint64_t kSurprise = 4;

/// A member gives its slot back after about this long, so that more urgent work can have it.
constexpr uint32_t kPauseAfter = 1'000'000;

/// Jobs that a helping thread looks at before it gives up.
constexpr size_t kMostHelped = 16;

/// As a cost: known, and not above what is told apart.
uint32_t asCost(uint64_t nanoseconds) noexcept {
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(nanoseconds, 1, std::numeric_limits<uint32_t>::max()));
}

}  // namespace

Replay::Replay(Ref<ReplayPool> pool, Ref<const ReplayShape> shape, unsigned slots)
    : pool_(std::move(pool)),
      shape_(std::move(shape)),
      slots_(slots),
      segments_(shape_->segments().size()),
      members_(std::min<size_t>(segments_.size(), slots)) {
  for (size_t i = 0; i < segments_.size(); ++i) {
    segments_[i].replay = this;
    segments_[i].index = static_cast<uint32_t>(i);
  }
  MutexLock lock(mutex_);
  for (Member& member : members_) {
    member.replay = this;
    member.nextFree = std::exchange(freeMembers_, &member);
  }
}

void Replay::destroy() const noexcept {
  plan_ = nullptr;
  device_ = nullptr;
  // The pool may go with this reference to it, and this replay with the pool.
  const Ref<ReplayPool> pool = std::move(pool_);
  pool->give(*this);
}

void Replay::start(Command& command, Ref<const ReplayPlan> plan, runtime::Executor& executor,
                   Urgency urgency) noexcept {
  command_ = &command;
  executor_ = &executor;
  device_ = Ref<Device>(&command.queue()->device());
  plan_ = std::move(plan);
  // Of all jobs now, while nobody can be looking at them.
  for (Member& member : members_) member.placement = command.placement;
  Member* first = nullptr;
  {
    MutexLock lock(mutex_);
    left_ = static_cast<uint32_t>(segments_.size());
    for (SegmentRun& segment : segments_) {
      const ReplayShape::Segment& shape = shape_->segments()[segment.index];
      segment.unmet = shape.unmet;
      segment.next = shape.first;
      segment.placement = command.placement;
      if (segment.unmet == 0) pushReady(segment);
    }
    first = first_ = takeMember();
    first->isFirst = true;
  }
  executor.submit(*first, urgency);
}

bool Replay::help(runtime::Executor& executor) noexcept {
  std::array<runtime::Job*, kMostHelped> jobs;
  size_t count = 0;
  {
    MutexLock lock(mutex_);
    for (Member& member : members_)
      if (member.submitted && count < jobs.size()) jobs[count++] = &member;
    uint32_t wide = wide_;
    for (size_t i = 0; wide > 0 && i < segments_.size(); ++i) {
      if (!segments_[i].isWide) continue;
      --wide;
      if (count < jobs.size()) jobs[count++] = &segments_[i];
    }
  }
  return std::any_of(jobs.begin(), jobs.begin() + count,
                     [&executor](runtime::Job* job) { return executor.help(*job); });
}

bool Replay::withdraw(runtime::Executor& executor) noexcept {
  {
    // Held meanwhile, so that the member cannot run and be submitted once more.
    MutexLock lock(mutex_);
    if (first_ == nullptr || !executor.withdraw(*first_)) return false;
    firstReady_ = lastReady_ = nullptr;
    readyCost_ = 0;
    first_->isFirst = false;
    giveMember(*std::exchange(first_, nullptr));
  }
  releaseInternal();
  return true;
}

// ---- Lists

void Replay::pushReady(SegmentRun& segment) noexcept {
  const uint32_t cost = shape_->cost(segment.index);
  segment.readyCost = cost != 0 ? cost : kWorthWaking;
  readyCost_ += segment.readyCost;
  segment.nextReady = nullptr;
  (lastReady_ ? lastReady_->nextReady : firstReady_) = &segment;
  lastReady_ = &segment;
}

Replay::SegmentRun* Replay::takeReady() noexcept {
  SegmentRun* const segment = firstReady_;
  if (segment == nullptr) return nullptr;
  readyCost_ -= segment->readyCost;
  firstReady_ = segment->nextReady;
  if (firstReady_ == nullptr) lastReady_ = nullptr;
  return segment;
}

bool Replay::complete(SegmentRun& segment) noexcept {
  for (const uint32_t successor : shape_->segments()[segment.index].successors)
    if (--segments_[successor].unmet == 0) pushReady(segments_[successor]);
  return --left_ == 0;
}

Replay::Member* Replay::takeMember() noexcept {
  Member* const member = freeMembers_;
  if (member == nullptr) return nullptr;
  freeMembers_ = member->nextFree;
  member->submitted = true;
  retainInternal();  // given back when it is finished
  return member;
}

void Replay::giveMember(Member& member) noexcept {
  member.submitted = false;
  member.nextFree = std::exchange(freeMembers_, &member);
}

Replay::Member* Replay::recruit() noexcept {
  return readyCost_ >= kWorthWaking ? takeMember() : nullptr;
}

// ---- Members

void Replay::Member::started() noexcept {
  if (std::exchange(isFirst, false)) replay->command_->started();
}
void Replay::Member::runPart(size_t, runtime::Slot& slot) noexcept { replay->work(*this, slot); }
void Replay::Member::finished() noexcept { replay->memberFinished(*this); }

void Replay::work(Member& member, runtime::Slot& slot) noexcept {
  const uint64_t begin = nowNanoseconds();
  uint64_t expected = 0;
  bool isKnown = true;
  MutexLock lock(mutex_);
  if (first_ == &member) first_ = nullptr;
  while (SegmentRun* const segment = takeReady()) {
    Member* const recruited = recruit();
    lock.unlock();
    if (recruited) executor_->submit(*recruited, Urgency::Now);
    const uint32_t cost = shape_->cost(segment->index);
    const bool isWhole = segment->next == shape_->segments()[segment->index].first;
    const Left left = runSegment(*segment, slot);
    expected += cost;
    isKnown = isKnown && isWhole && left == Left::Done && cost != 0;
    lock.lock();
    if (left == Left::Done && complete(*segment)) member.completes = true;
    if (left == Left::Paused) {
      pushReady(*segment);
      break;
    }
  }
  lock.unlock();
  if (isKnown && nowNanoseconds() - begin > kSurprise * expected + 2 * kWorthWaking)
    plan_->forgetCosts();
}

void Replay::memberFinished(Member& member) noexcept {
  const bool completes = std::exchange(member.completes, false);
  bool again = false;
  {
    MutexLock lock(mutex_);
    // What has become ready since this member found nothing, when there was no other to run it.
    again = firstReady_ != nullptr;
    if (!again) giveMember(member);
  }
  if (again) {
    executor_->submit(member, Urgency::Lazy);
    return;
  }
  if (completes) command_->finished();
  releaseInternal();
}

// ---- Steps

Replay::Left Replay::runSegment(SegmentRun& segment, runtime::Slot& slot) noexcept {
  const bool measures = shape_->cost(segment.index) == 0;
  const uint64_t begin = measures ? nowNanoseconds() : 0;
  const Left left = runSteps(segment, slot);
  if (left == Left::Paused)
    shape_->setCost(segment.index, kPauseAfter);
  else if (measures && left == Left::Done && !command_->hasFailed())
    shape_->setCost(segment.index, asCost(nowNanoseconds() - begin));
  return left;
}

Replay::Left Replay::runSteps(SegmentRun& segment, runtime::Slot& slot) noexcept {
  const uint32_t last = shape_->segments()[segment.index].last;
  const ReplayPlan& plan = *plan_;
  uint64_t spent = 0;
  for (uint32_t next = segment.next; next < last; ++next) {
    const Step& step = plan.step(next);
    const size_t parts = step.parts();
    if (parts == 0 || command_->hasFailed()) continue;
    if (spent > kPauseAfter) {
      segment.next = next;
      return Left::Paused;
    }
    const uint32_t cost = step.cost();
    spent += cost;
    if (cost != 0 && (cost < kWorthWaking || parts == 1 || slots_ == 1)) {
      step.run(0, parts, slot, *command_);
      continue;
    }
    segment.next = next;
    if (cost != 0) makeWide(segment, 0);
    if (cost != 0 || !runUnknownStep(segment, step, slot)) return Left::Wide;
    spent += step.cost();
  }
  return Left::Done;
}

/// Runs more and more parts at once while what is left is not worth a second thread.
bool Replay::runUnknownStep(SegmentRun& segment, const Step& step, runtime::Slot& slot) noexcept {
  const size_t parts = step.parts();
  const uint64_t begin = nowNanoseconds();
  uint64_t spent = 0;
  for (size_t done = 0, count = 1; done < parts; done += count, count = done) {
    if (done != 0 && slots_ > 1 && spent / done * (parts - done) > kWorthWaking) {
      step.setCost(asCost(spent / done * parts));
      makeWide(segment, done);
      return false;
    }
    count = std::min(count, parts - done);
    step.run(done, done + count, slot, *command_);
    spent = nowNanoseconds() - begin;
  }
  step.setCost(asCost(spent));
  return true;
}

void Replay::makeWide(SegmentRun& segment, size_t firstPart) noexcept {
  segment.widePart = firstPart;
  segment.parts = plan_->step(segment.next).parts() - firstPart;
  shape_->setCost(segment.index, kWorthWaking);
  {
    MutexLock lock(mutex_);
    segment.isWide = true;
    ++wide_;
  }
  retainInternal();  // given back when the job is finished
  executor_->submit(segment, Urgency::Now);
}

void Replay::SegmentRun::runPart(size_t part, runtime::Slot& slot) noexcept {
  Command& command = *replay->command_;
  if (command.hasFailed()) return;
  const Step& step = replay->plan_->step(next);
  const uint64_t begin = part == 0 ? nowNanoseconds() : 0;
  step.run(widePart + part, widePart + part + 1, slot, command);
  // What the step is believed to cost follows what it does cost.
  if (part == 0) step.setCost(asCost((nowNanoseconds() - begin) * step.parts()));
}

void Replay::SegmentRun::finished() noexcept { replay->wideFinished(*this); }

void Replay::wideFinished(SegmentRun& segment) noexcept {
  bool isLast = false;
  Member* member = nullptr;
  {
    MutexLock lock(mutex_);
    segment.isWide = false;
    --wide_;
    if (++segment.next == shape_->segments()[segment.index].last)
      isLast = complete(segment);
    else
      pushReady(segment);
    if (firstReady_) member = takeMember();
  }
  // On a worker, it looks for work right after this; any other thread has come to help.
  if (member) executor_->submit(*member, Urgency::Lazy);
  if (isLast) command_->finished();
  releaseInternal();
}

// ---- ReplayPool

Ref<Replay> ReplayPool::take() {
  {
    ObjectLock lock(mutex_);
    if (Replay* const replay = free_) {
      free_ = std::exchange(replay->nextFree_, nullptr);
      replay->resurrect();
      replay->pool_ = Ref<ReplayPool>(this);
      return Ref<Replay>::adopt(replay);
    }
  }
  return makeRef<Replay>(Ref<ReplayPool>(this), shape_, slots_);
}

void ReplayPool::give(const Replay& replay) noexcept {
  ObjectLock lock(mutex_);
  replay.nextFree_ = std::exchange(free_, const_cast<Replay*>(&replay));
}

ReplayPool::~ReplayPool() {
  while (free_ != nullptr) delete std::exchange(free_, free_->nextFree_);
}

}  // namespace weft
