// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "fuzz/ast.h"
#include "fuzz/value.h"

namespace weft::fuzz {

using Bytes = std::vector<uint8_t>;

/// A place: a variable, and bytes into it. As a pointer's bits: both in one word.
struct Address {
  int variable = 0;
  int64_t offset = 0;

  static constexpr unsigned kOffsetBits = 40;
  /// Offsets of what is in bounds are well below, and the sum of two of them has its bits.
  static constexpr int64_t kFarthest = int64_t{1} << (kOffsetBits - 2);
  uint64_t bits() const {
    return (static_cast<uint64_t>(variable) << kOffsetBits) |
           (static_cast<uint64_t>(offset) & ((uint64_t{1} << kOffsetBits) - 1));
  }
  static Address fromBits(uint64_t bits) {
    constexpr unsigned kUnused = 64 - kOffsetBits;
    return {static_cast<int>(bits >> kOffsetBits),
            static_cast<int64_t>(bits << kUnused) >> kUnused};
  }
};

/// What one work-item is to the memory.
struct Actor {
  uint32_t number = 0;  ///< among all work-items, from 1
  uint8_t* frame = nullptr;
  uint8_t* known = nullptr;  ///< bits of the frame that have a value
};

/// The memory of an interpreted launch. Throws Undefined on whatever has no defined outcome:
/// accesses out of bounds, races, reads of what was never written.
class Memory {
 public:
  enum class Access : uint8_t { Read, Write, Atomic };

  explicit Memory(const Program& program, std::vector<Bytes>& buffers);

  /// Begins a group, or its next phase after a barrier with these fences.
  void beginGroup();
  void barrier(bool local, bool global);

  /// Memory for `bytes` bytes at `address`, after all checks.
  uint8_t* access(const Actor& actor, Address address, uint64_t bytes, Access access);

  /// Bytes of a variable that is a work-item's own, whether or not they have a value.
  struct Own {
    uint8_t* bytes;
    uint8_t* known;  ///< which of their bits have one
  };
  Own own(const Actor& actor, Address address, uint64_t bytes) const;

 private:
  struct Shadow {
    uint32_t writer = 0, reader = 0;
    uint32_t writeEpoch = 0, readEpoch = 0;
    bool wasAtomic = false, manyReaders = false;
  };
  struct Epoch {
    uint32_t now = 1, groupBegin = 1;
  };

  /// Where in the memory of a variable `bytes` bytes at `offset` from its pointer are.
  uint64_t positionOf(size_t variable, int64_t offset, uint64_t bytes) const;
  void check(Shadow& shadow, const Epoch& epoch, bool isGlobal, const Actor& actor, Access access);

  const Program& program_;
  std::vector<Bytes>& buffers_;               ///< by variable; empty for others
  std::vector<std::vector<Shadow>> shadows_;  ///< by variable: written buffers
  Bytes local_, tables_, globals_;            ///< globals: of program scope
  std::vector<Shadow> localShadow_, globalShadow_;
  Epoch localEpoch_, globalEpoch_;
};

}  // namespace weft::fuzz
