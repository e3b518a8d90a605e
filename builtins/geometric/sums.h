// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"

// M(n, ...) for the sizes that geometric functions have.
#define WEFT_FOR_GEOMETRIC(M, ...) \
  M(, __VA_ARGS__) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__)

// Sum of the products of the components, and the largest component, in a fixed order.
#define WEFT_DOT_(x, y) ((x) * (y))
#define WEFT_DOT_2(x, y) ((x).s0 * (y).s0 + (x).s1 * (y).s1)
#define WEFT_DOT_3(x, y) (WEFT_DOT_2(x, y) + (x).s2 * (y).s2)
#define WEFT_DOT_4(x, y) (WEFT_DOT_2(x, y) + ((x).s2 * (y).s2 + (x).s3 * (y).s3))
#define WEFT_DOT(n, x, y) WEFT_DOT_##n(x, y)

#define WEFT_LARGEST_(x) (x)
#define WEFT_LARGEST_2(x) __builtin_elementwise_max((x).s0, (x).s1)
#define WEFT_LARGEST_3(x) __builtin_elementwise_max(WEFT_LARGEST_2(x), (x).s2)
#define WEFT_LARGEST_4(x) \
  __builtin_elementwise_max(WEFT_LARGEST_2(x), __builtin_elementwise_max((x).s2, (x).s3))
#define WEFT_LARGEST(n, x) WEFT_LARGEST_##n(x)

// The power of two that brings the components of a vector of doubles to a size whose squares
// neither overflow nor lose bits, and its inverse. 2^600 leaves room on both sides for the sum of
// four squares.
WEFT_INLINE double weftScaleFor(double largest) {
  double scale = largest > 0x1p500 ? 0x1p-600 : 1.0;
  return largest < 0x1p-450 ? 0x1p600 : scale;
}
WEFT_INLINE double weftUnscaleFor(double largest) {
  double scale = largest > 0x1p500 ? 0x1p600 : 1.0;
  return largest < 0x1p-450 ? 0x1p-600 : scale;
}
