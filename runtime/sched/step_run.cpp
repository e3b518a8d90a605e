// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/runtime/step_run.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "sched/probe.h"

namespace weft::runtime {
namespace {

/// A member that took this many times what its segments used to take, and then some, has shown
/// that the known costs no longer hold.
constexpr uint64_t kSurprise = 4;

/// A member gives its slot back after about this long, so that more urgent work can have it.
constexpr uint32_t kPauseAfter = 1'000'000;

/// Jobs that a helping thread looks at before it gives up.
constexpr size_t kMostHelped = 16;

/// As a cost: not 0, which is unknown, and saturated.
uint32_t asCost(uint64_t nanoseconds) noexcept {
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(nanoseconds, 1, std::numeric_limits<uint32_t>::max()));
}

}  // namespace

StepRun::StepRun(Ref<const StepGraph> graph, unsigned slots)
    : graph_(std::move(graph)),
      slots_(slots),
      segments_(graph_->segments().size()),
      members_(std::min<size_t>(segments_.size(), slots)) {
  for (size_t i = 0; i < segments_.size(); ++i) {
    segments_[i].run = this;
    segments_[i].index = static_cast<uint32_t>(i);
  }
  MutexLock lock(mutex_);
  for (Member& member : members_) {
    member.run = this;
    member.nextFree = std::exchange(freeMembers_, &member);
  }
}

void StepRun::start(Job& owner, const std::atomic<int32_t>& failure, Ref<const StepPlan> plan,
                    Executor& executor, Urgency urgency) noexcept {
  owner_ = &owner;
  failure_ = &failure;
  executor_ = &executor;
  plan_ = std::move(plan);
  // Of all jobs now, while nobody can be looking at them.
  for (Member& member : members_) member.placement = owner.placement;
  Member* first = nullptr;
  {
    MutexLock lock(mutex_);
    left_ = static_cast<uint32_t>(segments_.size());
    for (SegmentRun& segment : segments_) {
      const StepGraph::Segment& shape = graph_->segments()[segment.index];
      segment.unmet = shape.unmet;
      segment.next = shape.first;
      segment.placement = owner.placement;
      if (segment.unmet == 0) pushReady(segment);
    }
    first = first_ = takeMember();
    first->isFirst = true;
  }
  executor.submit(*first, urgency);
}

bool StepRun::help(Executor& executor) noexcept {
  std::array<Job*, kMostHelped> jobs;
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
                     [&executor](Job* job) { return executor.help(*job); });
}

bool StepRun::withdraw(Executor& executor) noexcept {
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

void StepRun::pushReady(SegmentRun& segment) noexcept {
  const uint32_t cost = graph_->cost(segment.index);
  segment.readyCost = cost != 0 ? cost : kWorthWaking;
  readyCost_ += segment.readyCost;
  segment.nextReady = nullptr;
  (lastReady_ ? lastReady_->nextReady : firstReady_) = &segment;
  lastReady_ = &segment;
}

StepRun::SegmentRun* StepRun::takeReady() noexcept {
  SegmentRun* const segment = firstReady_;
  if (segment == nullptr) return nullptr;
  readyCost_ -= segment->readyCost;
  firstReady_ = segment->nextReady;
  if (firstReady_ == nullptr) lastReady_ = nullptr;
  return segment;
}

bool StepRun::complete(SegmentRun& segment) noexcept {
  for (const uint32_t successor : graph_->segments()[segment.index].successors)
    if (--segments_[successor].unmet == 0) pushReady(segments_[successor]);
  return --left_ == 0;
}

StepRun::Member* StepRun::takeMember() noexcept {
  Member* const member = freeMembers_;
  if (member == nullptr) return nullptr;
  freeMembers_ = member->nextFree;
  member->submitted = true;
  retainInternal();  // given back when it is finished
  return member;
}

void StepRun::giveMember(Member& member) noexcept {
  member.submitted = false;
  member.nextFree = std::exchange(freeMembers_, &member);
}

StepRun::Member* StepRun::recruit() noexcept {
  return readyCost_ >= kWorthWaking ? takeMember() : nullptr;
}

// ---- Members

void StepRun::Member::started() noexcept {
  if (std::exchange(isFirst, false)) run->owner_->started();
}
void StepRun::Member::runPart(size_t, Slot& slot) noexcept { run->work(*this, slot); }
void StepRun::Member::finished() noexcept { run->memberFinished(*this); }

void StepRun::work(Member& member, Slot& slot) noexcept {
  const Probe probe;
  uint64_t expected = 0;
  bool isKnown = true;
  MutexLock lock(mutex_);
  if (first_ == &member) first_ = nullptr;
  while (SegmentRun* const segment = takeReady()) {
    Member* const recruited = recruit();
    lock.unlock();
    if (recruited) executor_->submit(*recruited, Urgency::Now);
    const uint32_t cost = graph_->cost(segment->index);
    const bool isWhole = segment->next == graph_->segments()[segment->index].first;
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
  if (isKnown && probe.elapsed() > kSurprise * expected + 2 * kWorthWaking) plan_->forgetCosts();
}

void StepRun::memberFinished(Member& member) noexcept {
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
  if (completes) owner_->finished();
  releaseInternal();
}

// ---- Steps

StepRun::Left StepRun::runSegment(SegmentRun& segment, Slot& slot) noexcept {
  std::optional<Probe> probe;
  if (graph_->cost(segment.index) == 0) probe.emplace();
  const Left left = runSteps(segment, slot);
  if (left == Left::Paused)
    graph_->setCost(segment.index, kPauseAfter);
  else if (probe && left == Left::Done && !hasFailed())
    graph_->setCost(segment.index, asCost(probe->elapsed()));
  return left;
}

StepRun::Left StepRun::runSteps(SegmentRun& segment, Slot& slot) noexcept {
  const uint32_t last = graph_->segments()[segment.index].last;
  const StepPlan& plan = *plan_;
  uint64_t spent = 0;
  for (uint32_t next = segment.next; next < last; ++next) {
    const Step& step = plan.step(next);
    const size_t parts = step.parts();
    if (parts == 0 || hasFailed()) continue;
    if (spent > kPauseAfter) {
      segment.next = next;
      return Left::Paused;
    }
    const uint32_t cost = step.cost();
    spent += cost;
    if (cost != 0 && (cost < kWorthWaking || parts == 1 || slots_ == 1)) {
      step.run(0, parts, slot, *owner_);
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
bool StepRun::runUnknownStep(SegmentRun& segment, const Step& step, Slot& slot) noexcept {
  const size_t parts = step.parts();
  const Probe probe;
  for (size_t done = 0, count = 1; done < parts; done += count, count = done) {
    if (done != 0 && slots_ > 1 && helpersFor(parts - done, probe.elapsed() / done) > 0) {
      step.setCost(asCost(probe.elapsed() / done * parts));
      makeWide(segment, done);
      return false;
    }
    count = std::min(count, parts - done);
    step.run(done, done + count, slot, *owner_);
  }
  step.setCost(asCost(probe.elapsed()));
  return true;
}

void StepRun::makeWide(SegmentRun& segment, size_t firstPart) noexcept {
  segment.widePart = firstPart;
  const Step& step = plan_->step(segment.next);
  segment.parts = step.parts() - firstPart;
  segment.takesRuns = step.takesRuns();
  graph_->setCost(segment.index, kWorthWaking);
  {
    MutexLock lock(mutex_);
    segment.isWide = true;
    ++wide_;
  }
  retainInternal();  // given back when the job is finished
  executor_->submit(segment, Urgency::Now);
}

void StepRun::SegmentRun::runPart(size_t part, Slot& slot) noexcept {
  if (run->hasFailed()) return;
  const Step& step = run->plan_->step(next);
  std::optional<Probe> probe;
  if (part == 0) probe.emplace();
  step.run(widePart + part, widePart + part + 1, slot, *run->owner_);
  // What the step is believed to cost follows what it does cost.
  if (probe) step.setCost(asCost(probe->elapsed() * step.parts()));
}

void StepRun::SegmentRun::finished() noexcept { run->wideFinished(*this); }

void StepRun::wideFinished(SegmentRun& segment) noexcept {
  bool isLast = false;
  Member* member = nullptr;
  {
    MutexLock lock(mutex_);
    segment.isWide = false;
    --wide_;
    if (++segment.next == graph_->segments()[segment.index].last)
      isLast = complete(segment);
    else
      pushReady(segment);
    if (firstReady_) member = takeMember();
  }
  // On a worker, it looks for work right after this; any other thread has come to help.
  if (member) executor_->submit(*member, Urgency::Lazy);
  if (isLast) owner_->finished();
  releaseInternal();
}

}  // namespace weft::runtime
