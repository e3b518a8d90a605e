// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"

// Functions that a host may have estimates of in hardware. Where it does, the compiler puts code
// with those instructions in the place of calls (compiler/lanes/estimates.h); the bodies in
// estimate.cl are for all other hosts. The first four are within 2 ULP, but for results and
// divisors that are next to denormal.
#define WEFT_ESTIMATE __attribute__((overloadable, const, noinline))

WEFT_ESTIMATE float weft_estimate_rsqrt(float x);
WEFT_ESTIMATE float weft_estimate_recip(float x);
WEFT_ESTIMATE float weft_estimate_sqrt(float x);
// Denormal y may count as zeros.
WEFT_ESTIMATE float weft_estimate_divide(float x, float y);

// Whether the host has instructions for what follows, all of it exact but for the last rounding;
// elsewhere it is not called.
WEFT_ESTIMATE int weft_estimate_onhost(void);
// x 2^n, n whole.
WEFT_ESTIMATE float weft_estimate_scale(float x, float n);
WEFT_ESTIMATE double weft_estimate_scale(double x, double n);
// |x| is the significand, in [1, 2), by 2 to the exponent, for denormal numbers too.
WEFT_ESTIMATE float weft_estimate_exponent(float x);
WEFT_ESTIMATE double weft_estimate_exponent(double x);
WEFT_ESTIMATE float weft_estimate_significand(float x);
WEFT_ESTIMATE double weft_estimate_significand(double x);
// The value of a logarithm of x, or its special case (weftLogResult).
WEFT_ESTIMATE float weft_estimate_logresult(float x, float value);
WEFT_ESTIMATE double weft_estimate_logresult(double x, double value);

#define WEFT_API_HOT __attribute__((overloadable, const, always_inline))

// Functions of all widths from one of floats, which takes the elements one by one.
#define WEFT_HALVES_UNARY(name, n) \
  WEFT_API_HOT float##n name(float##n x) { return (float##n)(name(x.lo), name(x.hi)); }
#define WEFT_ELEMENTWISE_UNARY(name, scalar)                                            \
  WEFT_API_HOT float name(float x) { return scalar(x); }                                \
  WEFT_API_HOT float2 name(float2 x) { return (float2)(scalar(x.x), scalar(x.y)); }     \
  WEFT_API_HOT float3 name(float3 x) {                                                  \
    return (float3)(scalar(x.x), scalar(x.y), scalar(x.z));                             \
  }                                                                                     \
  WEFT_HALVES_UNARY(name, 4) WEFT_HALVES_UNARY(name, 8) WEFT_HALVES_UNARY(name, 16)

#define WEFT_HALVES_BINARY(name, n)                        \
  WEFT_API_HOT float##n name(float##n x, float##n y) {     \
    return (float##n)(name(x.lo, y.lo), name(x.hi, y.hi)); \
  }
#define WEFT_ELEMENTWISE_BINARY(name, scalar)                                \
  WEFT_API_HOT float name(float x, float y) { return scalar(x, y); }         \
  WEFT_API_HOT float2 name(float2 x, float2 y) {                             \
    return (float2)(scalar(x.x, y.x), scalar(x.y, y.y));                     \
  }                                                                          \
  WEFT_API_HOT float3 name(float3 x, float3 y) {                             \
    return (float3)(scalar(x.x, y.x), scalar(x.y, y.y), scalar(x.z, y.z));   \
  }                                                                          \
  WEFT_HALVES_BINARY(name, 4) WEFT_HALVES_BINARY(name, 8) WEFT_HALVES_BINARY(name, 16)
