// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "program/launch_range.h"

namespace weft {

/// The sizes of a launch, copied from the application.
struct LaunchSizes {
  explicit LaunchSizes(const RangeArguments& range) noexcept
      : dimensions(range.workDim), hasLocal(range.local != nullptr) {
    // Where there are too many dimensions the launch is refused, and the sizes may be fewer.
    const size_t count = range.workDim <= global.size() ? range.workDim : 0;
    if (range.global) std::copy_n(range.global, count, global.begin());
    if (range.local) std::copy_n(range.local, count, local.begin());
    if (range.offset) std::copy_n(range.offset, count, offset.begin());
  }

  /// As what was given; null for what was not.
  RangeArguments arguments() const noexcept {
    return {.workDim = dimensions,
            .offset = offset.data(),
            .global = global.data(),
            .local = hasLocal ? local.data() : nullptr};
  }

  friend bool operator==(const LaunchSizes&, const LaunchSizes&) = default;

  std::array<size_t, 3> global{};  ///< zeros, for an empty range, when there are none
  std::array<size_t, 3> local{};   ///< zeros when it is left to the implementation
  std::array<size_t, 3> offset{};
  cl_uint dimensions = 0;
  bool hasLocal = false;
};

}  // namespace weft
