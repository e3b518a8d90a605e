// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Like float_width.h for a Real of double elements.
#define REAL double
#define INT long
#define UINT ulong
#define REAL_IS_FLOAT 0
#define MANTISSA_BITS 52
#define EXPONENT_BIAS 1023
#define MAGNITUDE_MASK 0x7fffffffffffffffL
#define INFINITY_BITS 0x7ff0000000000000L
#include "math/each_width.h"
#include "math/width_end.h"
