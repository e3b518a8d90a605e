// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native.h"

namespace weft::bench::native {
namespace {

constexpr size_t kBins = 256;

/// Out of line, since over several groups Clang makes gathers of it.
template <size_t kSize>
[[gnu::noinline]] uint32_t sumOf(const uint32_t* items) {
  constexpr size_t kLast = 16;  // one vector's horizontal sum instead of the last steps
  uint32_t cells[kSize / 2];
  size_t half = kSize / 2;
#pragma omp simd
  for (size_t l = 0; l < half; ++l) cells[l] = items[l] + items[l + half];
  for (half /= 2; half >= kLast; half /= 2)
#pragma omp simd
    for (size_t l = 0; l < half; ++l) cells[l] += cells[l + half];
  uint32_t sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t l = 0; l < kLast; ++l) sum += cells[l];
  return sum;
}

template <size_t kSize>
void reduceGroups(const uint32_t* in, uint32_t* sums, size_t begin, size_t end) {
  for (size_t group = begin; group < end; ++group) sums[group] = sumOf<kSize>(in + group * kSize);
}

template <size_t kSize>
void scanGroups(const uint32_t* in, uint32_t* out, size_t begin, size_t end) {
  // Zeros in front, so that no step needs a condition.
  uint32_t cells[2][kSize * 2] = {};
  for (size_t group = begin; group < end; ++group) {
    uint32_t *from = cells[0] + kSize, *to = cells[1] + kSize;
#pragma omp simd
    for (size_t l = 0; l < kSize; ++l) from[l] = in[group * kSize + l];
    for (size_t distance = 1; distance < kSize; distance *= 2) {
#pragma omp simd
      for (size_t l = 0; l < kSize; ++l) to[l] = from[l] + from[l - distance];
      uint32_t* const last = from;
      from = to;
      to = last;
    }
#pragma omp simd
    for (size_t l = 0; l < kSize; ++l) out[group * kSize + l] = from[l];
  }
}

}  // namespace

void reduce(const uint32_t* in, uint32_t* sums, size_t size, size_t begin, size_t end) {
  switch (size) {
    case 64:
      return reduceGroups<64>(in, sums, begin, end);
    case 256:
      return reduceGroups<256>(in, sums, begin, end);
    case 1024:
      return reduceGroups<1024>(in, sums, begin, end);
  }
}

void scan(const uint32_t* in, uint32_t* out, size_t size, size_t begin, size_t end) {
  switch (size) {
    case 64:
      return scanGroups<64>(in, out, begin, end);
    case 256:
      return scanGroups<256>(in, out, begin, end);
    case 1024:
      return scanGroups<1024>(in, out, begin, end);
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
