// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Part of a body (see each_width.h).
#include "math/log.h"

WEFT_INLINE Real weftLog1p(Real x) {
#if REAL_IS_FLOAT
  // The sum is rounded to 53 bits, which is plenty unless x is so small that it is the result.
  Wide sum = 1.0 + TO(x, Wide);
  Int exponent;
  // Split the float nearest to the sum and make the rest up in double.
  Real rounded = TO(sum, Real);
  weftSplit(rounded, &exponent);
  WideInt down = (1023L - TO(exponent, WideInt)) << 52;
  Wide f = sum * AS(down, Wide) - 1.0;
  Wide value = WIDE_FMA(f, weftWideLog2Poly(f), TO(exponent, Wide)) * 0x1.62e42fefa39efp-1;
  Real result = weftLogResult(rounded, TO(value, Real));
  return __builtin_elementwise_abs(x) < 0x1p-23f ? FMA(x, x * -0.5f, x) : result;
#else
  Real sum = R(1) + x;
  Real rest = (R(1) - (sum - (sum - R(1)))) + (x - (sum - R(1)));
  Int exponent;
  Real f = weftSplit(sum, &exponent);
  Real e = TO(exponent, Real);
  // rest / (1 + f) in units of the exponent, to first order. No down-scaling reaches 2^-1024:
  // above 2^54 there is no rest.
  Int scale = exponent > (INT)60 ? (Int)60 : exponent;
  rest *= AS(((INT)EXPONENT_BIAS - scale) << (INT)MANTISSA_BITS, Real);
  rest = exponent > (INT)60 ? (Real)0 : rest * (R(1) - f);
  Real value = f - (FMA(e, -0x1.9ef35793c7673p-41, weftLogTail(f)) - rest);
  value = FMA(e, 0x1.62e42fefa2p-1, value);
  Real result = weftLogResult(sum, value);
  return __builtin_elementwise_abs(x) < 0x1p-53 ? x : result;
#endif
}
