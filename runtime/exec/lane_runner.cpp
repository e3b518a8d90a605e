// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/lane_runner.h"

#include <immintrin.h>

#include <cassert>
#include <cstring>
#include <new>

#include "weft/abi/services.h"

namespace weft::runtime {

bool LaneRunner::prepare(size_t lanes, uint64_t frameBytes) noexcept {
  if (!ring_) ring_.reset(new (std::nothrow) FiberContext[maxLanes_ + 1]);
  lanes_ = ring_ ? pool_.acquire(lanes, frameBytes) : nullptr;
  return lanes_ != nullptr;
}

bool LaneRunner::provideCells(uint64_t items) noexcept {
  if (items <= cellItems_) return true;
  const uint64_t bytes = abi::kCollectiveAreas * cellBytes(items);
  cellItems_ = 0;
  cells_.reset(static_cast<uint8_t*>(std::aligned_alloc(abi::kLocalMemoryAlignment, bytes)));
  if (!cells_) return false;
  cellItems_ = items;
  std::memset(collectiveArrivals(), 0, items);
  return true;
}

void LaneRunner::fillRing(size_t lanes) noexcept {
  for (size_t i = 0; i < lanes; ++i) ring_[i] = lanes_->lane(i).context();
  live_ = lanes;
  read_ = 0;
  written_ = 0;
}

void LaneRunner::fillItems(const abi::Group& group, size_t lanes, uint32_t width) noexcept {
  uint64_t x = 0, y = 0, z = 0;
  for (size_t i = 0; i < lanes; ++i) {
    abi::WorkItem& item = lanes_->lane(i).item;
    item.group = &group;
    item.localId[0] = x;
    item.localId[1] = y;
    item.localId[2] = z;
    item.globalId[0] = group.globalBase[0] + x;
    item.globalId[1] = group.globalBase[1] + y;
    item.globalId[2] = group.globalBase[2] + z;
    item.privateEnd = lanes_->lane(i).stack.top;
    x += width;
    if (x < group.localSize[0]) continue;
    x = 0;
    if (++y == group.localSize[1]) {
      y = 0;
      ++z;
    }
  }
}

Divergence LaneRunner::run(const GroupCode& code, const abi::Group& group,
                           uint32_t mxcsr) noexcept {
  const auto lanes = static_cast<size_t>(lanesOf(group.localSize, code.width));
  assert(lanes_ && lanes > 0 && lanes <= lanes_->capacity());
  assert(code.subGroupSize == 0 || code.width == 1);
  itemEntry_ = code.entry;
  groupEntry_ = nullptr;
  mxcsr_ = mxcsr;
  subGroupSize_ = code.subGroupSize;
  if (meetsInSubGroups()) meetings_.begin(lanes, subGroupSize_);
  fillItems(group, lanes, code.width);
  fillRing(lanes);
  enterLanes();
  if (divergence_.kind != Divergence::Kind::None) {
    lanes_->reset(lanes, &LaneRunner::laneBody);
    if (cells_) std::memset(collectiveArrivals(), 0, cellItems_);
  }
  return divergence_;
}

void LaneRunner::call(abi::GroupEntry entry, const abi::Group& group, uint32_t mxcsr) noexcept {
  assert(lanes_);
  itemEntry_ = nullptr;
  groupEntry_ = entry;
  subGroupSize_ = 0;
  group_ = &group;
  mxcsr_ = mxcsr;
  fillRing(1);
  enterLanes();
}

/// Leaves the thread's stack for the first lane; back when all lanes have ended or the group
/// was given up. In between it serves the requests of lanes.
void LaneRunner::enterLanes() noexcept {
  divergence_ = {};
  roundBarrier_ = kNoBarrier;
  anyEnded_ = false;
  onLanes_ = true;
  thread_.adoptThread();
  running_ = thread_.identity();
  Fiber::switchTo(thread_.context(), takeNext(), running_);
  while (request_) {
    std::exchange(request_, nullptr)(requestArgument_);
    Fiber::switchTo(thread_.context(), waiting_, running_);
  }
  onLanes_ = false;
}

void LaneRunner::onThreadStack(ThreadFunction function, void* argument) noexcept {
  if (!onLanes_) return function(argument);
  request_ = function;
  requestArgument_ = argument;
  Fiber::switchTo(waiting_, thread_.context(), running_);
}

void LaneRunner::laneBody(Fiber& self) noexcept {
  auto& lane = static_cast<Lane&>(self);
  for (;;) {
    lane.runner->runItem(lane);
    lane.runner->ended(lane);
  }
}

void LaneRunner::runItem(Lane& lane) noexcept {
  // A switch brings back the control state that the fiber had when it was left, which is that
  // of an earlier launch.
  if (lane.mxcsr != mxcsr_) {
    _mm_setcsr(mxcsr_);
    lane.mxcsr = mxcsr_;
  }
  if (itemEntry_)
    itemEntry_(&lane.item);
  else
    groupEntry_(group_);
}

void LaneRunner::ended(Lane& lane) {
  if (strict_ && roundBarrier_ != kNoBarrier) {
    divergence_ = {Divergence::Kind::EarlyReturn, roundBarrier_, roundBarrier_};
    giveUp();
  }
  anyEnded_ = true;
  if (meetsInSubGroups())
    putBack(meetings_.leave(SubGroupMeetings::linearId(lane.item), /*forGood=*/true));
  // The others may all have arrived by now, and this one counts as arrived.
  if (read_ == live_) nextRound();
  // Comes back when the lane is read from the ring of another group.
  Fiber::switchTo(lane.context(), live_ == 0 ? thread_.context() : takeNext(), running_);
}

/// Lanes that have met go on in this round. They have been read and not been written, so that there
/// is room before the next one.
void LaneRunner::putBack(std::span<const uint32_t> met) noexcept {
  assert(read_ >= written_ + met.size());
  for (size_t i = met.size(); i-- > 0;) ring_[--read_] = meetings_.context(met[i]);
}

void LaneRunner::meetSubGroup(const abi::WorkItem& item, abi::SubGroupMeeting& meeting) {
  const size_t self = SubGroupMeetings::linearId(item);
  const SubGroupMeetings::Arrival arrival = meetings_.arrive(self, meeting);
  if (!arrival.left) {  // met: the others wait for their turn
    for (size_t i = arrival.met.size(); i-- > 0;)
      if (arrival.met[i] != self) ring_[--read_] = meetings_.context(arrival.met[i]);
    return;
  }
  putBack(arrival.met);
  assert(read_ < live_ && "somebody of the sub-group runs, or has met");
  Fiber::switchTo(*arrival.left, takeNext(), running_);
}

void LaneRunner::abandon(uint32_t id) noexcept {
  if (roundBarrier_ == kNoBarrier)
    divergence_ = {Divergence::Kind::EarlyReturn, id, id};
  else
    divergence_ = {Divergence::Kind::DifferentBarriers, roundBarrier_, id};
  giveUp();
}

void LaneRunner::diverged(uint32_t first, uint32_t second) noexcept {
  divergence_ = {Divergence::Kind::DifferentBarriers, first, second};
  giveUp();
}

void LaneRunner::giveUp() noexcept {
  Fiber::switchTo(waiting_, thread_.context(), running_);
  __builtin_unreachable();  // the frames of this lane are dropped
}

}  // namespace weft::runtime
