// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"

// vload and vstore of one size. Only the alignment of one element may be assumed, and exactly
// the named elements are touched: a vector of three occupies four in memory, so it goes element
// by element.

// M(address space, const or nothing) for every address space that may be read.
#define WEFT_FOR_READABLE(M, ...) \
  M(__constant, __VA_ARGS__) WEFT_FOR_WRITABLE(M, __VA_ARGS__)
#define WEFT_FOR_WRITABLE(M, ...) \
  M(__private, __VA_ARGS__)       \
  M(__local, __VA_ARGS__)         \
  M(__global, __VA_ARGS__)        \
  M(__generic, __VA_ARGS__)

#define WEFT_VLOAD(space, n, T)                                     \
  WEFT_API T##n vload##n(size_t offset, const space T *p) {         \
    return *(const space WeftUnaligned_##T##n *)(p + offset * n);   \
  }
#define WEFT_VSTORE(space, n, T)                                    \
  WEFT_API void vstore##n(T##n data, size_t offset, space T *p) {   \
    *(space WeftUnaligned_##T##n *)(p + offset * n) = data;         \
  }
#define WEFT_LOAD_STORE(n, T)                                                      \
  typedef T##n WeftUnaligned_##T##n __attribute__((aligned(sizeof(T))));           \
  WEFT_FOR_READABLE(WEFT_VLOAD, n, T)                                              \
  WEFT_FOR_WRITABLE(WEFT_VSTORE, n, T)

#define WEFT_VLOAD3(space, T)                                       \
  WEFT_API T##3 vload3(size_t offset, const space T *p) {           \
    p += offset * 3;                                                \
    return (T##3)(p[0], p[1], p[2]);                                \
  }
#define WEFT_VSTORE3(space, T)                                      \
  WEFT_API void vstore3(T##3 data, size_t offset, space T *p) {     \
    p += offset * 3;                                                \
    p[0] = data.s0;                                                 \
    p[1] = data.s1;                                                 \
    p[2] = data.s2;                                                 \
  }
