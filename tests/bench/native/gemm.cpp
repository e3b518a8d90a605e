// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native.h"

namespace weft::bench::native {
namespace {

/// Results of kRows x kColumns, their sums in registers, over k in [from, to).
template <size_t kRows, size_t kColumns>
void block(const float* a, const float* b, float* c, size_t n, size_t from, size_t to, bool first) {
  float sum[kRows][kColumns];
  for (size_t i = 0; i < kRows; ++i)
#pragma omp simd
    for (size_t j = 0; j < kColumns; ++j) sum[i][j] = first ? 0 : c[i * n + j];
  for (size_t k = from; k < to; ++k)
    for (size_t i = 0; i < kRows; ++i)
#pragma omp simd
      for (size_t j = 0; j < kColumns; ++j) sum[i][j] += a[i * n + k] * b[k * n + j];
  for (size_t i = 0; i < kRows; ++i)
#pragma omp simd
    for (size_t j = 0; j < kColumns; ++j) c[i * n + j] = sum[i][j];
}

}  // namespace

void sgemmNaive(const float* a, const float* b, float* c, size_t n, size_t begin, size_t end) {
  for (size_t row = begin; row < end; ++row)
    for (size_t column = 0; column < n; column += 64)
      block<1, 64>(a + row * n, b + column, c + row * n + column, n, 0, n, true);
}

void sgemmBlocked(const float* a, const float* b, float* c, size_t n, size_t begin, size_t end) {
  constexpr size_t kDepth = 128;  // of b, 64 columns wide: 32 KiB
  for (size_t k = 0; k < n; k += kDepth)
    for (size_t column = 0; column < n; column += 64)
      for (size_t row = begin; row < end; row += kGemmRows)
        block<kGemmRows, 64>(a + row * n, b + column, c + row * n + column, n, k,
                             k + kDepth < n ? k + kDepth : n, k == 0);
}

}  // namespace weft::bench::native
