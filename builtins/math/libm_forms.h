// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "math/lanes.h"
#include "weft_libm.h"

// A function that the host's libm computes: double directly, float by rounding the double
// result, vectors lane by lane.

#define WEFT_LIBM_DOUBLE(name)                                     \
  WEFT_CONST double name(double x) { return weft_libm_##name(x); } \
  WEFT_LANES_1(name, double, double)
#define WEFT_LIBM_FLOAT(name)                                                   \
  WEFT_CONST float name(float x) { return (float)weft_libm_##name((double)x); } \
  WEFT_LANES_1(name, float, float)
#define WEFT_LIBM_UNARY(name) WEFT_LIBM_DOUBLE(name) WEFT_LIBM_FLOAT(name)
