// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fiber/fiber.h"
#include "weft/abi/sub_group.h"
#include "weft/abi/work_group.h"

namespace weft::runtime {

/// Who of a work-group waits for the others of its sub-group, where each work-item has a fiber.
///
/// When nobody of a sub-group runs any more, those who wait at the call that comes first meet: all
/// who can ever come to it have come, since calls only follow each other in that order.
///
/// States of a member: Running -> Waiting (in a call) -> Running (met); Running -> AtBarrier (of
/// the whole group) -> Running (next round); Running -> Ended. Threads: one at a time.
class SubGroupMeetings {
 public:
  /// Has memory for groups of up to `items`. False when there is none.
  bool reserve(size_t items) noexcept;
  /// For the work-items of a new group. Pre: reserve() for so many.
  void begin(size_t items, uint32_t subGroupSize) noexcept;

  /// The work-item's place in its group.
  static size_t linearId(const abi::WorkItem& item) noexcept {
    const uint64_t* id = item.localId;
    const uint64_t* size = item.group->localSize;
    return static_cast<size_t>((id[2] * size[1] + id[1]) * size[0] + id[0]);
  }

  /// The member comes to a call. Where it waits its context belongs into the result's `left`.
  /// `met` are those who go on, if any, in their order.
  struct Arrival {
    FiberContext* left = nullptr;
    std::span<const uint32_t> met;
  };
  Arrival arrive(size_t item, abi::SubGroupMeeting& meeting) noexcept;
  /// The member comes to a barrier of the group, or ends. Those who go on.
  std::span<const uint32_t> leave(size_t item, bool forGood) noexcept;
  /// All live members have come to a barrier of the group, and go on.
  void nextRound() noexcept;

  FiberContext& context(size_t item) noexcept { return members_[item].context; }

 private:
  enum class State : uint8_t { Running, Waiting, AtBarrier, Ended };
  struct Member {
    State state = State::Running;
    abi::SubGroupMeeting* meeting = nullptr;
    FiberContext context;
  };
  struct SubGroup {
    uint32_t running = 0;
    uint32_t waiting = 0;
  };

  std::span<Member> membersOf(size_t subGroup) noexcept;
  std::span<const uint32_t> meetIfComplete(size_t subGroup) noexcept;

  uint32_t size_ = 1;
  std::vector<Member> members_;
  std::vector<SubGroup> subGroups_;
  uint32_t met_[abi::kMaxSubGroupSize];
};

}  // namespace weft::runtime
