// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builtin functions, vectors and macros that make kernels.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define VECTOR(type, n) type##n
#define FOUR(F) F(0) F(1) F(2) F(3)
#define KERNEL(type)                                                              \
  kernel void run_##type(global type* a, global const type* b, const type factor) { \
    const size_t i = get_global_id(0);                                            \
    VECTOR(type, 4) v = vload4(i, a), w = vload4(0, b + i);                       \
    v = mad(v, w, (VECTOR(type, 4))(factor));                                     \
    vstore4(clamp(v, (type)0, (type)100), i, a);                                  \
  }
KERNEL(float)
KERNEL(double)

float noise(int seed) {
  uint x = seed * 747796405u + 2891336453u;
  x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
  return (float)((x >> 22u) ^ x) * 0x1p-32f;
}

kernel void functions(global float* x, global int* e, global float8* wide) {
  const int i = get_global_id(0);
  float whole, v = x[i] + noise(i);
  int exponent;
  v = sin(v) + cos(v) * native_exp(-v) + half_sqrt(fabs(v)) + pow(v, 1.5f) + fmod(v, 0.3f);
  v += fract(v, &whole) + frexp(v, &exponent) + remquo(v, 2.0f, &exponent) + ldexp(v, exponent);
  e[i] = ilogb(v) + isnan(v) + (int)rint(whole) + popcount(exponent) + clz(i) + mul_hi(i, 12345) +
         rotate(i, 5) + hadd(i, exponent) + abs_diff(i, -i) + add_sat(i, INT_MAX) + upsample((short)i, (ushort)3);
  wide[i] = shuffle((float8)(v, -v, 1, 2, 3, 4, M_PI_F, MAXFLOAT), (uint8)(7, 6, 5, 4, 3, 2, 1, 0));
  wide[i].lo = normalize(wide[i].hi) + cross(wide[i].even, wide[i].odd);
  wide[i].s0 = length(wide[i].s123) + distance(wide[i].lo, wide[i].hi) + step(0.5f, v) + mix(v, 1.0f, 0.25f);
#define SUM(n) x[i] += any(isgreater(wide[i], (float8)(n))) ? n : -n;
  FOUR(SUM)
}

kernel void mandelbrot(global uchar4* pixels, float left, float top, float step, int limit) {
  int px = get_global_id(0), py = get_global_id(1), n = 0;
  float2 c = (float2)(left + px * step, top + py * step), z = c;
  while (z.x * z.x + z.y * z.y < 4.0f && n < limit) {
    z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
    n++;
  }
#pragma unroll 4
  for (int k = 0; k < 8; ++k) n += (n & (1 << k)) != 0;
  pixels[py * get_global_size(0) + px] = (uchar4)(n, n >> 8, 255 - (n & 255), 255);
}
