// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "litmus/runner.h"

namespace weft::test::litmus {

/// Integers from the x of one instance to the next: a cache line each.
constexpr unsigned kStride = 16;

/// The place, from the gate where threads wait for each other, of how often one did not do so in
/// vain.
constexpr unsigned kMeetings = 64;

/// OpenCL C of kernel `litmus`, whose work-items run `program`'s threads. Register n of instance i
/// goes to results[n * instances + i], x to x_of[i * kStride], y likewise.
std::string kernelOf(const std::vector<std::vector<Step>>& program, const Placement& placement);

}  // namespace weft::test::litmus
