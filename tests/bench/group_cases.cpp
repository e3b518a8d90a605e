// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <numbers>
#include <numeric>

#include "compute.h"
#include "native/native.h"

// Work-groups whose items work together, through barriers or atomics.
namespace weft::bench {
namespace {

constexpr size_t kItems = size_t{1} << 22;

template <size_t kSize>
double reduce(const std::string& platform) {
  const auto in = randoms<cl_uint>(kItems, 0, 1e6);
  std::vector<cl_uint> sums(kItems / kSize);
  const double seconds =
      platform == kNative
          ? nativeSeconds(sums.size(), 1,
                          [&](size_t begin, size_t end) {
                            native::reduce(in.data(), sums.data(), kSize, begin, end);
                          })
          : ComputeKernel(platform, "group.cl", "reduce", "-DSIZE=" + std::to_string(kSize))
                .in(in)
                .out(sums)
                .seconds({{kItems}, {kSize}});
  const auto reference = [&](size_t group) {
    const auto first = in.begin() + static_cast<long>(group * kSize);
    return std::accumulate(first, first + kSize, cl_uint{0});
  };
  expect(sums, reference);
  return 1e-9 * kItems / seconds;
}

template <size_t kSize>
double scan(const std::string& platform) {
  const auto in = randoms<cl_uint>(kItems, 0, 1e6);
  std::vector<cl_uint> out(kItems), sums(kItems);
  const double seconds =
      platform == kNative
          ? nativeSeconds(kItems / kSize, 1,
                          [&](size_t begin, size_t end) {
                            native::scan(in.data(), out.data(), kSize, begin, end);
                          })
          : ComputeKernel(platform, "group.cl", "scan", "-DSIZE=" + std::to_string(kSize))
                .in(in)
                .out(out)
                .seconds({{kItems}, {kSize}});
  for (size_t i = 0; i < kItems; ++i) sums[i] = (i % kSize == 0 ? 0 : sums[i - 1]) + in[i];
  expect(out, [&](size_t i) { return sums[i]; });
  return 1e-9 * kItems / seconds;
}

constexpr const char* kNewLanguage = "-cl-std=CL3.0 -DSIZE=256";

void need(cl_device_info feature, const std::string& platform) {
  const Session session(platform);
  cl_bool has = CL_FALSE;
  clGetDeviceInfo(session.device, feature, sizeof has, &has, nullptr);
  if (has == CL_FALSE) throw Unsupported("not offered by the device");
}

template <size_t kSize>
double collectiveReduce(const std::string& platform) {
  need(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, platform);
  const auto in = randoms<float>(kItems, 0, 1);
  std::vector<float> sums(kItems / kSize);
  const double seconds = ComputeKernel(platform, "group.cl", "collective_reduce", kNewLanguage)
                             .in(in)
                             .out(sums)
                             .seconds({{kItems}, {kSize}});
  const auto reference = [&](size_t group) {
    const auto first = in.begin() + static_cast<long>(group * kSize);
    return std::accumulate(first, first + kSize, 0.0);
  };
  expect(sums, reference, 1e-5);
  return 1e-9 * kItems / seconds;
}

template <size_t kSize>
double collectiveScan(const std::string& platform) {
  need(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, platform);
  const auto in = randoms<float>(kItems, 0, 1);
  std::vector<float> out(kItems);
  std::vector<double> sums(kItems);
  const double seconds = ComputeKernel(platform, "group.cl", "collective_scan", kNewLanguage)
                             .in(in)
                             .out(out)
                             .seconds({{kItems}, {kSize}});
  for (size_t i = 0; i < kItems; ++i) sums[i] = (i % kSize == 0 ? 0 : sums[i - 1]) + in[i];
  expect(out, [&](size_t i) { return sums[i]; }, 1e-5);
  return 1e-9 * kItems / seconds;
}

/// Each item gets the mean of its four neighbours in its group, which is a torus.
double tile(const std::string& platform, size_t width, size_t height, size_t groupWidth,
            size_t groupHeight) {
  const auto in = randoms<float>(width * height, 0, 1);
  std::vector<float> out(in.size());
  const double seconds = ComputeKernel(platform, "group.cl", "tile", kNewLanguage)
                             .in(in)
                             .out(out)
                             .seconds({{width, height}, {groupWidth, groupHeight}});
  const auto reference = [&](size_t i) {
    const size_t x = i % width, y = i / width;
    const size_t left = x / groupWidth * groupWidth, top = y / groupHeight * groupHeight;
    const size_t columns = std::min(groupWidth, width - left);
    const size_t rows = std::min(groupHeight, height - top);
    const auto at = [&](size_t column, size_t row) {
      return in[(top + (y - top + row) % rows) * width + left + (x - left + column) % columns];
    };
    return (at(1, 0) + at(columns - 1, 0) + at(0, 1) + at(0, rows - 1)) / 4;
  };
  expect(out, reference, 1e-5);
  return 1e-9 * static_cast<double>(in.size()) / seconds;
}
template <size_t kWidth, size_t kHeight, size_t kGroupWidth, size_t kGroupHeight>
double tile(const std::string& platform) {
  if (kWidth % kGroupWidth != 0 || kHeight % kGroupHeight != 0)
    need(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, platform);
  return tile(platform, kWidth, kHeight, kGroupWidth, kGroupHeight);
}

double fft(const std::string& platform) {
  constexpr size_t kPoints = 256, kGroups = 4096;
  const auto in = randoms<float>(kPoints * kGroups * 2, -1, 1);
  std::vector<float> out(in.size()), roots(kPoints * 2);
  const auto angle = [](size_t i) { return -2 * std::numbers::pi * double(i) / kPoints; };
  for (size_t i = 0; i < kPoints; ++i) {
    roots[i * 2] = static_cast<float>(std::cos(angle(i)));
    roots[i * 2 + 1] = static_cast<float>(std::sin(angle(i)));
  }
  const double seconds = ComputeKernel(platform, "group.cl", "fft", "-DSIZE=64")
                             .in(in)
                             .out(out)
                             .in(roots)
                             .seconds({{kGroups * 64}, {64}});
  const auto reference = [&](size_t i) {
    const size_t first = i / 2 / kPoints * kPoints, wanted = i / 2 % kPoints;
    double real = 0, imaginary = 0;
    for (size_t n = 0; n < kPoints; ++n) {
      const double c = std::cos(angle(n * wanted % kPoints)),
                   s = std::sin(angle(n * wanted % kPoints));
      const double x = in[(first + n) * 2], y = in[(first + n) * 2 + 1];
      real += x * c - y * s;
      imaginary += x * s + y * c;
    }
    return i % 2 == 0 ? real : imaginary;
  };
  expect(out, reference, 1e-4, 501);
  return 1e-9 * 5 * 8 * kPoints * kGroups / seconds;  // by custom, 5 n log2 n
}

double relax(const std::string& platform) {
  constexpr size_t kSize = 256, kCount = size_t{1} << 20;
  const auto in = randoms<float>(kCount, -1, 1);
  std::vector<cl_uint> rounds(kCount);
  std::vector<float> out(kCount);
  double operations = 0;
  for (size_t i = 0; i < kCount; ++i) {
    rounds[i] = static_cast<cl_uint>(4 + i / kSize % 8);
    operations += rounds[i] * (16 * 6 + 2);
  }
  const double seconds =
      ComputeKernel(platform, "group.cl", "relax", "-DSIZE=" + std::to_string(kSize))
          .in(in)
          .in(rounds)
          .out(out)
          .seconds({{kCount}, {kSize}});
  const auto reference = [&](size_t i) {
    const size_t first = i / kSize * kSize;
    std::vector<double> x(in.begin() + long(first), in.begin() + long(first + kSize));
    for (cl_uint r = 0; r < rounds[i]; ++r) {
      const std::vector<double> before = x;
      for (size_t l = 0; l < kSize; ++l) {
        const double left = l == 0 ? 0 : before[l - 1];
        const double right = l + 1 == kSize ? 0 : before[l + 1];
        for (int k = 0; k < 16; ++k)
          x[l] = x[l] * (0.75 - 0.25 * x[l] * x[l]) + 0.125 * (left + right);
      }
    }
    return x[i - first];
  };
  expect(out, reference, 1e-4, 4001);
  return 1e-9 * operations / seconds;
}

/// Checks the bins and turns the time into bytes.
double counted(const std::vector<cl_uchar>& in, const std::vector<cl_uint>& bins, double seconds) {
  std::vector<cl_uint> counts(bins.size());
  for (const cl_uchar byte : in) ++counts[byte];
  expect(bins, [&](size_t i) { return counts[i]; });
  return 1e-9 * static_cast<double>(in.size()) / seconds;
}

constexpr size_t kBins = 256;
constexpr cl_int kEach = 64;

double localHistogram(const std::string& platform) {
  const auto in = randoms<cl_uchar>(size_t{1} << 24, 0, kBins);
  std::vector<cl_uint> bins(kBins);
  const double seconds = platform == kNative
                             ? nativeSeconds(
                                   in.size(), 64,
                                   [&](size_t begin, size_t end) {
                                     native::privateHistogram(in.data(), bins.data(), begin, end);
                                   },
                                   [&] { std::ranges::fill(bins, 0); })
                             : ComputeKernel(platform, "histogram.cl", "local_bins")
                                   .in(in)
                                   .sum(bins)
                                   .value(kEach)
                                   .seconds({{in.size() / kEach}, {kBins}});
  return counted(in, bins, seconds);
}

double globalHistogram(const std::string& platform) {
  const auto in = randoms<cl_uchar>(size_t{1} << 21, 0, kBins);
  std::vector<cl_uint> bins(kBins);
  const double seconds = platform == kNative
                             ? nativeSeconds(
                                   in.size(), 64,
                                   [&](size_t begin, size_t end) {
                                     native::atomicHistogram(in.data(), bins.data(), begin, end);
                                   },
                                   [&] { std::ranges::fill(bins, 0); })
                             : ComputeKernel(platform, "histogram.cl", "global_bins")
                                   .in(in)
                                   .sum(bins)
                                   .value(kEach)
                                   .seconds({{in.size() / kEach}, {kBins}});
  return counted(in, bins, seconds);
}

/// Sequentially consistent additions of one kernel, each work-item's to a place of its own.
template <bool kLocal>
double atomicPlaces(const std::string& platform) {
  constexpr size_t kItems = size_t{1} << 16;
  constexpr cl_int kRounds = 64;
  std::vector<cl_uint> cells(kItems), sums(kItems);
  const double seconds = ComputeKernel(platform, "histogram.cl", "places", kNewLanguage)
                             .out(cells)
                             .out(sums)
                             .value(kLocal ? kRounds : 0)
                             .value(kLocal ? 0 : kRounds)
                             .seconds({{kItems}, {64}});
  constexpr double kSum = kRounds * (kRounds - 1) / 2.0;
  expect(sums, [&](size_t) { return kSum; }, 0);
  return 1e-9 * kItems * kRounds / seconds;
}

constexpr Case kCases[] = {
    {"reduction 64", "Gitems/s", true, reduce<64>, "barrier", true},
    {"reduction 256", "Gitems/s", true, reduce<256>, "barrier", true},
    {"reduction 1024", "Gitems/s", true, reduce<1024>, "barrier", true},
    {"scan 64", "Gitems/s", true, scan<64>, "barrier", true},
    {"scan 256", "Gitems/s", true, scan<256>, "barrier", true},
    {"scan 1024", "Gitems/s", true, scan<1024>, "barrier", true},
    {"work_group_reduce_add, 256 floats", "Gitems/s", true, collectiveReduce<256>, "barrier"},
    {"work_group_scan_inclusive_add, 256 floats", "Gitems/s", true, collectiveScan<256>, "barrier"},
    {"tile 16x16", "Gitems/s", true, tile<1024, 1024, 16, 16>, "barrier"},
    {"tile 16x16, ragged", "Gitems/s", true, tile<1015, 1011, 16, 16>, "barrier", false,
     "^tile 16x16$"},
    {"tile 64x1", "Gitems/s", true, tile<1024, 1024, 64, 1>, "barrier"},
    {"tile 64x1, ragged", "Gitems/s", true, tile<1000, 1024, 64, 1>, "barrier", false,
     "^tile 64x1$"},
    {"tile 13x7", "Gitems/s", true, tile<1014, 1015, 13, 7>, "barrier"},
    {"tile 13x7, ragged", "Gitems/s", true, tile<1021, 1019, 13, 7>, "barrier", false,
     "^tile 13x7$"},
    {"fft 256", "GFLOP/s", true, fft, "barrier"},
    {"relaxation, rounds in data", "GFLOP/s", true, relax, "barrier"},
    {"histogram, local atomics", "Gitems/s", true, localHistogram, "local-atomics", true},
    {"histogram, global atomics", "Gitems/s", true, globalHistogram, "global-atomics", true},
    {"atomics, global memory", "Gops/s", true, atomicPlaces<false>, "global-atomics"},
    {"atomics, local memory", "Gops/s", true, atomicPlaces<true>, "local-atomics", false,
     "^atomics, global memory$"},
};

}  // namespace

std::span<const Case> groupCases() { return kCases; }

}  // namespace weft::bench
