// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body (see each_width.h): the arc tangent on [0, 1].

#if REAL_IS_FLOAT
WEFT_INLINE Real weftAtanUnit(Real t) {
  Real z = t * t;
  Real p = FMA(z, 0x1.7e8c32p-9f, -0x1.0c0c08p-6f);
  p = FMA(z, p, 0x1.61e66cp-5f);
  p = FMA(z, p, -0x1.354dfcp-4f);
  p = FMA(z, p, 0x1.b4dda8p-4f);
  p = FMA(z, p, -0x1.230a7cp-3f);
  p = FMA(z, p, 0x1.9978eap-3f);
  p = FMA(z, p, -0x1.5554dcp-2f);
  return t * FMA(z, p, 0x1.0p+0f);
}
#else
// Above tan(pi/8) through atan t = pi/4 + atan((t - 1) / (t + 1)).
WEFT_INLINE Real weftAtanUnit(Real t) {
  Int upper = t > 0x1.a827999fcef32p-2;
  Real u = upper ? (t - R(1)) / (t + R(1)) : t;
  Real z = u * u;
  Real p = FMA(z, -0x1.32f49d02e844ap-7, 0x1.a35680bf258e9p-6);
  p = FMA(z, p, -0x1.3c04877012184p-5);
  p = FMA(z, p, 0x1.7cdb55a42a143p-5);
  p = FMA(z, p, -0x1.adaef4d9702ebp-5);
  p = FMA(z, p, 0x1.e1b78c29d67e7p-5);
  p = FMA(z, p, -0x1.110f65e04aacfp-4);
  p = FMA(z, p, 0x1.3b1399dbce579p-4);
  p = FMA(z, p, -0x1.745d1668ecfffp-4);
  p = FMA(z, p, 0x1.c71c71c1dfc5cp-4);
  p = FMA(z, p, -0x1.2492492488e96p-3);
  p = FMA(z, p, 0x1.999999999988bp-3);
  Real tail = u * z * FMA(z, p, -0x1.5555555555555p-2);
  return upper ? 0x1.921fb54442d18p-1 + (u + (tail + 0x1.1a62633145c07p-55)) : u + tail;
}
#endif

#ifndef WEFT_HALF_PI
#define WEFT_ONE_OVER_PI R(0.31830988618379067154)
#define WEFT_HALF_PI R(REAL_IS_FLOAT ? 0x1.921fb6p+0 : 0x1.921fb54442d18p+0)
#define WEFT_HALF_PI_LOW R(REAL_IS_FLOAT ? -0x1.777a5cp-25 : 0x1.1a62633145c07p-54)
#define WEFT_PI R(REAL_IS_FLOAT ? 0x1.921fb6p+1 : 0x1.921fb54442d18p+1)
#define WEFT_PI_LOW R(REAL_IS_FLOAT ? -0x1.777a5cp-24 : 0x1.1a62633145c07p-53)
#endif
