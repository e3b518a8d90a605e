// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body of doubles (see each_width.h): the logarithm of |Gamma|.
#include "math/half_turns.h"
#include "math/log.h"
#include "math/trig.h"

// lgamma(2 + d) / d for |d| <= 1/2.
WEFT_INLINE Real weftLgammaAtTwo(Real d) {
  Real p = FMA(d, -0x1.56e4e6439418ap-24, 0x1.19b835cd2e2c8p-22);
  p = FMA(d, p, -0x1.0b0557def98ddp-21);
  p = FMA(d, p, 0x1.f6feb6779f2b3p-21);
  p = FMA(d, p, -0x1.0dd21ddae2457p-19);
  p = FMA(d, p, 0x1.25c6b9b4ded66p-18);
  p = FMA(d, p, -0x1.3d06e5966b6p-17);
  p = FMA(d, p, 0x1.580d99734ef5dp-16);
  p = FMA(d, p, -0x1.78db31b94c5c4p-15);
  p = FMA(d, p, 0x1.a127a71d8d571p-14);
  p = FMA(d, p, -0x1.d3fd6097b1598p-13);
  p = FMA(d, p, 0x1.0b36afacd2184p-11);
  p = FMA(d, p, -0x1.38ac5c07f2794p-10);
  p = FMA(d, p, 0x1.7add6ead43a7ap-9);
  p = FMA(d, p, -0x1.e404fc21d08bdp-8);
  p = FMA(d, p, 0x1.51322ac7d88a2p-6);
  p = FMA(d, p, -0x1.13e001a55754dp-4);
  p = FMA(d, p, 0x1.4a34cc4a60fa6p-2);
  return FMA(d, p, 0x1.b0ee6072093cep-2);
}

// The rest of Stirling's series for z >= 8.
WEFT_INLINE Real weftStirling(Real z) {
  Real inverse = R(1) / z;
  Real s = inverse * inverse;
  Real p = FMA(s, 0x1.2d0496280eecep-8, -0x1.e9b171a1c4848p-10);
  p = FMA(s, p, 0x1.b8f6e025abd11p-11);
  p = FMA(s, p, -0x1.3812dcf7b96c3p-11);
  p = FMA(s, p, 0x1.a01a0111d9434p-11);
  p = FMA(s, p, -0x1.6c16c16c0ae9bp-9);
  return inverse * FMA(s, p, 0x1.5555555555555p-4);
}

// lgamma z for z > -1/2. Below 8 the argument is moved into [3/2, 5/2] and the factors that takes
// are collected, so that there is one logarithm in all cases.
WEFT_INLINE Real weftLgammaRight(Real z) {
  Int large = z >= R(8);
  Int below = z < R(1.5);
  Int tiny = z < R(0.5);
  Real steps = __builtin_elementwise_rint(z) - R(2);
  Real d = tiny ? z : (below ? z - R(1) : (z - R(2)) - steps);
  Real product = tiny ? __builtin_elementwise_abs(z) * (R(1) + z) : (below ? z : (Real)R(1));
#pragma unroll
  for (int j = 1; j <= 6; ++j) product = steps >= R(j) ? product * (z - R(j)) : product;
  Real logarithm = weftLog(large ? z : product);
  Real small = FMA(d, weftLgammaAtTwo(d), below ? -logarithm : logarithm);
  Real series = FMA(z - R(0.5), logarithm - R(1), R(0x1.acfe390c97d69p-2)) + weftStirling(z);
  return large ? series : small;
}

// Below -1/2 by reflection: log(pi / (z |sin pi z|)) - lgamma z with z = -x. The sign is that of
// Gamma, 0 at its poles.
WEFT_INLINE Real weftLgamma(Real x, __private Int32* sign) {
  Int reflected = x <= R(-0.5);
  Real z = reflected ? -x : x;
  Real value = weftLgammaRight(z);
  Int signs = x < R(0) ? (Int)-1 : (Int)1;
  if (ANY(reflected)) {
    Int quadrant;
    Real r = weftHalfTurns(z, &quadrant);
    Real sine = weftSinOf(r, quadrant);
    Real mirrored = -(weftLog(__builtin_elementwise_abs(sine) * z * 0x1.45f306dc9c883p-2) + value);
    mirrored = sine == R(0) ? (Real)R(INFINITY) : mirrored;
    value = reflected ? mirrored : value;
    signs = reflected ? (sine > R(0) ? (Int)-1 : (Int)1) : signs;
    signs = (reflected & (sine == R(0))) ? (Int)0 : signs;
  }
  signs = x == R(0) ? (Int)0 : signs;
  *sign = TO(signs, Int32);
  return x == R(-INFINITY) ? (Real)R(INFINITY) : value;
}
