// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body (see each_width.h): asin(t) - t on [0, 1/2], from t and t^2.
#include "math/atan.h"

WEFT_INLINE Real weftAsinTail(Real t, Real z) {
#if REAL_IS_FLOAT
  Real p = FMA(z, 0x1.594bc2p-5f, 0x1.8c50c8p-6f);
  p = FMA(z, p, 0x1.747a12p-5f);
  p = FMA(z, p, 0x1.33021p-4f);
  return t * z * FMA(z, p, 0x1.5555c8p-3f);
#else
  Real p = FMA(z, 0x1.0559d225b7e0bp-5, -0x1.099ab3728fd66p-6);
  p = FMA(z, p, 0x1.3fd170b025ecep-6);
  p = FMA(z, p, 0x1.ac012d0c89debp-8);
  p = FMA(z, p, 0x1.8ebd82845feabp-7);
  p = FMA(z, p, 0x1.c6fe879488e3p-7);
  p = FMA(z, p, 0x1.1c6bd8ba47f9ep-6);
  p = FMA(z, p, 0x1.6e89f4bedfed7p-6);
  p = FMA(z, p, 0x1.f1c72c34f6f21p-6);
  p = FMA(z, p, 0x1.6db6db42828a8p-5);
  p = FMA(z, p, 0x1.333333336e79ep-4);
  return t * z * FMA(z, p, 0x1.555555555539p-3);
#endif
}
