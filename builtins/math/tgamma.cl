// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/tgamma.cl"
#include "math/double_width.h"

#include "math/float_width.h"
#else
#if REAL_IS_FLOAT
WEFT_CONST Real tgamma(Real x) { return TO(tgamma(TO(x, Wide)), Real); }
#else
#include "math/half_turns.h"
#include "math/pow.h"
#include "math/trig.h"
// After Lanczos: Gamma(z) = t^(z - 1/2) e^-t P(z) / Q(z) with t = z + 13/2, Q(z) = z (z+1) ...
// (z+8) and P of the same degree, for z > -1/2. All coefficients are positive.
WEFT_INLINE Real weftLanczos(Real z) {
  Real p = FMA(z, 0x1.40d931ff62705p+1, 0x1.2f17d7bb15d33p+7);
  p = FMA(z, p, 0x1.fcb06bf7f3a34p+11);
  p = FMA(z, p, 0x1.f1b6b160d0e56p+15);
  p = FMA(z, p, 0x1.38df03bcbd7d2p+19);
  p = FMA(z, p, 0x1.0616206e8f96ep+22);
  p = FMA(z, p, 0x1.2491401064fb2p+24);
  p = FMA(z, p, 0x1.a3af873b481d3p+25);
  p = FMA(z, p, 0x1.5f029f8f9b046p+26);
  p = FMA(z, p, 0x1.04d389a33ba29p+26);
  Real q = z + 36.0;
  q = FMA(z, q, 546.0);
  q = FMA(z, q, 4536.0);
  q = FMA(z, q, 22449.0);
  q = FMA(z, q, 67284.0);
  q = FMA(z, q, 118124.0);
  q = FMA(z, q, 109584.0);
  q = FMA(z, q, 40320.0);
  return p / (z * q);
}

// Gamma(z) as a number and a power of two, z in (-1/2, 200].
WEFT_INLINE Real weftGammaParts(Real z, __private Int* n) {
  Real t = z + 6.5;
  Real y = z - 0.5;
  // What the sum rounds away counts y / t - 1 times in the exponent.
  Real rest = (z - (t - 6.5)) * (y / t - 1.0);
  Real l_low;
  Real l = weftLog2Parts(t, &l_low);
  // y log2 t - t log2 e in two parts.
  Real a = y * l;
  Real a_low = FMA(y, l, -a) + y * l_low;
  Real b = t * -WEFT_LOG2_E;
  Real b_low = FMA(t, -WEFT_LOG2_E, -b) + FMA(t, -0x1.777d0ffda0d24p-56, rest * WEFT_LOG2_E);
  Real sum = a + b;
  Real part = sum - a;
  Real sum_low = (a - (sum - part)) + (b - part);
  Real whole = weftNearest(sum, n);
  return weftLanczos(z) * weftExp2Poly((sum - whole) + (sum_low + a_low + b_low));
}

// Below -1/2 by reflection: -pi / (z sin(pi z) Gamma(z)) with z = -x. At negative integers the sine
// is 0 and so is what divides; the result there is NaN.
WEFT_CONST Real tgamma(Real x) {
  Int reflected = x < R(-0.5);
  Real z = reflected ? -x : x;
  Int n;
  Real value = weftGammaParts(z > R(190) ? (Real)R(190) : z, &n);
  Int quadrant;
  Real r = weftHalfTurns(z, &quadrant);
  Real sine = weftSinOf(r, quadrant);
  Real mirrored = R(-3.14159265358979323846) / (z * sine * value);
  mirrored = sine == R(0) ? (Real)R(NAN) : mirrored;
  value = weftScale(reflected ? mirrored : value, reflected ? -n : n);
  return __builtin_elementwise_abs(x) < 0x1p-60 ? R(1) / x : value;
}
#endif
#endif
