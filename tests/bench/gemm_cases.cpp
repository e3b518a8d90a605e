// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compute.h"
#include "native/native.h"

// Products of square matrices, in GFLOP/s.
namespace weft::bench {
namespace {

template <class Real>
struct Product {
  explicit Product(size_t size)
      : n(size), a(randoms<Real>(n * n, -1, 1, 1)), b(randoms<Real>(n * n, -1, 1, 2)), c(n * n) {}

  double onDevice(const std::string& platform, const char* kernel, const Shape& shape) {
    const char* real = sizeof(Real) == 4 ? "-DREAL=float" : "-DREAL=double";
    return ComputeKernel(platform, "gemm.cl", kernel, real)
        .in(a)
        .in(b)
        .out(c)
        .value(static_cast<cl_int>(n))
        .seconds(shape);
  }

  /// Checks c and turns the time into operations.
  double gigaflops(double seconds) const {
    const auto reference = [&](size_t i) {
      double sum = 0;
      for (size_t k = 0; k < n; ++k) sum += double(a[i / n * n + k]) * double(b[k * n + i % n]);
      return sum;
    };
    expect(c, reference, sizeof(Real) == 4 ? 1e-4 : 1e-12, 173);
    return 2e-9 * static_cast<double>(n * n * n) / seconds;
  }

  size_t n;
  std::vector<Real> a, b, c;
};

double sgemmNaive(const std::string& platform) {
  Product<float> product(512);
  return product.gigaflops(
      platform == kNative
          ? nativeSeconds(product.n, 1,
                          [&](size_t begin, size_t end) {
                            native::sgemmNaive(product.a.data(), product.b.data(), product.c.data(),
                                               product.n, begin, end);
                          })
          : product.onDevice(platform, "naive", {{product.n, product.n}, {16, 16}}));
}

double sgemmTiled(const std::string& platform) {
  Product<float> product(512);
  return product.gigaflops(product.onDevice(platform, "tiled", {{product.n, product.n}, {16, 16}}));
}

double sgemmBlocked(const std::string& platform) {
  Product<float> product(768);
  const size_t items = product.n / 4;
  return product.gigaflops(platform == kNative
                               ? nativeSeconds(product.n, native::kGemmRows,
                                               [&](size_t begin, size_t end) {
                                                 native::sgemmBlocked(
                                                     product.a.data(), product.b.data(),
                                                     product.c.data(), product.n, begin, end);
                                               })
                               : product.onDevice(platform, "blocked", {{items, items}, {16, 16}}));
}

double dgemmNaive(const std::string& platform) {
  Product<double> product(384);
  return product.gigaflops(product.onDevice(platform, "naive", {{product.n, product.n}, {16, 16}}));
}

constexpr Case kCases[] = {
    {"sgemm naive", "GFLOP/s", true, sgemmNaive, "compute", true},
    {"sgemm tiled", "GFLOP/s", true, sgemmTiled, "barrier"},
    {"sgemm register-blocked", "GFLOP/s", true, sgemmBlocked, "barrier", true},
    {"dgemm naive", "GFLOP/s", true, dgemmNaive, "compute"},
};

}  // namespace

std::span<const Case> gemmCases() { return kCases; }

}  // namespace weft::bench
