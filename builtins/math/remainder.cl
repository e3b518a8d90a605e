// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math/address_spaces.h"
#include "math/lanes.h"

// fmod, remainder and remquo, all of them exact.

// |x| mod |y| for finite x and finite y != 0; quotient gets the low bits of |x| / |y| truncated.
// Doubles by long division of the significands, as many quotient bits at a time as the 64-bit
// remainder leaves room for.
WEFT_INLINE ulong weftDivide(ulong a, int shift, ulong b, int room, __private uint* quotient) {
  ulong q = a / b;
  ulong r = a % b;
  while (shift > 0) {
    int step = shift < room ? shift : room;
    ulong wide = r << step;
    q = (q << step) + wide / b;
    r = wide % b;
    shift -= step;
  }
  *quotient = (uint)q;
  return r;
}

// Truncated division of magnitudes. The remainder is in units of the lesser exponent.
WEFT_INLINE double weftFarModulus(double x, double y, __private uint* quotient) {
  ulong ux = __builtin_astype(x, ulong) & 0x7fffffffffffffffUL;
  ulong uy = __builtin_astype(y, ulong) & 0x7fffffffffffffffUL;
  *quotient = 0;
  if (ux < uy) return __builtin_astype(ux, double);
  int ex = __builtin_elementwise_max((int)(ux >> 52), 1);
  int ey = __builtin_elementwise_max((int)(uy >> 52), 1);
  ulong mx = (ux & 0xfffffffffffffUL) | ((ux >> 52) != 0 ? 1UL << 52 : 0);
  ulong my = (uy & 0xfffffffffffffUL) | ((uy >> 52) != 0 ? 1UL << 52 : 0);
  ulong r = weftDivide(mx, ex - ey, my, 11, quotient);
  if (r == 0) return 0.0;
  int up = __builtin_clzl(r) - 11;
  up = __builtin_elementwise_min(up, ey - 1);
  r <<= up;
  ey -= up;
  ulong field = (r >> 52) != 0 ? (ulong)ey : 0;
  return __builtin_astype((r & 0xfffffffffffffUL) | (field << 52), double);
}

// In double, where the quotient is known to 53 bits, however far apart floats are: at most 2^277.
// A product of 29 bits of it and the divisor is exact, and so is what it leaves, which has no more
// bits than the divisor has. A quotient that was rounded up leaves a negative remainder.
WEFT_INLINE float weftFarModulus(float x, float y, __private uint* quotient) {
  double r = __builtin_elementwise_abs((double)x);
  double b = __builtin_elementwise_abs((double)y);
  uint count = 0;
  while (__builtin_elementwise_abs(r) >= b) {
    double q = r / b;
    double size = __builtin_elementwise_abs(q);
    q = size < 0x1p29 ? __builtin_elementwise_trunc(q)
                      : __builtin_astype(__builtin_astype(q, ulong) & ~0xffffffUL, double);
    // Larger ones have no bits that anybody asks for.
    count += size < 0x1p60 ? (uint)(long)q : 0;
    r -= q * b;
  }
  if (r < 0) {
    r += b;
    --count;
  }
  *quotient = count;
  return (float)r;
}

// Quotients below `limit` have all bits before the point. One that was rounded up to an integer
// leaves a negative remainder. Either remainder has no more bits than the divisor, so that fma is
// exact. Larger quotients are rare, and so is what has no remainder.
#define WEFT_SCALAR(T, limit)                                                           \
  WEFT_INLINE bool weftNoRemainder(T x, T y) {                                          \
    return !(__builtin_elementwise_abs(x) < (T)INFINITY) || y == (T)0 || y != y;        \
  }                                                                                     \
  WEFT_INLINE T weftNearModulus(T x, T y, __private T* quotient, __private bool* isRare) {\
    T a = __builtin_elementwise_abs(x), b = __builtin_elementwise_abs(y);               \
    T ratio = a / b;                                                                    \
    T whole = __builtin_elementwise_trunc(ratio);                                       \
    T r = __builtin_elementwise_fma(-whole, b, a);                                      \
    r = ratio < 1 ? a : r; /* whose divisor may be infinite */                          \
    *isRare = !(ratio < limit);                                                         \
    *quotient = r < 0 ? whole - 1 : whole;                                              \
    return r < 0 ? r + b : r;                                                           \
  }                                                                                     \
  WEFT_RARE T weft_rare_fmod(T x, T y) {                                                \
    uint q;                                                                             \
    if (weftNoRemainder(x, y)) return (T)NAN;                                           \
    return __builtin_elementwise_copysign(weftFarModulus(x, y, &q), x);                 \
  }                                                                                     \
  WEFT_HOT T fmod(T x, T y) {                                                           \
    T q;                                                                                \
    bool isRare;                                                                        \
    T value = __builtin_elementwise_copysign(weftNearModulus(x, y, &q, &isRare), x);    \
    if (isRare) value = weft_rare_fmod(x, y);                                           \
    return value;                                                                       \
  }                                                                                     \
  /* The quotient rounds to the nearest, ties to even; |y| - r is exact. */             \
  WEFT_INLINE T weftRemquo(T x, T y, __private int* quotient) {                         \
    *quotient = 0;                                                                      \
    if (weftNoRemainder(x, y)) return (T)NAN;                                           \
    uint q;                                                                             \
    T r = weftFarModulus(x, y, &q);                                                     \
    T b = __builtin_elementwise_abs(y);                                                 \
    T rest = b - r;                                                                     \
    if (r > rest || (r == rest && (q & 1) != 0)) {                                      \
      r = -rest;                                                                        \
      ++q;                                                                              \
    }                                                                                   \
    q &= 0x7f;                                                                          \
    bool opposite = (x < (T)0) != (y < (T)0);                                           \
    *quotient = opposite ? -(int)q : (int)q;                                            \
    if (r == (T)0) return __builtin_elementwise_copysign(r, x);                         \
    return x < (T)0 ? -r : r;                                                           \
  }                                                                                     \
  WEFT_RARE T weft_rare_remainder(T x, T y) {                                           \
    int q;                                                                              \
    return weftRemquo(x, y, &q);                                                        \
  }                                                                                     \
  WEFT_HOT T remainder(T x, T y) {                                                      \
    T q;                                                                                \
    bool isRare;                                                                        \
    T r = weftNearModulus(x, y, &q, &isRare);                                           \
    T rest = __builtin_elementwise_abs(y) - r;                                          \
    bool isOdd = q * (T)0.5 != __builtin_elementwise_trunc(q * (T)0.5);                 \
    r = (r > rest) | ((r == rest) & isOdd) ? -rest : r;                                 \
    T value = r * __builtin_elementwise_copysign((T)1, x);                              \
    if (isRare) value = weft_rare_remainder(x, y);                                      \
    return value;                                                                       \
  }

WEFT_SCALAR(float, 0x1p23f)
WEFT_SCALAR(double, 0x1p52)
WEFT_LANES_2(fmod, float, float, float)
WEFT_LANES_2(fmod, double, double, double)
WEFT_LANES_2(remainder, float, float, float)
WEFT_LANES_2(remainder, double, double, double)

#define WEFT_REMQUO(space, T)                        \
  WEFT_API T remquo(T x, T y, space int* quotient) { \
    int q;                                           \
    T r = weftRemquo(x, y, &q);                      \
    *quotient = q;                                   \
    return r;                                        \
  }
#define WEFT_REMQUO_N(space, T, n)                                                    \
  WEFT_API WEFT_CAT(T, n)                                                             \
      remquo(WEFT_CAT(T, n) x, WEFT_CAT(T, n) y, space WEFT_CAT(int, n) * quotient) { \
    WEFT_CAT(T, n) r;                                                                 \
    WEFT_CAT(int, n) quotients;                                                       \
    for (int i = 0; i < n; ++i) {                                                     \
      int q;                                                                          \
      r[i] = weftRemquo(x[i], y[i], &q);                                              \
      quotients[i] = q;                                                               \
    }                                                                                 \
    *quotient = quotients;                                                            \
    return r;                                                                         \
  }
#define WEFT_FORM(space)                                                                       \
  WEFT_REMQUO(space, float)                                                                    \
  WEFT_REMQUO(space, double)                                                                   \
  WEFT_REMQUO_N(space, float, 2)                                                               \
  WEFT_REMQUO_N(space, float, 3) WEFT_REMQUO_N(space, float, 4) WEFT_REMQUO_N(space, float, 8) \
      WEFT_REMQUO_N(space, float, 16) WEFT_REMQUO_N(space, double, 2)                          \
          WEFT_REMQUO_N(space, double, 3) WEFT_REMQUO_N(space, double, 4)                      \
              WEFT_REMQUO_N(space, double, 8) WEFT_REMQUO_N(space, double, 16)
WEFT_ADDRESS_SPACES(WEFT_FORM)
