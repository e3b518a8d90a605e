// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace weft::runtime {

/// Parts [first, last) of a job.
struct PartRange {
  uint32_t first = 0;
  uint32_t last = 0;

  bool isEmpty() const noexcept { return first == last; }
  uint32_t size() const noexcept { return last - first; }
};

/// The parts of a job that no thread has taken yet. Threads take them in their order, so that
/// whatever a group waits for in earlier ones has at least been begun.
/// Threads: any; open() while there are none, by one thread at a time.
class OpenParts {
 public:
  void open(PartRange parts) noexcept { store(parts); }
  PartRange all() const noexcept { return unpack(packed_.load(std::memory_order_relaxed)); }

  struct Taken {
    PartRange parts;
    bool isLast = false;  ///< nothing is left
  };
  /// Takes `most` parts or what there is. Empty when there is nothing.
  Taken take(uint32_t most) noexcept {
    uint64_t seen = packed_.load(std::memory_order_relaxed);
    for (;;) {
      const PartRange open = unpack(seen);
      if (open.isEmpty()) return {};
      const uint32_t next = open.first + std::min(most, open.size());
      // A part is the first of what is open once, since it is begun then: no range comes again.
      if (packed_.compare_exchange_weak(seen, pack({next, open.last}), std::memory_order_relaxed))
        return {{open.first, next}, next == open.last};
    }
  }

 private:
  static constexpr uint64_t pack(PartRange parts) noexcept {
    return uint64_t{parts.last} << 32 | parts.first;
  }
  static constexpr PartRange unpack(uint64_t packed) noexcept {
    return {static_cast<uint32_t>(packed), static_cast<uint32_t>(packed >> 32)};
  }
  void store(PartRange parts) noexcept { packed_.store(pack(parts), std::memory_order_relaxed); }

  std::atomic<uint64_t> packed_{0};
};

}  // namespace weft::runtime
