// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>

#include "compute.h"

// Kernels whose items go different ways.
namespace weft::bench {
namespace {

template <size_t kCount>
double sort(const std::string& platform) {
  constexpr size_t kItems = (size_t{1} << 22) / (kCount * kCount / 16);
  const auto in = randoms<cl_uint>(kItems * kCount, 0, 1e6);
  std::vector<cl_uint> out(kItems * kCount);
  const double seconds =
      ComputeKernel(platform, "divergence.cl", "sort", "-DCOUNT=" + std::to_string(kCount))
          .in(in)
          .out(out)
          .seconds({{kItems}, {64}});
  std::vector<cl_uint> sorted(kItems * kCount);
  for (size_t item = 0; item < kItems; ++item) {
    std::array<cl_uint, kCount> values{};
    for (size_t n = 0; n < kCount; ++n) values[n] = in[n * kItems + item];
    std::ranges::sort(values);
    for (size_t n = 0; n < kCount; ++n) sorted[n * kItems + item] = values[n];
  }
  expect(out, [&](size_t i) { return sorted[i]; });
  return 1e-9 * kItems * kCount / seconds;
}

double find(const std::string& platform) {
  constexpr size_t kItems = size_t{1} << 20;
  constexpr cl_int kRows = 64;
  constexpr cl_uchar kNeedle = 7;
  const auto haystack = randoms<cl_uchar>(kItems * kRows, 0, 24);
  std::vector<cl_int> found(kItems);
  const double seconds = ComputeKernel(platform, "divergence.cl", "find")
                             .in(haystack)
                             .out(found)
                             .value(kRows)
                             .value(kNeedle)
                             .seconds({{kItems}, {64}});
  const auto reference = [&](size_t i) {
    for (cl_int row = 0; row < kRows; ++row)
      if (haystack[static_cast<size_t>(row) * kItems + i] == kNeedle) return row;
    return -1;
  };
  expect(found, reference);
  return 1e-9 * kItems / seconds;
}

cl_uint interpreted(const std::vector<cl_uchar>& programs, size_t items, size_t i, int steps) {
  auto a = static_cast<cl_uint>(i);
  cl_uint b = 1;
  for (int step = 0; step < steps; ++step) {
    switch (programs[static_cast<size_t>(step) * items + i]) {
      case 0:
        a += b;
        break;
      case 1:
        a ^= b << 3;
        break;
      case 2:
        b = a * 5 + 1;
        break;
      case 3:
        a = std::rotl(a, static_cast<int>(b & 31));
        break;
      case 4:
        b -= a >> 2;
        break;
      case 5:
        a -= a > b ? b : 0;
        break;
      case 6:
        b = std::max(a, b) | 1;
        break;
      default:
        a = ~a;
    }
  }
  return a ^ b;
}

double interpret(const std::string& platform) {
  constexpr size_t kItems = size_t{1} << 18;
  constexpr cl_int kSteps = 32;
  const auto programs = randoms<cl_uchar>(kItems * kSteps, 0, 8);
  std::vector<cl_uint> results(kItems);
  const double seconds = ComputeKernel(platform, "divergence.cl", "interpret")
                             .in(programs)
                             .out(results)
                             .value(kSteps)
                             .seconds({{kItems}, {64}});
  expect(results, [&](size_t i) { return interpreted(programs, kItems, i, kSteps); }, 0, 3);
  return 1e-9 * kItems * kSteps / seconds;
}

constexpr Case kCases[] = {
    {"private sort 16", "Gelements/s", true, sort<16>, "compute divergent"},
    {"private sort 32", "Gelements/s", true, sort<32>, "compute divergent"},
    {"early exit", "Gitems/s", true, find, "compute divergent"},
    {"switch", "Gsteps/s", true, interpret, "compute divergent"},
};

}  // namespace

std::span<const Case> divergenceCases() { return kCases; }

}  // namespace weft::bench
