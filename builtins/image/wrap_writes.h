// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "image/wrap.h"
#include "image/write.h"

// What programs call to write to images of one kind, whose mangled name is `kind`, with coordinates
// of n components. `mangled` is that of the colour's type.

#define WEFT_TAKE_f(x) (x)
#define WEFT_TAKE_i(x) (x)
#define WEFT_TAKE_ui(x) (x)
#define WEFT_TAKE_h(x) __builtin_convertvector((x), float4)
#define WEFT_TAKE_depth(x) ((float4)((x), 0, 0, 0))

#define WEFT_WRAP_WRITE_TO(access, R, T, what, symbol, mangled, tag, kind, shape, n)           \
  WEFT_NAMED(void, weft_write_##what##_##tag##_##access,                                       \
             "_Z" symbol kind "_" #access WEFT_MANGLED_##n(i) mangled, WeftImagePtr image,     \
             WEFT_COORD_##n(int) at, R color) {                                                \
    weft_image_write_##T##_##shape(image, WEFT_AT(int, n, at), WEFT_TAKE_##what(color));       \
  }
#define WEFT_WRAP_WRITE_LOD_TO(access, R, T, what, symbol, mangled, tag, kind, shape, n)       \
  WEFT_NAMED(void, weft_write_##what##_##tag##_lod_##access,                                   \
             "_Z" symbol kind "_" #access WEFT_MANGLED_##n(i) "i" mangled, WeftImagePtr image, \
             WEFT_COORD_##n(int) at, int lod, R color) {                                       \
    weft_image_write_##T##_##shape##_lod(image, WEFT_AT(int, n, at), WEFT_TAKE_##what(color),  \
                                         lod);                                                 \
  }
#define WEFT_WRAP_WRITE(...) \
  WEFT_WRAP_WRITE_TO(wo, __VA_ARGS__) WEFT_WRAP_WRITE_TO(rw, __VA_ARGS__)
#define WEFT_WRAP_WRITE_LOD(...) \
  WEFT_WRAP_WRITE_LOD_TO(wo, __VA_ARGS__) WEFT_WRAP_WRITE_LOD_TO(rw, __VA_ARGS__)

// Names repeat what vector of the coordinates they have named before.
#define WEFT_MANGLED_COLOR_1 "Dv4_i"
#define WEFT_MANGLED_COLOR_2 "Dv4_i"
#define WEFT_MANGLED_COLOR_4 "S0_"

#define WEFT_WRAP_WRITES_BY(WRAP, tag, kind, shape, n)                                        \
  WRAP(float4, float, f, "12write_imagef", "Dv4_f", tag, kind, shape, n)                      \
  WRAP(int4, int, i, "12write_imagei", WEFT_MANGLED_COLOR_##n, tag, kind, shape, n)           \
  WRAP(uint4, uint, ui, "13write_imageui", "Dv4_j", tag, kind, shape, n)
#define WEFT_WRAP_WRITES_PLAIN(tag, kind, shape, n)                                           \
  WEFT_WRAP_WRITES_BY(WEFT_WRAP_WRITE, tag, kind, shape, n)                                   \
  WEFT_WRAP_WRITE(half4, float, h, "12write_imageh", "Dv4_Dh", tag, kind, shape, n)
#define WEFT_WRAP_WRITES(tag, kind, shape, n)           \
  WEFT_WRAP_WRITES_PLAIN(tag, kind, shape, n)           \
  WEFT_WRAP_WRITES_BY(WEFT_WRAP_WRITE_LOD, tag, kind, shape, n)
#define WEFT_WRAP_WRITES_DEPTH(tag, kind, shape, n)                                           \
  WEFT_WRAP_WRITE(float, float, depth, "12write_imagef", "f", tag, kind, shape, n)            \
  WEFT_WRAP_WRITE_LOD(float, float, depth, "12write_imagef", "f", tag, kind, shape, n)
