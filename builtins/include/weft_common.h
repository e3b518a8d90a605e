// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What every file of the library starts from. The library is compiled as OpenCL C 3.0 for spir64
// with everything Clang knows enabled: half, double, 64-bit atomics, the generic address space.
// Definitions here hide Clang's own declarations of the same name for the rest of the file.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// A function that programs call: mangled, so that it can be overloaded.
#define WEFT_API __attribute__((overloadable))
// The same, without side effects or reads of memory.
#define WEFT_CONST __attribute__((overloadable, const))
// A helper that never stands alone.
#define WEFT_INLINE static inline __attribute__((overloadable, always_inline))

// A function that programs call often: inlined always, so that loops over it become SIMD code.
#define WEFT_HOT __attribute__((overloadable, const, always_inline))

// A scalar function that makes up for what a hot one leaves out because it hardly ever happens.
// It stays out of line, so that it costs a loop no more than the question whether any element
// needs it: the compiler makes masked vector forms of functions with such names.
#define WEFT_RARE __attribute__((overloadable, const, noinline, cold))
// A wrapper that must vanish before its constant arguments are looked at.
#define WEFT_WRAPPER __attribute__((overloadable, always_inline))

#define WEFT_CAT_(a, b) a##b
#define WEFT_CAT(a, b) WEFT_CAT_(a, b)

// M(n, ...) for vectors of each size, and with an empty n for scalars too.
#define WEFT_FOR_VECTORS(M, ...) \
  M(2, __VA_ARGS__)              \
  M(3, __VA_ARGS__)              \
  M(4, __VA_ARGS__)              \
  M(8, __VA_ARGS__)              \
  M(16, __VA_ARGS__)
#define WEFT_FOR_SIZES(M, ...) M(, __VA_ARGS__) WEFT_FOR_VECTORS(M, __VA_ARGS__)

// M(type, signed type, unsigned type, bits) for each integer type.
#define WEFT_FOR_SIGNED(M)    \
  M(char, char, uchar, 8)     \
  M(short, short, ushort, 16) \
  M(int, int, uint, 32)       \
  M(long, long, ulong, 64)
#define WEFT_FOR_UNSIGNED(M)   \
  M(uchar, char, uchar, 8)     \
  M(ushort, short, ushort, 16) \
  M(uint, int, uint, 32)       \
  M(ulong, long, ulong, 64)
#define WEFT_FOR_INTEGERS(M) WEFT_FOR_SIGNED(M) WEFT_FOR_UNSIGNED(M)

// M(type) for each scalar type that vectors are made of.
#define WEFT_FOR_ALL_TYPES(M)                                                          \
  M(char) M(uchar) M(short) M(ushort) M(int) M(uint) M(long) M(ulong) M(float) M(double) M(half)

// Reinterpretation, and value conversion of a scalar (n empty) or vector to T##n.
#define WEFT_AS(T, x) __builtin_astype((x), T)
#define WEFT_CONVERT(n, T, x) WEFT_CONVERT_##n(T##n, x)
#define WEFT_CONVERT_(T, x) ((T)(x))
#define WEFT_CONVERT_2(T, x) __builtin_convertvector((x), T)
#define WEFT_CONVERT_3(T, x) __builtin_convertvector((x), T)
#define WEFT_CONVERT_4(T, x) __builtin_convertvector((x), T)
#define WEFT_CONVERT_8(T, x) __builtin_convertvector((x), T)
#define WEFT_CONVERT_16(T, x) __builtin_convertvector((x), T)

// The name of a type in an LLVM intrinsic's suffix: WEFT_LLVM(4, i32) is "v4i32".
#define WEFT_LLVM(n, scalar) WEFT_LLVM_SIZE_##n #scalar
#define WEFT_LLVM_SIZE_ ""
#define WEFT_LLVM_SIZE_2 "v2"
#define WEFT_LLVM_SIZE_3 "v3"
#define WEFT_LLVM_SIZE_4 "v4"
#define WEFT_LLVM_SIZE_8 "v8"
#define WEFT_LLVM_SIZE_16 "v16"
