// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// What bounds a work-group of one kernel on one device.
struct GroupLimits {
  uint64_t maxItems = 1;         ///< CL_KERNEL_WORK_GROUP_SIZE
  uint64_t maxPerDimension = 1;  ///< CL_DEVICE_MAX_WORK_ITEM_SIZES, equal in all dimensions
  unsigned slots = 1;            ///< threads that run groups at the same time
  bool mayBeRagged = false;      ///< the last groups of a dimension may be smaller
  uint64_t rowItems = 64;        ///< work-items in a row of a 2-D or 3-D group, at most
};

/// The local size for a launch that gives none: it divides `global` in every dimension, is 64 to
/// 256 work-items where the divisors allow that, and is longest along dimension 0, where
/// neighbours in memory usually are. Where the divisors leave groups of less than 32 it need not
/// divide if groups may be ragged. Pre: no size is 0; unused dimensions are 1.
std::array<uint64_t, 3> chooseLocalSize(const std::array<uint64_t, 3>& global,
                                        const GroupLimits& limits) noexcept;

/// The largest local size of `least` to `most` work-items that divides `global` in every dimension,
/// the longest along dimension 0 of several; zeros where there is none. Slow, for kernels that
/// bound their groups in this way. Pre: no size is 0; unused dimensions are 1.
std::array<uint64_t, 3> evenSizeOfItems(const std::array<uint64_t, 3>& global, uint64_t least,
                                        uint64_t most) noexcept;

}  // namespace weft
