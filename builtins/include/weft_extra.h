// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Included before every program: declarations of functions that Clang knows neither as table
// entries nor in its own header, and what to say of types that the device lacks. Each group stands
// under the macro of its extension, so it costs nothing where the device does not report that one.
#ifndef WEFT_EXTRA_H
#define WEFT_EXTRA_H

#if defined(__IMAGE_SUPPORT__) && !defined(cl_khr_gl_msaa_sharing)
#define WEFT_NO_SAMPLES \
  __attribute__((unavailable("the device has no images of several samples")))
typedef image2d_t image2d_msaa_t WEFT_NO_SAMPLES;
typedef image2d_t image2d_array_msaa_t WEFT_NO_SAMPLES;
typedef image2d_t image2d_msaa_depth_t WEFT_NO_SAMPLES;
typedef image2d_t image2d_array_msaa_depth_t WEFT_NO_SAMPLES;
#undef WEFT_NO_SAMPLES
#endif

#ifdef cl_khr_extended_async_copies
event_t __attribute__((overloadable, convergent)) async_work_group_copy_2D2D(__local void*, size_t,
                                                                             const __global void*,
                                                                             size_t, size_t, size_t,
                                                                             size_t, size_t, size_t,
                                                                             event_t);
event_t __attribute__((overloadable, convergent)) async_work_group_copy_2D2D(__global void*, size_t,
                                                                             const __local void*,
                                                                             size_t, size_t, size_t,
                                                                             size_t, size_t, size_t,
                                                                             event_t);
event_t __attribute__((overloadable, convergent)) async_work_group_copy_3D3D(
    __local void*, size_t, const __global void*, size_t, size_t, size_t, size_t, size_t, size_t,
    size_t, size_t, size_t, event_t);
event_t __attribute__((overloadable, convergent)) async_work_group_copy_3D3D(
    __global void*, size_t, const __local void*, size_t, size_t, size_t, size_t, size_t, size_t,
    size_t, size_t, size_t, event_t);
#endif

#ifdef cl_ext_image_unorm_int_2_101010
#define CLK_UNORM_INT_2_101010_EXT 0x10E5
#endif

#ifdef cl_khr_async_work_group_copy_fence
void __attribute__((overloadable, convergent)) async_work_group_copy_fence(cl_mem_fence_flags);
#endif

#ifdef cl_khr_work_group_uniform_arithmetic
#define WEFT_COLLECTIVE(T, op)                                                   \
  T __attribute__((overloadable, convergent)) work_group_reduce_##op(T);         \
  T __attribute__((overloadable, convergent)) work_group_scan_exclusive_##op(T); \
  T __attribute__((overloadable, convergent)) work_group_scan_inclusive_##op(T);
#define WEFT_COLLECTIVE_INTEGERS(op) \
  WEFT_COLLECTIVE(int, op)           \
  WEFT_COLLECTIVE(uint, op) WEFT_COLLECTIVE(long, op) WEFT_COLLECTIVE(ulong, op)
WEFT_COLLECTIVE_INTEGERS(and)
WEFT_COLLECTIVE_INTEGERS(or)
WEFT_COLLECTIVE_INTEGERS(xor)
WEFT_COLLECTIVE(int, logical_and)
WEFT_COLLECTIVE(int, logical_or)
WEFT_COLLECTIVE(int, logical_xor)
WEFT_COLLECTIVE_INTEGERS(mul)
WEFT_COLLECTIVE(float, mul)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
WEFT_COLLECTIVE(half, mul)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#ifdef cl_khr_fp64
WEFT_COLLECTIVE(double, mul)
#endif
#undef WEFT_COLLECTIVE
#undef WEFT_COLLECTIVE_INTEGERS
#endif

#endif
