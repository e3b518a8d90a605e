// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain C++ references of kernels that more than one file of cases runs.
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace weft::bench {

/// Element i of the result of `sobel` in kernels/image.cl.
inline int sobelAt(const std::vector<cl_uchar>& in, size_t columns, size_t rows, size_t i) {
  const size_t column = i % columns, row = i / columns;
  if (column == 0 || row == 0 || column == columns - 1 || row == rows - 1) return 0;
  const auto at = [&](int x, int y) {
    return int{in[static_cast<size_t>((long(row) + y) * long(columns) + long(column) + x)]};
  };
  int across = 0, down = 0;
  for (int k = -1; k <= 1; ++k) {
    const int weight = k == 0 ? 2 : 1;
    across += weight * (at(1, k) - at(-1, k));
    down += weight * (at(k, 1) - at(k, -1));
  }
  return std::min(std::abs(across) + std::abs(down), 255);
}

/// An option of the Black-Scholes model, as in kernels/arithmetic.cl.
struct Option {
  double price, strike, years, rate, volatility;

  double call() const { return price * normal(d1()) - discounted() * normal(d2()); }
  double put() const { return discounted() * normal(-d2()) - price * normal(-d1()); }

 private:
  static double normal(double x) { return 0.5 * std::erfc(-x * std::sqrt(0.5)); }
  double root() const { return volatility * std::sqrt(years); }
  double d1() const {
    return (std::log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / root();
  }
  double d2() const { return d1() - root(); }
  double discounted() const { return strike * std::exp(-rate * years); }
};

}  // namespace weft::bench
