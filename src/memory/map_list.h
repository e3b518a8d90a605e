// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "memory/rect.h"

namespace weft {

/// The regions that a memory object and those that share its bytes are mapped to, each known from
/// the call that enqueues its map to the one that enqueues its unmap. However many there are, each
/// call takes logarithmic time, but for regions with gaps: parts of images.
class MapList {
 public:
  /// Who maps: the object or one that shares its bytes, as an identity.
  using Owner = const void*;
  struct Id {
    const std::byte* begin;
    uint64_t number;
  };

  /// Nothing when bytes that are mapped for writing would be mapped for writing again. Throws
  /// std::bad_alloc, with nothing changed.
  std::optional<Id> add(Owner owner, const ByteBox& bytes, bool forWriting);
  /// Nothing happens when it has been removed.
  void remove(Owner owner, Id id) noexcept;
  /// Removes the last one of those that begin there; false when there is none.
  bool removeLast(Owner owner, const std::byte* begin) noexcept;
  void removeAll(Owner owner) noexcept;
  size_t count(Owner owner) const noexcept;

 private:
  struct Key {
    Owner owner;
    const std::byte* begin;
    uint64_t number;
    auto operator<=>(const Key&) const = default;
  };
  struct Map {
    Key key;
    ByteBox bytes;
    bool forWriting;
  };
  /// For writing they never meet, so that each has a beginning of its own.
  using Written = std::map<const std::byte*, ByteBox>;
  using Older = std::map<Key, Written*>;  ///< where it is listed when it is for writing

  bool isWritten(const ByteBox& bytes) const noexcept;
  void store(const Map& map);
  void erase(Older::iterator map) noexcept;

  /// Most programs map one region, use and unmap it: no memory is allocated for that.
  std::optional<Map> newest_;
  Older older_;            ///< all others, those of an owner side by side
  Written writtenRanges_;  ///< of older ones: without gaps
  Written writtenBoxes_;   ///< and with gaps
  uint64_t last_ = 0;
};

}  // namespace weft
