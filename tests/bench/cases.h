// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft::bench {

/// The pseudo-platform whose figures come from plain C++ loops instead of kernels.
inline constexpr const char* kNative = "Native";

/// The pseudo-platform that is Weft, with programs from what other compilers make of their sources
/// (spirv.h).
inline constexpr const char* kSpirv = "SPIR-V";

/// One measured figure. run() is called once in a process of its own, so that what it measures
/// may include first-use costs; steady figures warm up by themselves.
struct Case {
  const char* name;
  const char* unit;
  bool higherIsBetter;
  double (*run)(const std::string& platform);
  const char* tags = "";             ///< words; the summary has a line for each
  bool native = false;               ///< run() knows the platform kNative too
  const char* relativeTo = nullptr;  ///< regex: the summary compares with the best of these cases
};

/// What a case's kernel is for: changes that are to make kernels faster look at the first half
/// only, so that the second says what they are worth to kernels that nobody had in mind.
enum class Half { Tuning, HeldOut };
/// By the 64-bit FNV-1a hash of the first word of the name, so that nobody picks and that all
/// variants of one algorithm are in one half: tuning when it is even, held out when it is odd.
/// Cases without tags are no kernels and in neither.
std::optional<Half> halfOf(const Case& measured);

/// Latencies, transfers and barriers.
std::span<const Case> hostCases();
/// Commands on images from the host.
std::span<const Case> imageCommandCases();
/// Builds and first launches.
std::span<const Case> buildCases();
/// Front ends.
std::span<const Case> frontEndCases();
/// Throughput of math functions.
std::span<const Case> mathCases();

/// Replays of command buffers against enqueues of the same commands.
std::span<const Case> commandBufferCases();

/// Compute kernels; each checks its results against plain C++.
std::span<const Case> gemmCases();
std::span<const Case> arithmeticCases();
std::span<const Case> chainCases();
std::span<const Case> memoryCases();
std::span<const Case> imageCases();
/// Pictures through images and samplers, and on buffers.
std::span<const Case> filterCases();
std::span<const Case> hashCases();
std::span<const Case> divergenceCases();
std::span<const Case> groupCases();
std::span<const Case> subGroupCases();
std::span<const Case> localSizeCases();
/// What kernels ask of the device: pipes, launches.
std::span<const Case> deviceCases();

/// All of the above.
std::vector<Case> cases();

}  // namespace weft::bench
