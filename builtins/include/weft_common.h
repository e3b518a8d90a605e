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

#define WEFT_CAT_(a, b) a##b
#define WEFT_CAT(a, b) WEFT_CAT_(a, b)
