// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one would write by hand for the same steps: vectors of 16, and shuffles of them.
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "native.h"

namespace weft::bench::native {
namespace {

using Floats = float __attribute__((vector_size(64)));
using Numbers = uint32_t __attribute__((vector_size(64)));
constexpr size_t kLanes = 16;

template <class Vector, class T>
Vector load(const T* from) {
  Vector vector;
  __builtin_memcpy(&vector, from, sizeof vector);
  return vector;
}
template <class Vector, class T>
void store(T* to, Vector vector) {
  __builtin_memcpy(to, &vector, sizeof vector);
}

// Clang's and GCC's builtin: what comes from the second vector has numbers from 16 on.
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

template <class Vector>
Vector scanned(Vector x) {
  const Vector zero = {};
  x += SHUFFLE(zero, x, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
  x += SHUFFLE(zero, x, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
  x += SHUFFLE(zero, x, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
  x += SHUFFLE(zero, x, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23);
  return x;
}

template <class Vector>
auto sumOf(Vector x) {
  x += SHUFFLE(x, x, 8, 9, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1);
  x += SHUFFLE(x, x, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  x += SHUFFLE(x, x, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  return x[0] + x[1];
}

Numbers permuted(Numbers x, Numbers places) {
#if defined(__AVX512F__)
  return reinterpret_cast<Numbers>(
      _mm512_permutexvar_epi32(reinterpret_cast<__m512i>(places), reinterpret_cast<__m512i>(x)));
#elif defined(__AVX2__)
  __m256i from[2], to[2], place[2];
  __builtin_memcpy(from, &x, sizeof x);
  __builtin_memcpy(place, &places, sizeof places);
  for (int i = 0; i < 2; ++i)
    to[i] = _mm256_blendv_epi8(_mm256_permutevar8x32_epi32(from[0], place[i]),
                               _mm256_permutevar8x32_epi32(from[1], place[i]),
                               _mm256_cmpgt_epi32(place[i], _mm256_set1_epi32(7)));
  __builtin_memcpy(&x, to, sizeof x);
  return x;
#else
  Numbers moved;
  for (size_t k = 0; k < kLanes; ++k) moved[k] = x[places[k] & 15];
  return moved;
#endif
}

}  // namespace

void subGroupReduce(const float* in, float* out, size_t begin, size_t end) {
  for (size_t part = begin; part < end; ++part) out[part] = sumOf(load<Floats>(in + part * kLanes));
}

void subGroupScan(const float* in, float* out, size_t begin, size_t end) {
  for (size_t part = begin; part < end; ++part)
    store(out + part * kLanes, scanned(load<Floats>(in + part * kLanes)));
}

void subGroupScanGroup(const uint32_t* in, uint32_t* out, size_t begin, size_t end) {
  for (size_t group = begin; group < end; ++group) {
    uint32_t before = 0;
    for (size_t i = group * 256; i < (group + 1) * 256; i += kLanes) {
      const Numbers sums = scanned(load<Numbers>(in + i)) + before;
      store(out + i, sums);
      before = sums[kLanes - 1];
    }
  }
}

void subGroupShuffle(const uint32_t* in, const uint32_t* places, uint32_t* out, size_t begin,
                     size_t end) {
  for (size_t part = begin; part < end; ++part) {
    Numbers x = load<Numbers>(in + part * kLanes);
    const Numbers place = load<Numbers>(places + part * kLanes);
    for (int step = 0; step < 8; ++step) x = x * 3 + permuted(x, place);
    store(out + part * kLanes, x);
  }
}

void subGroupTranspose(const uint32_t* in, uint32_t* out, size_t begin, size_t end) {
  for (size_t matrix = begin; matrix < end; ++matrix) {
    Numbers x[kLanes], y[kLanes];
    for (size_t row = 0; row < kLanes; ++row)
      x[row] = load<Numbers>(in + matrix * 256 + row * kLanes);
    // Pairs of rows, four times: of rows and columns the same bit changes places.
    for (size_t row = 0; row < 8; ++row) {
      y[row] = SHUFFLE(x[row], x[row + 8], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
      y[row + 8] =
          SHUFFLE(x[row], x[row + 8], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    }
    for (size_t row = 0; row < kLanes; ++row) {
      if (row & 4) continue;
      x[row] =
          SHUFFLE(y[row], y[row + 4], 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);
      x[row + 4] =
          SHUFFLE(y[row], y[row + 4], 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
    }
    for (size_t row = 0; row < kLanes; ++row) {
      if (row & 2) continue;
      y[row] =
          SHUFFLE(x[row], x[row + 2], 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
      y[row + 2] =
          SHUFFLE(x[row], x[row + 2], 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    }
    for (size_t row = 0; row < kLanes; row += 2) {
      x[row] =
          SHUFFLE(y[row], y[row + 1], 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30);
      x[row + 1] =
          SHUFFLE(y[row], y[row + 1], 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
    }
    for (size_t row = 0; row < kLanes; ++row) store(out + matrix * 256 + row * kLanes, x[row]);
  }
}

}  // namespace weft::bench::native
