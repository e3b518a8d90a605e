// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Included before every program: declarations of functions that Clang knows neither as table
// entries nor in its own header, and what to say of types that the device lacks. Each group stands
// under the macro of its extension, so it costs nothing where the device does not report that one.
#ifndef WEFT_EXTRA_H
#define WEFT_EXTRA_H

#if defined(__IMAGE_SUPPORT__) && !defined(cl_khr_gl_msaa_sharing)
#define WEFT_NO_SAMPLES __attribute__((unavailable("the device has no images of several samples")))
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

#ifdef cl_ext_image_raw10_raw12
#define CLK_UNSIGNED_INT_RAW10_EXT 0x10E3
#define CLK_UNSIGNED_INT_RAW12_EXT 0x10E4
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

// Many declarations for few programs: defined where a program uses one of them.
#ifdef WEFT_INTEL_SUBGROUPS
#define WEFT_SUB_GROUP __attribute__((overloadable, convergent))
#define WEFT_SHUFFLE(T)                                      \
  T WEFT_SUB_GROUP intel_sub_group_shuffle(T, uint);         \
  T WEFT_SUB_GROUP intel_sub_group_shuffle_xor(T, uint);     \
  T WEFT_SUB_GROUP intel_sub_group_shuffle_down(T, T, uint); \
  T WEFT_SUB_GROUP intel_sub_group_shuffle_up(T, T, uint);
#define WEFT_EACH_SIZE(M, T) M(T) M(T##2) M(T##3) M(T##4) M(T##8) M(T##16)
WEFT_EACH_SIZE(WEFT_SHUFFLE, char)
WEFT_EACH_SIZE(WEFT_SHUFFLE, uchar)
WEFT_EACH_SIZE(WEFT_SHUFFLE, short)
WEFT_EACH_SIZE(WEFT_SHUFFLE, ushort)
WEFT_EACH_SIZE(WEFT_SHUFFLE, int)
WEFT_EACH_SIZE(WEFT_SHUFFLE, uint)
WEFT_EACH_SIZE(WEFT_SHUFFLE, float)
WEFT_SHUFFLE(long)
WEFT_SHUFFLE(ulong)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
WEFT_SHUFFLE(half)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#ifdef cl_khr_fp64
WEFT_SHUFFLE(double)
#endif
#define WEFT_BROADCAST(T) T WEFT_SUB_GROUP intel_sub_group_broadcast(T, uint);
#define WEFT_COMBINE(T, op)                                \
  T WEFT_SUB_GROUP intel_sub_group_reduce_##op(T);         \
  T WEFT_SUB_GROUP intel_sub_group_scan_exclusive_##op(T); \
  T WEFT_SUB_GROUP intel_sub_group_scan_inclusive_##op(T);
#define WEFT_SMALL(T)               \
  WEFT_EACH_SIZE(WEFT_BROADCAST, T) \
  WEFT_COMBINE(T, add) WEFT_COMBINE(T, min) WEFT_COMBINE(T, max)
WEFT_SMALL(char)
WEFT_SMALL(uchar)
WEFT_SMALL(short)
WEFT_SMALL(ushort)

#define WEFT_BLOCK_OF_MEMORY(T, suffix, space)                       \
  T WEFT_SUB_GROUP intel_sub_group_block_read##suffix(const space*); \
  void WEFT_SUB_GROUP intel_sub_group_block_write##suffix(space*, T);
#ifdef __IMAGE_SUPPORT__
#define WEFT_BLOCK_OF_IMAGE(T, suffix)                                            \
  T WEFT_SUB_GROUP intel_sub_group_block_read##suffix(read_only image2d_t, int2); \
  void WEFT_SUB_GROUP intel_sub_group_block_write##suffix(write_only image2d_t, int2, T);
#else
#define WEFT_BLOCK_OF_IMAGE(T, suffix)
#endif
#ifdef __opencl_c_read_write_images
#define WEFT_BLOCK_OF_SHARED_IMAGE(T, suffix)                                      \
  T WEFT_SUB_GROUP intel_sub_group_block_read##suffix(read_write image2d_t, int2); \
  void WEFT_SUB_GROUP intel_sub_group_block_write##suffix(read_write image2d_t, int2, T);
#else
#define WEFT_BLOCK_OF_SHARED_IMAGE(T, suffix)
#endif
#define WEFT_BLOCK(T, suffix, element)              \
  WEFT_BLOCK_OF_MEMORY(T, suffix, __global element) \
  WEFT_BLOCK_OF_MEMORY(T, suffix, __local element)  \
  WEFT_BLOCK_OF_IMAGE(T, suffix)                    \
  WEFT_BLOCK_OF_SHARED_IMAGE(T, suffix)
#define WEFT_BLOCKS(T, suffix) \
  WEFT_BLOCK(T, suffix, T)     \
  WEFT_BLOCK(T##2, suffix##2, T) WEFT_BLOCK(T##4, suffix##4, T) WEFT_BLOCK(T##8, suffix##8, T)
WEFT_BLOCK(uint, , uint)
WEFT_BLOCK(uint2, 2, uint)
WEFT_BLOCK(uint4, 4, uint)
WEFT_BLOCK(uint8, 8, uint)
WEFT_BLOCKS(uint, _ui)
WEFT_BLOCKS(uchar, _uc)
WEFT_BLOCK(uchar16, _uc16, uchar)
WEFT_BLOCKS(ushort, _us)
WEFT_BLOCK(ushort16, _us16, ushort)
WEFT_BLOCKS(ulong, _ul)
#undef WEFT_SUB_GROUP
#undef WEFT_SHUFFLE
#undef WEFT_EACH_SIZE
#undef WEFT_BROADCAST
#undef WEFT_COMBINE
#undef WEFT_SMALL
#undef WEFT_BLOCK_OF_MEMORY
#undef WEFT_BLOCK_OF_IMAGE
#undef WEFT_BLOCK_OF_SHARED_IMAGE
#undef WEFT_BLOCK
#undef WEFT_BLOCKS
#undef WEFT_INTEL_SUBGROUPS
#endif

#endif
