// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "image/read.h"
#include "image/wrap.h"

// What programs call to read images of one kind, whose mangled name is `kind`, with coordinates of
// n components.

#define WEFT_GIVE_f(x) (x)
#define WEFT_GIVE_i(x) (x)
#define WEFT_GIVE_ui(x) (x)
#define WEFT_GIVE_h(x) __builtin_convertvector((x), half4)
#define WEFT_GIVE_depth(pixel) ((pixel).x)

// One function for programs: R is its result's type, T what is read, `what` how to make R of that.
#define WEFT_WRAP_READ(R, T, what, symbol, tag, kind, shape, n)                               \
  WEFT_NAMED(R, weft_read_##what##_##tag##_by_int,                                            \
             "_Z" symbol kind "_ro11ocl_sampler" WEFT_MANGLED_##n(i), WeftImagePtr image,       \
             WeftSampler sampler, WEFT_COORD_##n(int) at) {                                  \
    return WEFT_GIVE_##what(                                                                  \
        weft_image_read_##T##_##shape##_int(image, (ulong)sampler, WEFT_AT(int, n, at)));     \
  }                                                                                           \
  WEFT_NAMED(R, weft_read_##what##_##tag##_by_float,                                          \
             "_Z" symbol kind "_ro11ocl_sampler" WEFT_MANGLED_##n(f), WeftImagePtr image,       \
             WeftSampler sampler, WEFT_COORD_##n(float) at) {                                \
    return WEFT_GIVE_##what(                                                                  \
        weft_image_read_##T##_##shape##_float(image, (ulong)sampler, WEFT_AT(float, n, at))); \
  }                                                                                           \
  WEFT_WRAP_FETCH(R, T, what, symbol, tag, kind, shape, n)

#define WEFT_WRAP_FETCH(R, T, what, symbol, tag, kind, shape, n)                              \
  WEFT_NAMED(R, weft_fetch_##what##_##tag, "_Z" symbol kind "_ro" WEFT_MANGLED_##n(i),        \
             WeftImagePtr image, WEFT_COORD_##n(int) at) {                                      \
    return WEFT_GIVE_##what(weft_image_fetch_##T##_##shape(image, WEFT_AT(int, n, at)));      \
  }                                                                                           \
  WEFT_NAMED(R, weft_fetch_##what##_##tag##_rw, "_Z" symbol kind "_rw" WEFT_MANGLED_##n(i),   \
             WeftImagePtr image, WEFT_COORD_##n(int) at) {                                      \
    return WEFT_GIVE_##what(weft_image_fetch_##T##_##shape##_rw(image, WEFT_AT(int, n, at))); \
  }

// All of a kind, by WRAP, which is one of the two above.
#define WEFT_WRAP_EACH(WRAP, tag, kind, shape, n)                   \
  WRAP(float4, float, f, "11read_imagef", tag, kind, shape, n)      \
  WRAP(int4, int, i, "11read_imagei", tag, kind, shape, n)          \
  WRAP(uint4, uint, ui, "12read_imageui", tag, kind, shape, n)      \
  WRAP(half4, float, h, "11read_imageh", tag, kind, shape, n)
#define WEFT_WRAP_DEPTH(WRAP, tag, kind, shape, n) \
  WRAP(float, float, depth, "11read_imagef", tag, kind, shape, n)

// At levels of detail; G is what the gradient has of components, `g` its mangled name.
#define WEFT_WRAP_LOD(R, T, what, symbol, tag, kind, shape, n, G, g)                             \
  WEFT_NAMED(R, weft_read_##what##_##tag##_lod,                                                  \
             "_Z" symbol kind "_ro11ocl_sampler" WEFT_MANGLED_##n(f) "f", WeftImagePtr image,    \
             WeftSampler sampler, WEFT_COORD_##n(float) at, float lod) {                         \
    return WEFT_GIVE_##what(weft_image_read_##T##_##shape##_lod(image, (ulong)sampler,           \
                                                                WEFT_AT(float, n, at), lod));    \
  }                                                                                              \
  WEFT_NAMED(R, weft_read_##what##_##tag##_gradient,                                             \
             "_Z" symbol kind "_ro11ocl_sampler" WEFT_MANGLED_##n(f) g, WeftImagePtr image,      \
             WeftSampler sampler, WEFT_COORD_##n(float) at, WEFT_COORD_##G(float) dx,            \
             WEFT_COORD_##G(float) dy) {                                                         \
    float lod = weft_image_gradient_lod(image, (ulong)sampler, WEFT_AT(float, G, dx),            \
                                        WEFT_AT(float, G, dy));                                  \
    return WEFT_GIVE_##what(weft_image_read_##T##_##shape##_lod(image, (ulong)sampler,           \
                                                                WEFT_AT(float, n, at), lod));    \
  }
#define WEFT_WRAP_LODS_EACH(tag, kind, shape, n, G, g)                        \
  WEFT_WRAP_LOD(float4, float, f, "11read_imagef", tag, kind, shape, n, G, g) \
  WEFT_WRAP_LOD(int4, int, i, "11read_imagei", tag, kind, shape, n, G, g)     \
  WEFT_WRAP_LOD(uint4, uint, ui, "12read_imageui", tag, kind, shape, n, G, g)
#define WEFT_WRAP_LODS_DEPTH(tag, kind, shape, n, G, g) \
  WEFT_WRAP_LOD(float, float, depth, "11read_imagef", tag, kind, shape, n, G, g)
