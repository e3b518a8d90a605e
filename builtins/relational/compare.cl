// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft_common.h"

// True is 1 for scalars and all ones for vectors, which is what Clang's comparisons give. The
// result of a scalar comparison is int for every type; R is the result's type for vectors.
#define COMPARE(n, T, R)                                                                  \
  WEFT_CONST R##n isequal(T##n x, T##n y) { return x == y; }                              \
  WEFT_CONST R##n isnotequal(T##n x, T##n y) { return x != y; }                           \
  WEFT_CONST R##n isgreater(T##n x, T##n y) { return x > y; }                             \
  WEFT_CONST R##n isgreaterequal(T##n x, T##n y) { return x >= y; }                       \
  WEFT_CONST R##n isless(T##n x, T##n y) { return x < y; }                                \
  WEFT_CONST R##n islessequal(T##n x, T##n y) { return x <= y; }                          \
  WEFT_CONST R##n islessgreater(T##n x, T##n y) { return (x < y) | (x > y); }             \
  WEFT_CONST R##n isordered(T##n x, T##n y) { return (x == x) & (y == y); }               \
  WEFT_CONST R##n isunordered(T##n x, T##n y) { return (x != x) | (y != y); }             \
  WEFT_CONST R##n isnan(T##n x) { return x != x; }

COMPARE(, float, int)
COMPARE(, double, int)
COMPARE(, half, int)
WEFT_FOR_VECTORS(COMPARE, float, int)
WEFT_FOR_VECTORS(COMPARE, double, long)
WEFT_FOR_VECTORS(COMPARE, half, short)
