// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"

// What image and sampler arguments are: include/weft/abi/image.h says more.
//
// What programs call are short wrappers, under the names that Clang gives overloads for its own
// types. They are inlined; behind them are few general functions, never inlined, whose names begin
// with `weft_image_` and whose first parameter is the image, the second the sampler where there is
// one. These look at nothing but the fields of the image, the sampler and the coordinates, and call
// none but other functions of such names, which get format and size of an element as numbers. So a
// copy of one for a known format and sampler has constants in place of loads of WeftImage's first
// fields and of the sampler, and inlines what it calls.
//
// Coordinates of any value are safe: whatever they are, an element of the image is read, or none.

typedef struct {
  union {
    // Of images that nothing writes to while a kernel runs, and of others.
    const __constant uchar* constant_pixels;
    __global uchar* global_pixels;
  };
  ulong row_pitch, slice_pitch;
  uint width, height, slices, reserved;
} WeftImageLevel;

typedef struct {
  uint format, type, order, element_bytes, level_count, reserved[3];
  WeftImageLevel levels[16];
} WeftImage;

// In WeftImage::format: offsets in bytes fit into 31 bits, and rows have two elements or more.
#define WEFT_COMPACT 0x80u

typedef const __constant WeftImage* WeftImagePtr;
typedef const __constant WeftImageLevel* WeftLevelPtr;
typedef const __constant void* WeftSampler;
// Its bits. Those of how to find and mix elements are the low 8.
typedef ulong WeftMode;

#define WEFT_SAMPLER_NORMALIZED 1u
#define WEFT_SAMPLER_ADDRESS 14u
#define WEFT_SAMPLER_CLAMP_TO_EDGE 2u
#define WEFT_SAMPLER_CLAMP 4u
#define WEFT_SAMPLER_REPEAT 6u
#define WEFT_SAMPLER_MIRRORED_REPEAT 8u
#define WEFT_SAMPLER_FILTER 0x30u
#define WEFT_SAMPLER_LINEAR 0x20u
#define WEFT_SAMPLER_LINEAR_LEVELS 0x100u
#define WEFT_SAMPLER_LOD_MIN_SHIFT 16
#define WEFT_SAMPLER_LOD_MAX_SHIFT 32

// A general function.
#define WEFT_GENERAL __attribute__((noinline))
#define WEFT_GENERAL_READ __attribute__((noinline, pure))
// A function for programs, by its mangled name.
#define WEFT_NAMED(result, name, symbol, ...) \
  result name(__VA_ARGS__) __asm(symbol);     \
  __attribute__((always_inline)) result name(__VA_ARGS__)
