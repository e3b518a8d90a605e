// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/sub_group_meetings.h"

#include <algorithm>
#include <compare>
#include <new>

#include "weft/support/checked.h"

namespace weft::runtime {
namespace {

std::strong_ordering order(const abi::SubGroupMeeting& a, const abi::SubGroupMeeting& b) noexcept {
  return std::lexicographical_compare_three_way(a.instance, a.instance + a.instanceWords,
                                                b.instance, b.instance + b.instanceWords);
}

}  // namespace

bool SubGroupMeetings::reserve(size_t items) noexcept {
  try {
    members_.reserve(items);
    subGroups_.reserve(divideUp<size_t>(items, abi::kSubGroupSizes.front()));
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

void SubGroupMeetings::begin(size_t items, uint32_t subGroupSize) noexcept {
  size_ = subGroupSize;
  members_.assign(items, Member{});
  subGroups_.assign(divideUp<size_t>(items, size_), SubGroup{});
  for (size_t i = 0; i < subGroups_.size(); ++i)
    subGroups_[i].running = static_cast<uint32_t>(membersOf(i).size());
}

std::span<SubGroupMeetings::Member> SubGroupMeetings::membersOf(size_t subGroup) noexcept {
  const size_t first = subGroup * size_;
  return std::span(members_).subspan(first, std::min<size_t>(size_, members_.size() - first));
}

SubGroupMeetings::Arrival SubGroupMeetings::arrive(size_t item,
                                                   abi::SubGroupMeeting& meeting) noexcept {
  Member& member = members_[item];
  member.state = State::Waiting;
  member.meeting = &meeting;
  SubGroup& group = subGroups_[item / size_];
  --group.running;
  ++group.waiting;
  Arrival arrival;
  arrival.met = meetIfComplete(item / size_);
  if (member.state == State::Waiting) arrival.left = &member.context;
  return arrival;
}

std::span<const uint32_t> SubGroupMeetings::leave(size_t item, bool forGood) noexcept {
  members_[item].state = forGood ? State::Ended : State::AtBarrier;
  --subGroups_[item / size_].running;
  return meetIfComplete(item / size_);
}

void SubGroupMeetings::nextRound() noexcept {
  for (size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].state != State::AtBarrier) continue;
    members_[i].state = State::Running;
    ++subGroups_[i / size_].running;
  }
}

std::span<const uint32_t> SubGroupMeetings::meetIfComplete(size_t subGroup) noexcept {
  SubGroup& group = subGroups_[subGroup];
  if (group.running != 0 || group.waiting == 0) return {};
  const std::span<Member> members = membersOf(subGroup);
  const abi::SubGroupMeeting* first = nullptr;
  for (const Member& member : members)
    if (member.state == State::Waiting && (!first || order(*member.meeting, *first) < 0))
      first = member.meeting;
  uint64_t active = 0;
  uint32_t count = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    if (members[i].state != State::Waiting || order(*members[i].meeting, *first) != 0) continue;
    active |= uint64_t{1} << i;
    met_[count++] = static_cast<uint32_t>(subGroup * size_ + i);
  }
  for (uint32_t k = 0; k < count; ++k) {
    abi::SubGroupMeeting& meeting = *members_[met_[k]].meeting;
    meeting.active = active;
    for (size_t i = 0; i < size_; ++i)
      meeting.values[i] = (active >> i) & 1 ? members[i].meeting->value : 0;
  }
  for (uint32_t k = 0; k < count; ++k) members_[met_[k]].state = State::Running;
  group.running = count;
  group.waiting -= count;
  return {met_, count};
}

}  // namespace weft::runtime
