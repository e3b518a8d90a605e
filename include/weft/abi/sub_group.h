// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// What compiled code and the runtime share of sub-groups, where each work-item runs by itself.
namespace weft::abi {

/// Sizes that kernels may ask for.
inline constexpr std::array<uint32_t, 4> kSubGroupSizes{8, 16, 32, 64};
inline constexpr uint32_t kMaxSubGroupSize = kSubGroupSizes.back();

/// A call of a sub-group operation by one work-item, on its stack. It is met by the work-items of
/// its sub-group that make the same call in the same iteration of each loop around it; only they
/// take part.
struct SubGroupMeeting {
  /// Which call it is: numbers of loops, their iterations and the call, the outermost first. What
  /// is smaller, word by word, comes first in every execution.
  const uint32_t* instance;
  uint32_t instanceWords;
  uint32_t reserved;
  uint64_t value;                     ///< what this work-item brings along
  uint64_t active;                    ///< set by the service: bit k for the k-th of the sub-group
  uint64_t values[kMaxSubGroupSize];  ///< set by the service: theirs, zeros of the others
};
static_assert(offsetof(SubGroupMeeting, instance) == 0);
static_assert(offsetof(SubGroupMeeting, instanceWords) == 8);
static_assert(offsetof(SubGroupMeeting, value) == 16);
static_assert(offsetof(SubGroupMeeting, active) == 24);
static_assert(offsetof(SubGroupMeeting, values) == 32);
static_assert(sizeof(SubGroupMeeting) == 32 + 8 * kMaxSubGroupSize);

}  // namespace weft::abi
