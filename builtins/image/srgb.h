// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"

// The sRGB transfer function, by polynomials (weighted minimax fits): of all channels at once, and
// of as many work-items as there are lanes, where tables are looked up one by one. The fourth
// channel is to be disregarded.

// Of channels in [0, 1] that are integers over 255: the linear values with a relative error of
// 2^-17.8 at most, for which the specification has 2^-9 and less; 0 and 1 are exact.
WEFT_INLINE float4 weftFromSrgb(float4 x) {
#pragma OPENCL FP_CONTRACT ON
  float4 p = x * 0x1.240334p-2f + -0x1.564d6ap+0f;
  p = p * x + 0x1.5a5f2ep+1f;
  p = p * x + -0x1.926302p+1f;
  p = p * x + 0x1.32fe9ap+1f;
  p = p * x + -0x1.64b688p+0f;
  p = p * x + 0x1.f3978ep-1f;
  p = p * x + 0x1.e339f2p-2f;
  p = p * x + 0x1.279562p-5f;
  p = p * x + 0x1.b76918p-11f;
  p = __builtin_elementwise_min(p, (float4)(1.0f));
  return x < 0.04045f ? x * (1.0f / 12.92f) : p;
}

// Of linear values the channels times 255, not yet rounded, within 0.01 of what they are; the
// specification has 0.1. NaNs are zero.
WEFT_INLINE float4 weftToSrgb(float4 linear) {
#pragma OPENCL FP_CONTRACT ON
  float4 x = linear > 0.0f ? linear : (float4)(0.0f);
  x = x < 1.0f ? x : (float4)(1.0f);
  // x^(1/2.4) is s^(5/6), nearly a straight line.
  float4 s = __builtin_elementwise_sqrt(x);
  float4 p = s * -0x1.dc76d2p+9f + 0x1.121da4p+12f;
  p = p * s + -0x1.0abf46p+13f;
  p = p * s + 0x1.1f0adep+13f;
  p = p * s + -0x1.78b174p+12f;
  p = p * s + 0x1.3e1cfap+11f;
  p = p * s + -0x1.7b50bp+9f;
  p = p * s + 0x1.a8e6bep+8f;
  p = p * s + -0x1.6ef584p+3f;
  return x < 0.0031308f ? x * (12.92f * 255.0f) : p;
}
