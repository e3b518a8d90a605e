// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "weft/compiler/compiler.h"

/// When a launch begins with quick code. Sizes of kernels say little of what they cost: three lines
/// with a loop to unroll and vectorise take longer than three hundred without. So every kernel is
/// optimised fully at once, in the background, and the launch waits for that a little while; only
/// when it has not ended by then is quick code made, which takes one or two milliseconds.
namespace weft::compiler::tier_policy {

/// For full optimisation to end. Most kernels are done by then and never have quick code; with
/// twice the time of most quick code added, a first result is there well within 20 ms. A launch
/// does not wait when it would for other kernels, which keep all background threads busy.
inline constexpr std::chrono::milliseconds kPatience{12};

/// A launch waits longer while the machine has so much other work that the background thread has
/// not come to this much processor time: quick code would be made as slowly, and taken from the
/// same little time. It looks that often, up to a limit.
inline constexpr std::chrono::milliseconds kFairShare{8};
inline constexpr std::chrono::milliseconds kLook{3};
inline constexpr std::chrono::milliseconds kMostPatience{48};

/// Code of different tiers may give different results where the program allows arithmetic to be
/// reordered or fused. Work-items of one launch should not differ so, and a launch of such a
/// kernel waits for final code this long, whatever keeps it.
inline constexpr std::chrono::milliseconds kConsistencyPatience{2000};

/// A launch waits for final code as long as it would run in quick code: then it takes at most twice
/// as long as without waiting, where final code comes just too late, and mostly less, since final
/// code runs several times as fast. Programs that measure launches choose by what they measure, for
/// the rest of their lives: a launch whose time stamps are asked for waits for final code, unless
/// it is so short that its time says nothing.
inline constexpr std::chrono::milliseconds kLongestPatience{60'000};
/// The estimate takes loops that it cannot count for long. First launches of twenty short kernels
/// with such loops are put at tens of milliseconds, and would wait for three times as long as their
/// quick code takes.
inline constexpr std::chrono::milliseconds kWorthWaiting{250};
inline constexpr std::chrono::microseconds kWorthMeasuring{100};

/// What a launch waits for final code in place of quick code that there is, or could be, beyond
/// kPatience.
inline std::chrono::milliseconds patienceFor(const LaunchOutlook& outlook) {
  if (outlook.measured && outlook.quickTime >= kWorthMeasuring) return kLongestPatience;
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(outlook.quickTime);
  return time < kWorthWaiting ? std::chrono::milliseconds(0) : std::min(time, kLongestPatience);
}

/// A launch does not wait either where there is no hope: for programs with more bitcode than this
/// for each kernel, some twelve hundred instructions, whose quick code takes its time as well and
/// whose final code takes tenths of a second.
inline constexpr size_t kHopelessBytes = size_t{8} << 10;

/// What the end of the process gives full optimisation that is under way, so that the next process
/// finds the result on disk.
inline constexpr std::chrono::milliseconds kLastGrace{200};

/// Code of programs that are gone which is kept for the same to come, in bytes of objects: some
/// hundred to a thousand kernels. Linking one takes 0.15 ms, and two threads' hand-over.
inline constexpr size_t kReservedBytes = size_t{8} << 20;

}  // namespace weft::compiler::tier_policy
