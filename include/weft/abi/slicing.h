// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

namespace weft::abi {

/// How compiled code is entered. Barrier loops are entered like group loops.
enum class EntryKind : uint8_t { Flat, Group, Fibers };

/// The dimensions of a range in the order in which work-items follow each other, where rows are
/// along `rowDimension`.
constexpr std::array<uint32_t, 3> dimensionsFrom(uint32_t rowDimension) noexcept {
  constexpr std::array<uint32_t, 3> kOrders[] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}};
  return kOrders[rowDimension];
}

/// What compiled code asks of the calls that cut up a box of the range. The compiler's choose()
/// says it, the executor keeps to it, and looks before each call whether it does.
struct Slicing {
  static constexpr uint64_t kAny = ~uint64_t{0};

  EntryKind entryKind = EntryKind::Group;
  /// Of all groups, where it stands in the code; else zeros. Flat code has no groups.
  std::array<uint32_t, 3> groupSize{};
  /// Flat form and group loop: the dimension along which its rows of work-items are.
  uint32_t rowDimension = 0;
  /// Rows of work-items in a call, of its box or of its groups, are multiples of this. Code for
  /// whole rows has no remainder.
  uint32_t rowMultiple = 1;
  /// Most groups that follow each other along dimension 0 in one call.
  uint64_t groupsPerCall = 1;
  /// Flat form: boxes of so many rows at least are run in tiles of these sizes.
  uint64_t tilesFrom = kAny;
  uint64_t tileColumns = kAny;
  uint64_t tileRows = kAny;
  /// Rows that fill lines of the cache together, one below the other: tiles are not cut between
  /// them where that can be helped.
  uint64_t rowsTogether = 1;

  friend bool operator==(const Slicing&, const Slicing&) = default;
};

}  // namespace weft::abi
