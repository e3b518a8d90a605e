// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

#include "exec/lane_pool.h"
#include "exec/sub_group_meetings.h"
#include "weft/abi/work_group.h"
#include "weft/support/checked.h"

namespace weft::runtime {

/// Why a work-group was given up.
struct Divergence {
  enum class Kind : uint8_t {
    None,
    DifferentBarriers,  ///< live work-items wait at two barriers
    EarlyReturn,        ///< strict mode: a work-item ended while others wait at a barrier
  };
  Kind kind = Kind::None;
  uint32_t firstBarrier = 0;   ///< where the others wait
  uint32_t secondBarrier = 0;  ///< DifferentBarriers: where the last one arrived
};

/// Runs the lanes of one work-group at a time on the thread that called run().
///
/// A group runs in rounds. In each round every live lane runs from one barrier to the next, in
/// the order of the work-items; a lane that arrives hands over to the next one directly. The
/// contexts of the waiting lanes stand next to each other in a ring: those who arrive are written
/// from its start, behind the place where the next one to run is read. When all have been read
/// the round is complete, and what was written are the lanes of the next one. A lane that ends
/// is not written any more, which counts as its arrival at every later barrier.
///
/// Where work-items meet in sub-groups, a lane that waits for others of its own is not in the ring
/// meanwhile, which has room: those who have met are put back before the next one to run.
///
/// States of a lane: Parked (between two groups, in the body's loop) -> Running (read from the
/// ring) <-> AtBarrier (written to the ring); Running -> Parked (its work-items have ended).
/// When a group is given up every lane goes back to Parked, its frames dropped.
/// Ownership: owns its lanes through the pool.
/// Threads: one at a time; barrier() only on a lane that run() started.
class LaneRunner {
 public:
  using ThreadFunction = void (*)(void* argument) noexcept;

  LaneRunner(const LaneLimits& limits, bool strict) noexcept
      : strict_(strict), maxLanes_(limits.maxLanes), pool_(limits, *this, &LaneRunner::laneBody) {}
  LaneRunner(const LaneRunner&) = delete;
  LaneRunner& operator=(const LaneRunner&) = delete;

  /// Makes lanes ready for run() and call(); they stay until the next prepare. False when the
  /// stacks cannot be had.
  bool prepare(size_t lanes, uint64_t frameBytes) noexcept;

  /// Makes room for what the work-items of a group hand to collective functions. False when there
  /// is none to be had.
  bool provideCells(uint64_t items) noexcept;
  /// See abi::Group.
  uint8_t* collectiveCells() noexcept { return cells_.get(); }
  uint8_t* collectiveArrivals() noexcept { return cells_.get() + cellBytes(cellItems_); }

  /// Lanes of a group of these sizes: lane groups of up to `width` work-items of one row.
  static uint64_t lanesOf(const uint64_t (&localSize)[3], uint32_t width) noexcept {
    return divideUp<uint64_t>(localSize[0], width) * localSize[1] * localSize[2];
  }

  /// Makes sub-groups of so many work-items ready as well. False when there is no memory.
  bool prepareSubGroups(size_t items) noexcept { return meetings_.reserve(items); }

  /// What a group is run with.
  struct GroupCode {
    abi::ItemEntry entry;
    uint32_t width = 1;         ///< work-items to a lane
    uint32_t subGroupSize = 0;  ///< of work-items that meet in sub-groups; 0 where none do
  };
  /// Runs one group. Pre: prepare() for its lanes; prepareSubGroups() where they meet, and then
  /// width 1.
  Divergence run(const GroupCode& code, const abi::Group& group, uint32_t mxcsr) noexcept;

  /// Runs a group-loop or flat entry on a guarded stack. Pre: prepare().
  void call(abi::GroupEntry entry, const abi::Group& group, uint32_t mxcsr) noexcept;

  /// weft_barrier. Returns in the round after; never, when the group is given up.
  void barrier(uint32_t id) {
    if (roundBarrier_ != id) [[unlikely]] {
      if (roundBarrier_ != kNoBarrier || (strict_ && anyEnded_)) abandon(id);
      roundBarrier_ = id;
    }
    FiberContext& left = ring_[written_++];
    if (read_ == live_ && !nextRound()) {  // alone
      read_ = 1;
      written_ = 0;
      return;
    }
    Fiber::switchTo(left, takeNext(), running_);
  }

  /// weft_collective. The first lane of a round runs before any other does.
  uint64_t collective(const abi::Group& group, uint32_t id, abi::CollectiveEntry combine,
                      uint32_t area) {
    barrier(id);
    if (read_ == 1)
      collected_ = combine(cells_.get() + area * cellBytes(cellItems_),
                           group.localSize[0] * group.localSize[1] * group.localSize[2],
                           group.collectiveArrivals);
    return collected_;
  }

  /// weft_barrier where work-items meet in sub-groups as well.
  bool meetsInSubGroups() const noexcept { return subGroupSize_ != 0; }
  void leaveSubGroup(const abi::WorkItem& item) noexcept {
    putBack(meetings_.leave(SubGroupMeetings::linearId(item), /*forGood=*/false));
  }
  /// weft_sub_group_meet.
  void meetSubGroup(const abi::WorkItem& item, abi::SubGroupMeeting& meeting);

  /// weft_divergence: gives the group up.
  [[noreturn]] void diverged(uint32_t first, uint32_t second) noexcept;

  /// Runs `function` on the stack of the thread, which is large, and comes back.
  void onThreadStack(ThreadFunction function, void* argument) noexcept;

  size_t stackBytesMapped() const noexcept { return pool_.mappedBytes(); }

 private:
  static constexpr uint32_t kNoBarrier = ~uint32_t{0};

  /// All live lanes have arrived or ended: what was written is the next round. Whether it has
  /// two lanes at least.
  bool nextRound() noexcept {
    roundBarrier_ = kNoBarrier;
    live_ = written_;
    read_ = 0;
    written_ = 0;
    if (meetsInSubGroups()) [[unlikely]]
      meetings_.nextRound();
    return live_ > 1;
  }
  FiberContext takeNext() noexcept {
    const FiberContext* next = &ring_[read_++];
    next[1].prefetch();
    return *next;
  }

  static constexpr uint64_t cellBytes(uint64_t items) noexcept {
    return alignUp<uint64_t>((items + abi::kCollectiveBlock) * sizeof(uint64_t),
                             abi::kLocalMemoryAlignment);
  }
  struct Free {
    void operator()(uint8_t* memory) const noexcept { std::free(memory); }
  };

  [[noreturn]] static void laneBody(Fiber& self) noexcept;
  void runItem(Lane& lane) noexcept;
  void ended(Lane& lane);
  [[noreturn]] void abandon(uint32_t id) noexcept;
  [[noreturn]] void giveUp() noexcept;
  void enterLanes() noexcept;
  void fillRing(size_t lanes) noexcept;
  void fillItems(const abi::Group& group, size_t lanes, uint32_t width) noexcept;
  void putBack(std::span<const uint32_t> met) noexcept;

  const bool strict_;
  const size_t maxLanes_;
  uint32_t subGroupSize_ = 0;  ///< of the running group; 0 where no work-items meet in them
  bool anyEnded_ = false;
  bool onLanes_ = false;                  ///< a lane runs, not the thread's own stack
  uint32_t roundBarrier_ = kNoBarrier;    ///< barrier of the lanes that have arrived this round
  std::unique_ptr<FiberContext[]> ring_;  ///< one more than the most lanes of a group
  size_t read_ = 0;                       ///< lanes that have run, or run now, in this round
  size_t written_ = 0;                    ///< lanes that wait for the next round
  size_t live_ = 0;                       ///< lanes of this round
  [[no_unique_address]] FiberIdentity running_;
  uint32_t mxcsr_ = 0;
  abi::ItemEntry itemEntry_ = nullptr;
  abi::GroupEntry groupEntry_ = nullptr;
  const abi::Group* group_ = nullptr;
  Fiber thread_;          ///< the stack that called run()
  FiberContext waiting_;  ///< the lane that left for the thread's stack
  ThreadFunction request_ = nullptr;
  void* requestArgument_ = nullptr;
  Divergence divergence_;
  std::unique_ptr<uint8_t, Free> cells_;  ///< arrivals behind them
  uint64_t cellItems_ = 0;                ///< that there is room for
  uint64_t collected_ = 0;                ///< what the last collective function returned
  LaneSet* lanes_ = nullptr;
  LanePool pool_;
  SubGroupMeetings meetings_;
};

}  // namespace weft::runtime
