// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace weft {

/// The clock of every profiling time stamp and of clGetHostTimer: CLOCK_MONOTONIC in
/// nanoseconds. Host and device share it.
uint64_t nowNanoseconds() noexcept;

/// CL_DEVICE_PROFILING_TIMER_RESOLUTION of that clock, in nanoseconds; at least 1.
uint64_t clockResolutionNanoseconds() noexcept;

}  // namespace weft
