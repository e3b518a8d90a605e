// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/local_size.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace weft {
namespace {

/// Enough work in a group to pay for its start.
constexpr uint64_t kManyItems = 256;
/// For small launches, so that every slot gets groups.
constexpr uint64_t kFewItems = 64;
/// In smaller groups lanes are idle and starts cost more than the work.
constexpr uint64_t kLeastItems = 32;
/// Fewer groups than this for each slot make a launch a small one.
constexpr uint64_t kGroupsPerSlot = 2;

template <class T>
T searchDivisor(T n, T cap, T known) noexcept {
  for (T candidate = cap; candidate > known; --candidate)
    if (n % candidate == 0) return candidate;
  return known;
}

/// Largest divisor of n up to cap, except that a power of two which is at least half of cap is
/// taken without a search. Called on every launch without a local size.
uint64_t divisor(uint64_t n, uint64_t cap) noexcept {
  if (n <= cap) return n;
  const uint64_t power = std::min(std::bit_floor(cap), n & (~n + 1));
  if (power * 2 > cap) return power;
  if (n <= std::numeric_limits<uint32_t>::max())  // a 64-bit division is several times slower
    return searchDivisor(static_cast<uint32_t>(n), static_cast<uint32_t>(cap),
                         static_cast<uint32_t>(power));
  return searchDivisor(n, cap, power);
}

using Sizes = std::array<uint64_t, 3>;

uint64_t itemsOf(const Sizes& size) noexcept { return size[0] * size[1] * size[2]; }

/// A size for each dimension in turn: sizeOf(items along it, the most that it may be).
template <class SizeOf>
Sizes choose(const Sizes& global, const GroupLimits& limits, SizeOf sizeOf) noexcept {
  const bool small = itemsOf(global) / kManyItems < limits.slots * kGroupsPerSlot;
  uint64_t room = std::min(limits.maxItems, small ? kFewItems : kManyItems);
  const bool rows = global[1] > 1 || global[2] > 1;

  Sizes local{1, 1, 1};
  for (size_t d = 0; d < 3; ++d) {
    uint64_t cap = std::min(room, limits.maxPerDimension);
    if (d == 0 && rows) cap = std::min(cap, limits.rowItems);
    local[d] = sizeOf(global[d], std::max<uint64_t>(cap, 1));
    room /= local[d];
  }
  return local;
}

}  // namespace

Sizes chooseLocalSize(const Sizes& global, const GroupLimits& limits) noexcept {
  const Sizes even = choose(global, limits, divisor);
  if (!limits.mayBeRagged || itemsOf(even) >= kLeastItems) return even;
  const Sizes ragged = choose(
      global, limits, [](uint64_t n, uint64_t cap) { return std::min(n, std::bit_floor(cap)); });
  return itemsOf(ragged) >= 2 * itemsOf(even) ? ragged : even;
}

Sizes evenSizeOfItems(const Sizes& global, uint64_t least, uint64_t most) noexcept {
  Sizes best{};
  for (uint64_t x = std::min(global[0], most); x > 0; --x) {
    if (global[0] % x != 0) continue;
    for (uint64_t y = std::min(global[1], most / x); y > 0; --y) {
      if (global[1] % y != 0) continue;
      const uint64_t room = most / (x * y);
      const Sizes size{x, y, searchDivisor<uint64_t>(global[2], std::min(global[2], room), 1)};
      if (itemsOf(size) >= least && itemsOf(size) > itemsOf(best)) best = size;
    }
  }
  return best;
}

}  // namespace weft
