// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes a drawn text OpenCL C, and what makes it C++ for Clang, whose extended vectors are
// those of OpenCL.
//
// Texts for groups have PHASE before each block that ends at a barrier, SYNC for the barrier, LX
// and LY for local ids, GX and GY for the group's, and PRIVATE(type, name) with ITEM(name) for what
// a work-item keeps between phases; in C++ a phase is a loop over the group.
#pragma once

namespace weft::bench::generated {

inline constexpr const char* kOpenClItems = R"(
#define CONSTANT constant
#define EXACT _Pragma("OPENCL FP_CONTRACT OFF")
#define FREE_ORDER
)";

inline constexpr const char* kOpenClGroups = R"(
#define CONSTANT constant
#define FREE_ORDER
#define PHASE
#define SYNC barrier(CLK_LOCAL_MEM_FENCE);
#define LX ((int)get_local_id(0))
#define LY ((int)get_local_id(1))
#define GX ((int)get_group_id(0))
#define GY ((int)get_group_id(1))
#define PRIVATE(type, name) type name##_private
#define ITEM(name) name##_private
)";

inline constexpr const char* kCpp = R"text(
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long size_t;
#define VECTOR(T, n) typedef T T##n __attribute__((ext_vector_type(n)));
#define VECTORS(T) VECTOR(T, 2) VECTOR(T, 3) VECTOR(T, 4) VECTOR(T, 8) VECTOR(T, 16)
VECTORS(char) VECTORS(uchar) VECTORS(short) VECTORS(ushort) VECTORS(int) VECTORS(uint)
VECTORS(long) VECTORS(ulong) VECTORS(float) VECTORS(double)

#define kernel inline __attribute__((always_inline))
#define global
#define local
#define constant static constexpr
#define CONSTANT
#define RESTRICT __restrict
#define EXACT _Pragma("clang fp contract(off)")
#define FREE_ORDER _Pragma("clang fp reassociate(on)")
#define PHASE for (int LY = 0; LY < L1; ++LY) for (int LX = 0; LX < L0; ++LX)
#define SYNC
#define PRIVATE(type, name) type name##_private[L1][L0]
#define ITEM(name) name##_private[LY][LX]

template <class T> inline T min(T a, T b) { return __builtin_elementwise_min(a, b); }
template <class T> inline T max(T a, T b) { return __builtin_elementwise_max(a, b); }
template <class T> inline T fmin(T a, T b) { return __builtin_elementwise_min(a, b); }
template <class T> inline T fmax(T a, T b) { return __builtin_elementwise_max(a, b); }
template <class T> inline T clamp(T a, T b, T c) { return min(max(a, b), c); }
template <class T> inline T fabs(T a) { return __builtin_elementwise_abs(a); }
template <class T> inline T sqrt(T a) { return __builtin_elementwise_sqrt(a); }
template <class T> inline T fma(T a, T b, T c) { return __builtin_elementwise_fma(a, b, c); }
inline int mad24(int a, int b, int c) { return a * b + c; }
inline int mul24(int a, int b) { return a * b; }
inline uint popcount(uint a) { return uint(__builtin_popcount(a)); }
inline ulong popcount(ulong a) { return ulong(__builtin_popcountl(a)); }
inline uint clz(uint a) { return a ? __builtin_clz(a) : 32; }
inline ulong clz(ulong a) { return a ? __builtin_clzl(a) : 64; }
inline uint abs(int a) { return a < 0 ? uint(-a) : uint(a); }
inline uint mul_hi(uint a, uint b) { return uint(ulong(a) * b >> 32); }
inline ulong mul_hi(ulong a, ulong b) { return ulong((unsigned __int128)(a) * b >> 64); }
template <class T> inline T rotate(T a, T b) {
  int bits = 8 * sizeof(a);
  if constexpr (requires { a[0]; }) bits = 8 * sizeof(a[0]);
  return T(T(a << T(b & T(bits - 1))) | T(a >> T((T(0) - b) & T(bits - 1))));
}
#define MATH1(name) \
  inline float name(float a) { return __builtin_##name##f(a); } \
  inline double name(double a) { return __builtin_##name(a); }
#define MATH2(name) \
  inline float name(float a, float b) { return __builtin_##name##f(a, b); } \
  inline double name(double a, double b) { return __builtin_##name(a, b); }
MATH1(sin) MATH1(cos) MATH1(exp) MATH1(exp2) MATH1(log) MATH1(log2) MATH1(tanh) MATH1(cbrt)
MATH1(erf) MATH2(pow) MATH2(hypot) MATH2(atan2)
inline uchar convert_uchar_sat_rte(float a) {
  return uchar(__builtin_rintf(min(max(a, 0.0f), 255.0f)));
}
#define CONVERT(T) \
  template <class A> inline T convert_##T(A a) { return __builtin_convertvector(a, T); }
CONVERT(int3) CONVERT(int4) CONVERT(int16) CONVERT(uchar3) CONVERT(uchar4)
inline uchar3 vload3(size_t i, const uchar* p) {
  return uchar3{p[3 * i], p[3 * i + 1], p[3 * i + 2]};
}
inline void vstore3(uchar3 v, size_t i, uchar* p) {
  p[3 * i] = v.x;
  p[3 * i + 1] = v.y;
  p[3 * i + 2] = v.z;
}
)text";

}  // namespace weft::bench::generated
