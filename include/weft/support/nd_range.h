// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// A validated ND-range. Unused dimensions have size 1 and offset 0; every product of
/// sizes fits 64 bits.
struct NDRange {
  uint32_t dimensions = 1;
  std::array<uint64_t, 3> globalSize{1, 1, 1};
  std::array<uint64_t, 3> globalOffset{};
  std::array<uint64_t, 3> localSize{1, 1, 1};  ///< enqueued local size

  constexpr uint64_t items() const { return globalSize[0] * globalSize[1] * globalSize[2]; }
  constexpr uint64_t itemsPerGroup() const { return localSize[0] * localSize[1] * localSize[2]; }
  /// Groups along dimension d; a ragged last group counts.
  constexpr uint64_t groups(uint32_t d) const {
    return globalSize[d] / localSize[d] + (globalSize[d] % localSize[d] != 0 ? 1 : 0);
  }
  constexpr uint64_t groups() const { return groups(0) * groups(1) * groups(2); }
};

}  // namespace weft
