// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>

#include "compute.h"
#include "references.h"

// The same kernels in the usual group sizes, in one that makes every item a group, and in what the
// platform chooses, for a round and for a prime global size.
namespace weft::bench {
namespace {

enum class Work { Copy, BlackScholes, Sobel };

struct Launch {
  const char* name;  ///< of the case
  Work work;
  size_t local;  ///< 0: the platform chooses. A square in two dimensions
  bool prime = false;
  const char* relativeTo = nullptr;
};

constexpr const char* kUsualCopy = "^copy, local (16|64|256)$";
constexpr const char* kUsualOptions = "^black-scholes, local (16|64|256)$";
constexpr const char* kUsualSobel = "^sobel, local (4x4|8x8|16x16)$";

constexpr Launch kLaunches[] = {
    {"copy, local 16", Work::Copy, 16},
    {"copy, local 64", Work::Copy, 64},
    {"copy, local 256", Work::Copy, 256},
    {"copy, local 1", Work::Copy, 1, false, kUsualCopy},
    {"copy, local NULL", Work::Copy, 0, false, kUsualCopy},
    {"copy, local NULL, prime size", Work::Copy, 0, true, kUsualCopy},
    {"black-scholes, local 16", Work::BlackScholes, 16},
    {"black-scholes, local 64", Work::BlackScholes, 64},
    {"black-scholes, local 256", Work::BlackScholes, 256},
    {"black-scholes, local 1", Work::BlackScholes, 1, false, kUsualOptions},
    {"black-scholes, local NULL", Work::BlackScholes, 0, false, kUsualOptions},
    {"black-scholes, local NULL, prime size", Work::BlackScholes, 0, true, kUsualOptions},
    {"sobel, local 4x4", Work::Sobel, 4},
    {"sobel, local 8x8", Work::Sobel, 8},
    {"sobel, local 16x16", Work::Sobel, 16},
    {"sobel, local 1", Work::Sobel, 1, false, kUsualSobel},
    {"sobel, local NULL", Work::Sobel, 0, false, kUsualSobel},
    {"sobel, local NULL, prime size", Work::Sobel, 0, true, kUsualSobel},
};

Shape line(size_t items, size_t local) { return {{items}, {local}}; }

double copy(const std::string& platform, const Launch& launch) {
  const size_t count = launch.prime ? 4194301 : size_t{1} << 22;
  const auto from = randoms<float>(count, -1, 1);
  std::vector<float> to(count);
  const double seconds = ComputeKernel(platform, "memory.cl", "copy")
                             .in(from)
                             .out(to)
                             .seconds(line(count, launch.local));
  expect(to, [&](size_t i) { return from[i]; });
  return 1e-9 * static_cast<double>(count) / seconds;
}

double blackScholes(const std::string& platform, const Launch& launch) {
  const size_t count = launch.prime ? 1048573 : size_t{1} << 20;
  constexpr float kRate = 0.02f, kVolatility = 0.3f;
  const auto price = randoms<float>(count, 5, 30, 1), strike = randoms<float>(count, 5, 30, 2),
             years = randoms<float>(count, 0.25, 10, 3);
  std::vector<float> call(count), put(count);
  const double seconds = ComputeKernel(platform, "arithmetic.cl", "blackscholes")
                             .in(price)
                             .in(strike)
                             .in(years)
                             .out(call)
                             .out(put)
                             .value(kRate)
                             .value(kVolatility)
                             .seconds(line(count, launch.local));
  const auto option = [&](size_t i) {
    return Option{price[i], strike[i], years[i], kRate, kVolatility};
  };
  expect(call, [&](size_t i) { return option(i).call(); }, 1e-4, 17);
  expect(put, [&](size_t i) { return option(i).put(); }, 1e-4, 17);
  return 1e-9 * static_cast<double>(count) / seconds;
}

double sobel(const std::string& platform, const Launch& launch) {
  const size_t size = launch.prime ? 2039 : 2048;
  const auto in = randoms<cl_uchar>(size * size, 0, 256);
  std::vector<cl_uchar> out(size * size);
  const double seconds = ComputeKernel(platform, "image.cl", "sobel")
                             .in(in)
                             .out(out)
                             .value(static_cast<cl_int>(size))
                             .value(static_cast<cl_int>(size))
                             .seconds({{size, size}, {launch.local, launch.local}});
  expect(out, [&](size_t i) { return sobelAt(in, size, size, i); });
  return 1e-9 * static_cast<double>(size * size) / seconds;
}

double gigaitems(const std::string& platform, const Launch& launch) {
  switch (launch.work) {
    case Work::Copy:
      return copy(platform, launch);
    case Work::BlackScholes:
      return blackScholes(platform, launch);
    case Work::Sobel:
      return sobel(platform, launch);
  }
  return 0;
}

template <size_t I>
double runOf(const std::string& platform) {
  return gigaitems(platform, kLaunches[I]);
}

template <size_t... I>
constexpr auto makeCases(std::index_sequence<I...>) {
  return std::array{Case{kLaunches[I].name, "Gitems/s", true, runOf<I>, "local-size", false,
                         kLaunches[I].relativeTo}...};
}
constexpr auto kCases = makeCases(std::make_index_sequence<std::size(kLaunches)>());

}  // namespace

std::span<const Case> localSizeCases() { return kCases; }

}  // namespace weft::bench
