// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/erf.cl"
#include "math/double_width.h"
#include "math/float_width.h"
#else
#include "math/erfc.h"
// erf x / x - 1 on [0, 1], from x^2.
WEFT_INLINE Real weftErfPoly(Real z) {
#if REAL_IS_FLOAT
  Real p = FMA(z, 0x1.48c588p-14f, -0x1.a3bafp-11f);
  p = FMA(z, p, 0x1.53fdb6p-8f);
  p = FMA(z, p, -0x1.b7f824p-6f);
  p = FMA(z, p, 0x1.ce2ceep-4f);
  p = FMA(z, p, -0x1.81273ep-2f);
  return FMA(z, p, 0x1.06eba8p-3f);
#else
  Real p = FMA(z, 0x1.1e2aa2782358bp-33, -0x1.ae566b2f5bd79p-30);
  p = FMA(z, p, 0x1.0f69e9c22a5d1p-26);
  p = FMA(z, p, -0x1.62dc0f6865da7p-23);
  p = FMA(z, p, 0x1.ba535f012af91p-20);
  p = FMA(z, p, -0x1.f4db3a51ce49bp-17);
  p = FMA(z, p, 0x1.f9a3a254a53f6p-14);
  p = FMA(z, p, -0x1.c02db869f7683p-11);
  p = FMA(z, p, 0x1.565bcd281785bp-8);
  p = FMA(z, p, -0x1.b82ce31339d1fp-6);
  p = FMA(z, p, 0x1.ce2f21a0453afp-4);
  p = FMA(z, p, -0x1.812746b037a2p-2);
  return FMA(z, p, 0x1.06eba8214db69p-3);
#endif
}
WEFT_CONST Real erf(Real x) {
  Real a = __builtin_elementwise_abs(x);
  Real large = __builtin_elementwise_copysign(R(1) - weftErfc(a), x);
  return a < R(1) ? FMA(x, weftErfPoly(x * x), x) : large;
}
#endif
