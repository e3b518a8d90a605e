// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The platform "Native": what a C++ compiler makes of the same algorithms for this very CPU. Each
// function computes the part [begin, end) of its results. Their files are compiled with other flags
// than the rest, so they instantiate nothing that the rest uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::bench::native {

/// Rows of c, one dot product for each element; n is a multiple of 64.
void sgemmNaive(const float* a, const float* b, float* c, size_t n, size_t begin, size_t end);

/// The same in blocks that stay in registers and caches; begin and end are multiples of kGemmRows.
constexpr size_t kGemmRows = 4;
void sgemmBlocked(const float* a, const float* b, float* c, size_t n, size_t begin, size_t end);

/// Accelerations of bodies {x, y, z, mass}; begin and end are multiples of kBodies.
constexpr size_t kBodies = 32;
void nbody(const float* bodies, float* accelerations, size_t count, float softening, size_t begin,
           size_t end);

/// Iterations of the pixels of rows of the square [-2, 1] x [-1.5, 1.5]; size is a multiple of 32.
void mandelbrot(uint32_t* iterations, size_t size, uint32_t limit, size_t begin, size_t end);

void blackScholes(const float* price, const float* strike, const float* years, float* call,
                  float* put, float rate, float volatility, size_t begin, size_t end);

void triad(const float* a, const float* b, float* c, float factor, size_t begin, size_t end);

/// Rows of a square image; `in` has kSide - 1 more columns and rows.
constexpr size_t kSide = 5;
void convolve(const float* in, const float* weights, float* out, size_t size, size_t begin,
              size_t end);

void sobel(const uint8_t* in, uint8_t* out, size_t columns, size_t rows, size_t begin, size_t end);

/// Groups of `size` items, 64, 256 or 1024: the same steps as the kernels, a vector loop for each.
void reduce(const uint32_t* in, uint32_t* sums, size_t size, size_t begin, size_t end);
void scan(const uint32_t* in, uint32_t* out, size_t size, size_t begin, size_t end);

/// Sub-groups of 16 items: [begin, end) of them, of groups of 256 items, or of matrices.
void subGroupReduce(const float* in, float* out, size_t begin, size_t end);
void subGroupScan(const float* in, float* out, size_t begin, size_t end);
void subGroupScanGroup(const uint32_t* in, uint32_t* out, size_t begin, size_t end);
void subGroupShuffle(const uint32_t* in, const uint32_t* places, uint32_t* out, size_t begin,
                     size_t end);
void subGroupTranspose(const uint32_t* in, uint32_t* out, size_t begin, size_t end);

/// Bytes, into bins of the thread that are added to `bins` at the end.
void privateHistogram(const uint8_t* in, uint32_t* bins, size_t begin, size_t end);
void atomicHistogram(const uint8_t* in, uint32_t* bins, size_t begin, size_t end);

}  // namespace weft::bench::native
