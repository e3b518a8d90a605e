// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body (see each_width.h).
#include "math/exp.h"

// (1 + 2 a) e^(a^2) erfc a as a polynomial in (a - c) / (a + c), and c.
#if REAL_IS_FLOAT
#define WEFT_ERFC_CENTRE 2
#define WEFT_ERFC_BOUND 11
WEFT_INLINE Real weftErfcPoly(Real t) {
  Real p = FMA(t, 0x1.e2fcaep-16f, -0x1.804272p-12f);
  p = FMA(t, p, -0x1.4b39f4p-10f);
  p = FMA(t, p, 0x1.4daac4p-10f);
  p = FMA(t, p, 0x1.1b60ecp-7f);
  p = FMA(t, p, -0x1.078d92p-7f);
  p = FMA(t, p, -0x1.bc13b8p-5f);
  p = FMA(t, p, 0x1.4ffad4p-3f);
  p = FMA(t, p, -0x1.5407fep-3f);
  p = FMA(t, p, -0x1.7bf5f4p-4f);
  return FMA(t, p, 0x1.46e80ep+0f);
}
#else
#define WEFT_ERFC_CENTRE 4
#define WEFT_ERFC_BOUND 28
WEFT_INLINE Real weftErfcPoly(Real t) {
  Real p = FMA(t, -0x1.8ce74c92c2cdp-30, -0x1.b543ffa4c99cbp-27);
  p = FMA(t, p, -0x1.1ca88cace8eeap-27);
  p = FMA(t, p, 0x1.e2a19511066a8p-24);
  p = FMA(t, p, 0x1.0c049a7576892p-24);
  p = FMA(t, p, -0x1.be27b53adb85cp-21);
  p = FMA(t, p, 0x1.4509c1469a978p-22);
  p = FMA(t, p, 0x1.7f7fb719fcafep-18);
  p = FMA(t, p, -0x1.78b06f0ff24dep-17);
  p = FMA(t, p, -0x1.99639c83df8bdp-16);
  p = FMA(t, p, 0x1.3be11fe59296bp-13);
  p = FMA(t, p, -0x1.a1dec8b641992p-13);
  p = FMA(t, p, -0x1.8d4aa6b9b98ebp-11);
  p = FMA(t, p, 0x1.49c6720c253d3p-8);
  p = FMA(t, p, -0x1.09623874f76eap-6);
  p = FMA(t, p, 0x1.3079edf7e26a2p-5);
  p = FMA(t, p, -0x1.0fb06dfeb2c83p-4);
  p = FMA(t, p, 0x1.7fee004e0b19cp-4);
  p = FMA(t, p, -0x1.9ddb23c3e2ea6p-4);
  p = FMA(t, p, 0x1.16ecefcfa54d1p-4);
  p = FMA(t, p, 0x1.f7f5df66fc3c9p-7);
  p = FMA(t, p, -0x1.1df1ad154a28ep-3);
  return FMA(t, p, 0x1.3ba5916e9fd7fp+0);
}
#endif

// erfc a for a >= 0.
WEFT_INLINE Real weftErfc(Real a) {
  const REAL centre = WEFT_ERFC_CENTRE;
  a = a > R(WEFT_ERFC_BOUND) ? (Real)R(WEFT_ERFC_BOUND) : a;
  Real above = a + centre;
  Real slope = FMA(R(2), a, R(1));
  Real inverse = R(1) / (above * slope);
  Real poly = weftErfcPoly((a - centre) * slope * inverse) * (above * inverse);
  // e^-(a^2) with what the square rounds away.
  Real square = a * a;
  Real rest = FMA(a, a, -square);
  Int n;
  Real whole = weftNearest(square * -WEFT_LOG2_E, &n);
  Real r = FMA(whole, -WEFT_LN2_HIGH, -square);
  r = FMA(whole, -WEFT_LN2_LOW, r) - rest;
  return weftScale(poly * (R(1) + FMA(r * r, weftExpTail(r), r)), n);
}
#undef WEFT_ERFC_CENTRE
#undef WEFT_ERFC_BOUND
