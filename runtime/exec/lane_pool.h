// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fiber/fiber.h"
#include "fiber/stack_slab.h"
#include "weft/abi/work_group.h"

namespace weft::runtime {

class LaneRunner;

/// A fiber that runs one lane group of a work-group, again and again for different groups.
struct alignas(64) Lane : Fiber {
  LaneRunner* runner = nullptr;
  uint32_t mxcsr = 0;  ///< floating-point control that the fiber carries
  abi::WorkItem item{};
  StackSpan stack;
};

/// Bounds of what one slot may spend on stacks.
struct LaneLimits {
  size_t maxLanes = 0;      ///< most lanes of one group
  size_t maxBytes = 0;      ///< address space for stacks, guards included
  size_t keptBytes = 0;     ///< stacks of other sizes are dropped beyond this
  size_t mappedGuards = 0;  ///< stacks that may have a guard mapping of their own
  size_t stackMargin = 0;   ///< room beyond the compiled frame: services, libm, signals
  GuardKind preferredGuard = GuardKind::Light;

  /// Whether `count` stacks for frames of `frameBytes` are within the limits.
  bool allow(uint64_t count, uint64_t frameBytes) const noexcept;
  /// The usable size of a stack for such frames; nothing when there is no such size.
  std::optional<size_t> stackBytes(uint64_t frameBytes) const noexcept;
};

/// The limits for one of `slots` slots. `totalBytes` bounds the stacks of all slots together; 0
/// stands for half of the machine's memory.
LaneLimits defaultLaneLimits(size_t maxLanes, unsigned slots, uint64_t totalBytes = 0) noexcept;

/// Lanes with stacks of one size class. Grows, never shrinks. Lanes keep their addresses.
class LaneSet {
 public:
  static std::unique_ptr<LaneSet> create(size_t stackBytes, size_t maxLanes) noexcept;
  ~LaneSet();

  size_t stackBytes() const noexcept { return stackBytes_; }
  size_t capacity() const noexcept { return capacity_; }
  size_t mappedBytes() const noexcept;
  Lane& lane(size_t index) noexcept { return lanes_[index]; }
  /// Adds `count` lanes, each a parked fiber that will run `body`.
  bool grow(size_t count, GuardKind guard, LaneRunner& runner, Fiber::Body body) noexcept;
  /// Parks the first `count` lanes afresh, wherever their frames are.
  void reset(size_t count, Fiber::Body body) noexcept;

 private:
  LaneSet(Lane* lanes, size_t maxLanes, size_t stackBytes) noexcept
      : lanes_(lanes), maxLanes_(maxLanes), stackBytes_(stackBytes) {}

  Lane* lanes_;  ///< a mapping with room for maxLanes_, constructed up to capacity_
  const size_t maxLanes_;
  const size_t stackBytes_;
  size_t capacity_ = 0;
  std::vector<StackSlab> slabs_;
};

/// All lanes of one slot, by size class.
///
/// Ownership: owns stacks and lanes; they are reused between groups and launches.
/// Threads: one at a time.
class LanePool {
 public:
  LanePool(const LaneLimits& limits, LaneRunner& runner, Fiber::Body body) noexcept
      : limits_(limits), runner_(runner), body_(body) {}

  /// Lanes whose stacks hold `frameBytes`, at least `count` of them. Null when that is beyond
  /// the limits or the system refuses.
  LaneSet* acquire(size_t count, uint64_t frameBytes) noexcept;
  size_t mappedBytes() const noexcept { return mappedBytes_; }

 private:
  LaneSet* find(size_t stackBytes) noexcept;
  LaneSet* add(size_t stackBytes) noexcept;
  bool makeRoom(size_t bytes, const LaneSet* keep) noexcept;
  GuardKind chooseGuard(size_t count) const noexcept;

  const LaneLimits limits_;
  LaneRunner& runner_;
  const Fiber::Body body_;
  std::vector<std::unique_ptr<LaneSet>> sets_;
  size_t mappedBytes_ = 0;  ///< of all sets
};

}  // namespace weft::runtime
