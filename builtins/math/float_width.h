// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No include guard: includes WEFT_BODY once for each width, for a Real of float elements.
//   Real Int Uint           the type worked on, its bits, and (Int) the result of comparisons
//   Wide WideInt WideUint   double, long and ulong of the same width
//   Int32                   int of the same width
//   R(c)                    a constant of Real's element type
//   TO(x, Type) AS(x, Type) conversion of the value, of the bits
//   FMA(a, b, c)            fused; constants widen. WIDE_FMA for Wide
//   ANY(c)                  whether a comparison holds in any lane
//   WHERE(c, value, call)   where c holds value becomes the result of a scalar call, in which
//                           LANE(x) is the element of x
// With WEFT_ONE_WIDTH defined the scalar is the only one.
// A file that is its own body tells the two uses apart by whether WEFT_BODY is defined.
#define REAL float
#define INT int
#define UINT uint
#define REAL_IS_FLOAT 1
#define MANTISSA_BITS 23
#define EXPONENT_BIAS 127
#define MAGNITUDE_MASK 0x7fffffff
#define INFINITY_BITS 0x7f800000
#include "math/each_width.h"
#include "math/width_end.h"
