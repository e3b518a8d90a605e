// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/command_buffer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "queue/graph.h"
#include "queue/replay_command.h"

namespace weft {

CommandBuffer::CommandBuffer(Queue& queue, CommandBufferOptions options)
    : queue_(&queue), options_(std::move(options)) {}

khr::cl_command_buffer_state CommandBuffer::state() const noexcept {
  ObjectLock lock(mutex_);
  if (!plan_) return khr::kStateRecording;
  return plan_->isComplete() ? khr::kStateExecutable : khr::kStateFinalized;
}

// ---- Recording

Result<void> CommandBuffer::canRecordLocked(SyncPoints waits) const {
  WEFT_TRY_VOID(require(!plan_, CL_INVALID_OPERATION));
  const bool known =
      std::ranges::all_of(waits, [this](khr::cl_sync_point point) WEFT_REQUIRES(mutex_) {
        return point != 0 && point <= recording_.size();
      });
  WEFT_TRY_VOID(require(known, khr::kInvalidSyncPointWaitList));
  constexpr auto kMost = std::numeric_limits<khr::cl_sync_point>::max() - 1;
  return require(recording_.size() < kMost, CL_OUT_OF_RESOURCES);
}

Result<void> CommandBuffer::canRecord(SyncPoints waits) const {
  ObjectLock lock(mutex_);
  return canRecordLocked(waits);
}

std::vector<uint32_t> CommandBuffer::predecessors(Order order, SyncPoints waits) const {
  const auto count = static_cast<uint32_t>(recording_.size());
  std::vector<uint32_t> after;
  if (queue_->inOrder()) {
    // Which implies every sync point there is.
    if (count != 0) after.push_back(count - 1);
    return after;
  }
  if (order == Order::Barrier && waits.empty()) {
    for (uint32_t i = firstOpen_; i < count; ++i)
      if (!hasSuccessor_[i]) after.push_back(i);
    return after;
  }
  for (const khr::cl_sync_point point : waits) after.push_back(point - 1);
  std::ranges::sort(after);
  const auto [first, last] = std::ranges::unique(after);
  after.erase(first, last);
  // Everything since the last barrier comes after it, and so does what comes after that.
  if (afterBarrier_ != 0) {
    if (!after.empty() && after.back() >= afterBarrier_)
      std::erase(after, afterBarrier_ - 1);
    else if (after.empty() || after.back() != afterBarrier_ - 1)
      after.push_back(afterBarrier_ - 1);
  }
  return after;
}

Result<size_t> CommandBuffer::record(Ref<const Step> step, Order order, SyncPoints waits) {
  ObjectLock lock(mutex_);
  WEFT_TRY_VOID(canRecordLocked(waits));
  const size_t place = recording_.size();
  std::vector<uint32_t> after = predecessors(order, waits);
  hasSuccessor_.reserve(place + 1);
  recording_.push_back({std::move(step), std::move(after)});
  for (const uint32_t before : recording_.back().after) hasSuccessor_[before] = true;
  hasSuccessor_.push_back(false);
  if (order == Order::Barrier && waits.empty()) firstOpen_ = static_cast<uint32_t>(place);
  if (order == Order::Barrier) afterBarrier_ = static_cast<uint32_t>(place) + 1;
  return place;
}

void CommandBuffer::own(Ref<RefCounted> object) {
  ObjectLock lock(mutex_);
  owned_.push_back(std::move(object));
}

Result<void> CommandBuffer::finalize() {
  const unsigned slots = queue_->slots();
  ObjectLock lock(mutex_);
  WEFT_TRY_VOID(require(!plan_, CL_INVALID_OPERATION));
  auto plan = makeRef<runtime::StepPlan>(recording_);
  replays_ = makeRef<ReplayPool>(Ref<const runtime::StepGraph>(&plan->graph()), slots);
  plan_ = std::move(plan);
  recording_ = {};
  hasSuccessor_ = {};
  return {};
}

// ---- Replaying

Result<void> CommandBuffer::enqueue(Queue& queue, WaitList waits, cl_event* event) {
  Ref<const runtime::StepPlan> plan;
  Ref<ReplayPool> replays;
  {
    ObjectLock lock(mutex_);
    WEFT_TRY_VOID(require(plan_ && plan_->isComplete(), CL_INVALID_OPERATION));
    plan = plan_;
    replays = replays_;
  }
  Graph::instance().enqueue(makeRef<ReplayCommand>(queue, replays->take(), std::move(plan)), waits,
                            event);
  return {};
}

Result<void> CommandBuffer::update(CommandBufferUpdate& update) {
  // Preparing may compile kernels, so it is done without the lock.
  for (;;) {
    Ref<const runtime::StepPlan> old;  // released without the lock
    {
      ObjectLock lock(mutex_);
      old = plan_;
    }
    WEFT_TRY(const std::vector<runtime::StepPlan::Change> changes, update.prepare());
    Ref<const runtime::StepPlan> changed = old->with(changes);
    ObjectLock lock(mutex_);
    if (!(plan_ == old)) continue;
    plan_ = std::move(changed);
    update.commit();
    return {};
  }
}

}  // namespace weft
