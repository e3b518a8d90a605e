// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compute.h"
#include "native/native.h"

// Kernels that move more than they compute; GB/s count each byte that is read or written.
namespace weft::bench {
namespace {

double copy(const std::string& platform) {
  constexpr size_t kCount = size_t{1} << 24;
  const auto from = randoms<float>(kCount, -1, 1);
  std::vector<float> to(kCount);
  const double seconds =
      ComputeKernel(platform, "memory.cl", "copy").in(from).out(to).seconds({{kCount}, {64}});
  expect(to, [&](size_t i) { return from[i]; });
  return 2e-9 * sizeof(float) * kCount / seconds;
}

double triad(const std::string& platform) {
  constexpr size_t kCount = size_t{1} << 23;
  constexpr float kFactor = 3;
  const auto a = randoms<float>(kCount, -1, 1, 1), b = randoms<float>(kCount, -1, 1, 2);
  std::vector<float> c(kCount);
  const double seconds =
      platform == kNative
          ? nativeSeconds(kCount, 64,
                          [&](size_t begin, size_t end) {
                            native::triad(a.data(), b.data(), c.data(), kFactor, begin, end);
                          })
          : ComputeKernel(platform, "memory.cl", "triad")
                .in(a)
                .in(b)
                .out(c)
                .value(kFactor)
                .seconds({{kCount}, {64}});
  expect(c, [&](size_t i) { return a[i] + kFactor * b[i]; }, 1e-6);
  return 3e-9 * sizeof(float) * kCount / seconds;
}

double transposed(const std::string& platform, const char* kernel) {
  constexpr size_t kSize = 2048;
  const auto from = randoms<float>(kSize * kSize, -1, 1);
  std::vector<float> to(kSize * kSize);
  const double seconds = ComputeKernel(platform, "memory.cl", kernel)
                             .in(from)
                             .out(to)
                             .value(static_cast<cl_int>(kSize))
                             .seconds({{kSize, kSize}, {16, 16}});
  expect(to, [&](size_t i) { return from[i % kSize * kSize + i / kSize]; });
  return 2e-9 * sizeof(float) * kSize * kSize / seconds;
}
double transpose(const std::string& platform) { return transposed(platform, "transpose"); }
double transposeTiled(const std::string& platform) {
  return transposed(platform, "transpose_tiled");
}

/// Rows of 0 to 32 elements anywhere near the diagonal.
double spmv(const std::string& platform) {
  constexpr size_t kRows = size_t{1} << 18;
  constexpr cl_int kBand = 4096;
  Random random;
  std::vector<cl_int> starts = {0}, columns;
  for (size_t row = 0; row < kRows; ++row) {
    for (cl_uint count = random.bits() % 33; count != 0; --count) {
      const auto column = static_cast<cl_int>(row) + static_cast<cl_int>(random.bits() % kBand);
      columns.push_back(std::min(column, static_cast<cl_int>(kRows) - 1));
    }
    starts.push_back(static_cast<cl_int>(columns.size()));
  }
  const auto values = randoms<float>(columns.size(), -1, 1), x = randoms<float>(kRows, -1, 1, 2);
  std::vector<float> y(kRows);
  const double seconds = ComputeKernel(platform, "memory.cl", "spmv")
                             .in(starts)
                             .in(columns)
                             .in(values)
                             .in(x)
                             .out(y)
                             .seconds({{kRows}, {64}});
  const auto reference = [&](size_t row) {
    double sum = 0;
    for (auto i = static_cast<size_t>(starts[row]); i < static_cast<size_t>(starts[row + 1]); ++i)
      sum += double(values[i]) * double(x[static_cast<size_t>(columns[i])]);
    return sum;
  };
  expect(y, reference, 1e-4);
  return 2e-9 * static_cast<double>(columns.size()) / seconds;
}

constexpr Case kCases[] = {
    {"copy", "GB/s", true, copy, "bandwidth"},
    {"triad", "GB/s", true, triad, "bandwidth", true},
    {"transpose naive", "GB/s", true, transpose, "bandwidth"},
    {"transpose tiled", "GB/s", true, transposeTiled, "barrier"},
    {"spmv csr", "GFLOP/s", true, spmv, "compute"},
};

}  // namespace

std::span<const Case> memoryCases() { return kCases; }

}  // namespace weft::bench
