// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native.h"

namespace weft::bench::native {
namespace {

constexpr size_t kMostItems = 1024;
constexpr size_t kBins = 256;

}  // namespace

void reduce(const uint32_t* in, uint32_t* sums, size_t size, size_t begin, size_t end) {
  uint32_t cells[kMostItems];
  for (size_t group = begin; group < end; ++group) {
#pragma omp simd
    for (size_t l = 0; l < size; ++l) cells[l] = in[group * size + l];
    for (size_t half = size / 2; half > 0; half /= 2)
#pragma omp simd
      for (size_t l = 0; l < half; ++l) cells[l] += cells[l + half];
    sums[group] = cells[0];
  }
}

void scan(const uint32_t* in, uint32_t* out, size_t size, size_t begin, size_t end) {
  uint32_t cells[2][kMostItems];
  for (size_t group = begin; group < end; ++group) {
    uint32_t *from = cells[0], *to = cells[1];
#pragma omp simd
    for (size_t l = 0; l < size; ++l) from[l] = in[group * size + l];
    for (size_t distance = 1; distance < size; distance *= 2) {
#pragma omp simd
      for (size_t l = 0; l < distance; ++l) to[l] = from[l];
#pragma omp simd
      for (size_t l = distance; l < size; ++l) to[l] = from[l] + from[l - distance];
      uint32_t* const last = from;
      from = to;
      to = last;
    }
#pragma omp simd
    for (size_t l = 0; l < size; ++l) out[group * size + l] = from[l];
  }
}

void privateHistogram(const uint8_t* in, uint32_t* bins, size_t begin, size_t end) {
  // Four tables, so that equal neighbours do not wait for each other.
  uint32_t counts[4][kBins] = {};
  size_t i = begin;
  for (; i + 4 <= end; i += 4)
    for (size_t table = 0; table < 4; ++table) ++counts[table][in[i + table]];
  for (; i < end; ++i) ++counts[0][in[i]];
  for (size_t bin = 0; bin < kBins; ++bin)
    __atomic_fetch_add(&bins[bin],
                       counts[0][bin] + counts[1][bin] + counts[2][bin] + counts[3][bin],
                       __ATOMIC_RELAXED);
}

void atomicHistogram(const uint8_t* in, uint32_t* bins, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) __atomic_fetch_add(&bins[in[i]], 1, __ATOMIC_RELAXED);
}

}  // namespace weft::bench::native
