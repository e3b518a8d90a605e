// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector/load_store.h"

#define LOAD_SCALAR(space, unused) \
  WEFT_API float vload_half(size_t offset, const space half *p) { return (float)p[offset]; }
#define LOAD_VECTOR(space, n)                                                             \
  WEFT_API float##n vload_half##n(size_t offset, const space half *p) {                   \
    return WEFT_CONVERT(n, float, *(const space WeftUnaligned_half##n *)(p + offset * n)); \
  }                                                                                       \
  WEFT_API float##n vloada_half##n(size_t offset, const space half *p) {                  \
    return WEFT_CONVERT(n, float, *(const space half##n *)(p + offset * n));              \
  }
#define LOAD3(space, unused)                                                              \
  WEFT_API float3 vload_half3(size_t offset, const space half *p) {                       \
    p += offset * 3;                                                                      \
    return (float3)((float)p[0], (float)p[1], (float)p[2]);                               \
  }                                                                                       \
  /* Vectors of three stand four apart here. */                                           \
  WEFT_API float3 vloada_half3(size_t offset, const space half *p) {                      \
    p += offset * 4;                                                                      \
    return (float3)((float)p[0], (float)p[1], (float)p[2]);                               \
  }
#define SIZE(n)                                                                           \
  typedef half##n WeftUnaligned_half##n __attribute__((aligned(2)));                      \
  WEFT_FOR_READABLE(LOAD_VECTOR, n)

WEFT_FOR_READABLE(LOAD_SCALAR, 1)
WEFT_FOR_READABLE(LOAD3, 3)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)
