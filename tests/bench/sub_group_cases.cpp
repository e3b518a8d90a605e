// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <numeric>

#include "compute.h"
#include "native/native.h"

// Work-items of a sub-group that work together in registers.
namespace weft::bench {
namespace {

/// What stays in the second-level caches.
constexpr size_t kItems = size_t{1} << 19, kLanes = 16, kGroup = 256;

ComputeKernel kernelOf(const std::string& platform, const char* name) {
  return ComputeKernel(platform, "sub_groups.cl", name, "-cl-std=CL3.0", "cl_khr_subgroup_shuffle");
}

double rateOf(double seconds) { return 1e-9 * kItems / seconds; }

double reduce(const std::string& platform) {
  const auto in = randoms<float>(kItems, 0, 1);
  std::vector<float> sums(kItems / kLanes);
  const double seconds =
      platform == kNative
          ? nativeSeconds(sums.size(), 1,
                          [&](size_t begin, size_t end) {
                            native::subGroupReduce(in.data(), sums.data(), begin, end);
                          })
          : kernelOf(platform, "reduce").in(in).out(sums).seconds({{kItems}, {kGroup}});
  const auto reference = [&](size_t part) {
    const auto first = in.begin() + static_cast<long>(part * kLanes);
    return std::accumulate(first, first + kLanes, 0.0);
  };
  expect(sums, reference, 1e-5);
  return rateOf(seconds);
}

double scan(const std::string& platform) {
  const auto in = randoms<float>(kItems, 0, 1);
  std::vector<float> out(kItems);
  std::vector<double> sums(kItems);
  const double seconds =
      platform == kNative
          ? nativeSeconds(kItems / kLanes, 1,
                          [&](size_t begin, size_t end) {
                            native::subGroupScan(in.data(), out.data(), begin, end);
                          })
          : kernelOf(platform, "scan").in(in).out(out).seconds({{kItems}, {kGroup}});
  for (size_t i = 0; i < kItems; ++i) sums[i] = (i % kLanes == 0 ? 0 : sums[i - 1]) + in[i];
  expect(out, [&](size_t i) { return sums[i]; }, 1e-5);
  return rateOf(seconds);
}

double scanGroup(const std::string& platform) {
  const auto in = randoms<cl_uint>(kItems, 0, 1e6);
  std::vector<cl_uint> out(kItems), sums(kItems);
  const double seconds =
      platform == kNative
          ? nativeSeconds(kItems / kGroup, 1,
                          [&](size_t begin, size_t end) {
                            native::subGroupScanGroup(in.data(), out.data(), begin, end);
                          })
          : kernelOf(platform, "scan_group").in(in).out(out).seconds({{kItems}, {kGroup}});
  for (size_t i = 0; i < kItems; ++i) sums[i] = (i % kGroup == 0 ? 0 : sums[i - 1]) + in[i];
  expect(out, [&](size_t i) { return sums[i]; });
  return rateOf(seconds);
}

double shuffle(const std::string& platform) {
  const auto in = randoms<cl_uint>(kItems, 0, 4e9);
  const auto places = randoms<cl_uint>(kItems, 0, kLanes);
  std::vector<cl_uint> out(kItems);
  const double seconds =
      platform == kNative
          ? nativeSeconds(kItems / kLanes, 1,
                          [&](size_t begin, size_t end) {
                            native::subGroupShuffle(in.data(), places.data(), out.data(), begin,
                                                    end);
                          })
          : kernelOf(platform, "shuffle").in(in).in(places).out(out).seconds({{kItems}, {kGroup}});
  std::vector<cl_uint> x = in;
  for (int step = 0; step < 8; ++step) {
    const std::vector<cl_uint> before = x;
    for (size_t i = 0; i < kItems; ++i)
      x[i] = before[i] * 3 + before[i / kLanes * kLanes + places[i]];
  }
  expect(out, [&](size_t i) { return x[i]; });
  return rateOf(seconds);
}

double transpose(const std::string& platform) {
  constexpr size_t kElements = kItems * kLanes / 4;
  const auto in = randoms<cl_uint>(kElements, 0, 4e9);
  std::vector<cl_uint> out(kElements);
  const double seconds =
      platform == kNative
          ? nativeSeconds(kElements / 256, 1,
                          [&](size_t begin, size_t end) {
                            native::subGroupTranspose(in.data(), out.data(), begin, end);
                          })
          : kernelOf(platform, "transpose")
                .in(in)
                .out(out)
                .seconds({{kElements / kLanes}, {kGroup}});
  const auto reference = [&](size_t i) {
    return in[i / 256 * 256 + i % kLanes * kLanes + i / kLanes % kLanes];
  };
  expect(out, reference);
  return 1e-9 * kElements / seconds;
}

constexpr Case kCases[] = {
    {"sub-groups, reduction", "Gitems/s", true, reduce, "sub-group", true},
    {"sub-groups, scan", "Gitems/s", true, scan, "sub-group", true},
    {"sub-groups, scan of 256", "Gitems/s", true, scanGroup, "sub-group", true},
    {"sub-groups, shuffles, places in memory", "Gitems/s", true, shuffle, "sub-group", true},
    {"sub-groups, transposition 16x16", "Gitems/s", true, transpose, "sub-group", true},
};

}  // namespace

std::span<const Case> subGroupCases() { return kCases; }

}  // namespace weft::bench
