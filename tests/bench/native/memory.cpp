// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native.h"

namespace weft::bench::native {

void triad(const float* a, const float* b, float* c, float factor, size_t begin, size_t end) {
#pragma omp simd
  for (size_t i = begin; i < end; ++i) c[i] = a[i] + factor * b[i];
}

void convolve(const float* in, const float* weights, float* out, size_t size, size_t begin,
              size_t end) {
  for (size_t row = begin; row < end; ++row)
#pragma omp simd
    for (size_t column = 0; column < size; ++column) {
      float sum = 0;
      for (size_t y = 0; y < kSide; ++y)
        for (size_t x = 0; x < kSide; ++x)
          sum += weights[y * kSide + x] * in[(row + y) * (size + kSide - 1) + column + x];
      out[row * size + column] = sum;
    }
}

void sobel(const uint8_t* in, uint8_t* out, size_t columns, size_t rows, size_t begin, size_t end) {
  for (size_t row = begin; row < end; ++row) {
    uint8_t* to = out + row * columns;
    if (row == 0 || row == rows - 1) {
      for (size_t column = 0; column < columns; ++column) to[column] = 0;
      continue;
    }
    const uint8_t* above = in + (row - 1) * columns;
    const uint8_t* middle = above + columns;
    const uint8_t* below = middle + columns;
    to[0] = to[columns - 1] = 0;
#pragma omp simd
    for (size_t column = 1; column < columns - 1; ++column) {
      const size_t w = column - 1, e = column + 1;
      const auto across = static_cast<int16_t>(above[e] + 2 * middle[e] + below[e] - above[w] -
                                               2 * middle[w] - below[w]);
      const auto down = static_cast<int16_t>(below[w] + 2 * below[column] + below[e] - above[w] -
                                             2 * above[column] - above[e]);
      const auto sum =
          static_cast<int16_t>((across < 0 ? -across : across) + (down < 0 ? -down : down));
      to[column] = static_cast<uint8_t>(sum < 255 ? sum : 255);
    }
  }
}

}  // namespace weft::bench::native
