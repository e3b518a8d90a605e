// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

/// When a kernel is tried at other widths, and for how long. Of 110 kernels drawn by a seed (Zen 4,
/// half of them AVX2 code) the best of five widths is 1.3 times as fast as the chosen one in the
/// geometric mean, and for half of them more than 1.1 times (docs/decisions/0026).
namespace weft::compiler::trial_policy {

/// Making code for one more width may take this part of the processor time that the kernel has
/// used, and running slower code this part of it as well.
inline constexpr int kWorthOfCost = 20;
inline constexpr int kWorthOfLoss = 40;
/// How many times as slow a rival is taken to be before it is run.
inline constexpr int kCaution = 10;
/// What making it is taken to cost at least, and where the first code came from the disk cache.
inline constexpr std::chrono::milliseconds kUsualCost{15};
/// What each of two codes runs at a time: a hundred times as long as what changing costs.
inline constexpr std::chrono::microseconds kTurn{100};

/// Of the kernel's processor time, from one pair to the next: those that decide come from many
/// launches, and are alike to what the kernel is mostly launched for.
inline constexpr std::chrono::milliseconds kBetweenPairs{5};

/// A rival that is so much slower in each of the first pairs is given up.
inline constexpr double kHopeless = 1.5;
inline constexpr size_t kHopelessPairs = 2;
/// Pairs from which on a rival loses, and wins; the signs of their differences are then one-sided
/// by more than kDeviations standard deviations, which happens to equals once in some hundred
/// times. What is open after so many is as good as equal.
inline constexpr size_t kLeastPairs = 12, kWinningPairs = 32, kMostPairs = 64;
inline constexpr double kDeviations = 3;
/// A pair in which one takes more than so many times as long again as the other says no more than
/// that: it may have been disturbed.
inline constexpr double kMostWeight = 3;
/// A winner must be faster by this factor: what is as good stays.
inline constexpr double kWinning = 0.96;
/// The widths to try by the width of the host's registers, in an order that makes the most of the
/// first ones, of the 110 kernels above; SSE's is AVX2's for registers half as wide.
inline constexpr std::array<uint32_t, 5> kWidths512{16, 1, 64, 8, 32};
inline constexpr std::array<uint32_t, 5> kWidths256{8, 1, 32, 16, 64};
inline constexpr std::array<uint32_t, 5> kWidths128{4, 1, 16, 8, 32};
/// Compiling for a width is given up, until that is worth it, after so many times what it should
/// have cost.
inline constexpr int kMostCost = 3;
/// In trials that begin at once, to test what they change: pairs, after which the rival has won.
inline constexpr size_t kEagerPairs = 1;

}  // namespace weft::compiler::trial_policy
