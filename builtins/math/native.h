// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body of floats (see each_width.h): the shorter way of native_ and half_ functions. About
// 2^-19 of error, arguments of trigonometric functions up to some 2^20, denormal results are zero,
// and the logarithm of denormal numbers is that of zero.
#include "math/exp.h"
#include "math/log.h"
#include "math/trig.h"

// Nothing shorter will do: next to a multiple of pi/2, two of its three parts leave none of the bits
// right. Far out r is a little beyond pi/4. Beyond the range there is no right value, but there
// still is one of a sine.
WEFT_INLINE Real weftNativeReduce(Real x, __private Int* quadrant) {
  return weftClamp(weftReduceSmall(x, quadrant), -1.0f, 1.0f);
}
WEFT_INLINE Real weftNativeSin(Real r) {
  Real z = r * r;
  return r * FMA(z, FMA(z, 0x1.0b7ep-7f, -0x1.554424p-3f), 1);
}
WEFT_INLINE Real weftNativeCos(Real r) {
  Real z = r * r;
  Real p = FMA(z, -0x1.6449eap-10f, 0x1.553e66p-5f);
  p = FMA(z, p, -0x1.ffffb2p-2f);
  return FMA(z, p, 0x1.0p+0f);
}
WEFT_INLINE Real weftNativeSinOf(Real r, Int quadrant) {
  Real value = (quadrant & 1) != 0 ? weftNativeCos(r) : weftNativeSin(r);
  return AS(AS(value, Int) ^ ((quadrant & 2) << 30), Real);
}
WEFT_INLINE Real weftNativeTanOf(Real r, Int quadrant) {
  Real s = weftNativeSin(r);
  Real c = weftNativeCos(r);
  Int odd = (quadrant & 1) != 0;
  return (odd ? -c : s) / (odd ? s : c);
}

WEFT_INLINE Real weftNativeExp2(Real x) {
  Int n;
  Real whole = weftNearest(x, &n);
  Real r = x - whole;
  Real p = FMA(r, 0x1.5b54acp-10f, 0x1.3cee54p-7f);
  p = FMA(r, p, 0x1.c6b866p-5f);
  p = FMA(r, p, 0x1.ebf9b2p-3f);
  p = FMA(r, p, 0x1.62e428p-1f);
  p = FMA(r, p, 1);
  // At the ends of the range p is on the side of 1 where the exponent has room.
  Real value = AS(AS(p, Int) + (n << 23), Real);
  value = x < -126.0f ? (Real)0.0f : value;
  return x < 128.0f ? value : x + R(INFINITY);
}

WEFT_INLINE Real weftNativeLog2(Real x) {
  Int bits = AS(x, Int) - 0x3f3504f3;
  Real f = AS((bits & 0x7fffff) + 0x3f3504f3, Real) - R(1);
  Real p = FMA(f, -0x1.290344p-3f, 0x1.de09ep-3f);
  p = FMA(f, p, -0x1.fdb918p-3f);
  p = FMA(f, p, 0x1.26163ap-2f);
  p = FMA(f, p, -0x1.70e4dep-2f);
  p = FMA(f, p, 0x1.ec75fcp-2f);
  p = FMA(f, p, -0x1.71551cp-1f);
  Real value = FMA(f, FMA(f, p, 0x1.715476p+0f), TO(bits >> 23, Real));
  // NaN below zero, and of a NaN.
  value = x < R(INFINITY) ? value : x;
  value = x < 0x1p-126f ? (Real)-R(INFINITY) : value;
  return x <= -0x1p-126f ? (Real)R(NAN) : value;
}
