// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::runtime {

/// Some of the slots of one pool, by index. All masks of a pool are of the same length.
class SlotMask {
 public:
  explicit SlotMask(unsigned slots) : words_((slots + 63) / 64) {}

  void set(unsigned slot) noexcept { words_[slot / 64] |= bit(slot); }
  void clear(unsigned slot) noexcept { words_[slot / 64] &= ~bit(slot); }
  bool has(unsigned slot) const noexcept { return (words_[slot / 64] & bit(slot)) != 0; }

  bool meets(const SlotMask& other) const noexcept {
    for (size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & other.words_[i]) != 0) return true;
    return false;
  }
  bool meets(const SlotMask& other, const SlotMask& third) const noexcept {
    for (size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & other.words_[i] & third.words_[i]) != 0) return true;
    return false;
  }
  size_t countCommon(const SlotMask& other) const noexcept {
    size_t count = 0;
    for (size_t i = 0; i < words_.size(); ++i)
      count += static_cast<size_t>(std::popcount(words_[i] & other.words_[i]));
    return count;
  }
  /// The lowest slot in both. Pre: meets(other).
  unsigned firstCommon(const SlotMask& other) const noexcept {
    size_t i = 0;
    while ((words_[i] & other.words_[i]) == 0) {
      ++i;
      assert(i < words_.size());
    }
    return static_cast<unsigned>(64 * i) +
           static_cast<unsigned>(std::countr_zero(words_[i] & other.words_[i]));
  }

 private:
  static uint64_t bit(unsigned slot) noexcept { return uint64_t{1} << slot % 64; }

  std::vector<uint64_t> words_;
};

}  // namespace weft::runtime
