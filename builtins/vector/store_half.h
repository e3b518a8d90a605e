// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "convert/narrow_half.h"
#include "vector/load_store.h"

// vstore_half and vstorea_half with one rounding mode. `suffix` is empty or _rte, _rtz, _rtp,
// _rtn; `mode` is the rounding mode it stands for.
#define WEFT_STORE_HALF_SCALAR(space, suffix, mode, T)                                        \
  WEFT_API void vstore_half##suffix(T data, size_t offset, space half *p) {                   \
    p[offset] = weftToHalf_##mode(data);                                                      \
  }
#define WEFT_STORE_HALF_VECTOR(space, n, suffix, mode, T)                                     \
  WEFT_API void vstore_half##n##suffix(T##n data, size_t offset, space half *p) {             \
    *(space WeftUnaligned_half##n *)(p + offset * n) = weftToHalf_##mode(data);               \
  }                                                                                           \
  WEFT_API void vstorea_half##n##suffix(T##n data, size_t offset, space half *p) {            \
    *(space half##n *)(p + offset * n) = weftToHalf_##mode(data);                             \
  }
/* Aligned vectors of three stand four apart; their fourth element is not touched. */
#define WEFT_STORE_HALF_3(space, suffix, mode, T)                                             \
  WEFT_API void vstore_half3##suffix(T##3 data, size_t offset, space half *p) {               \
    weftStoreHalf3(weftToHalf_##mode(data), p + offset * 3);                                  \
  }                                                                                           \
  WEFT_API void vstorea_half3##suffix(T##3 data, size_t offset, space half *p) {              \
    weftStoreHalf3(weftToHalf_##mode(data), p + offset * 4);                                  \
  }
#define WEFT_STORE_HALF_SIZES(suffix, mode, T)                          \
  WEFT_FOR_WRITABLE(WEFT_STORE_HALF_SCALAR, suffix, mode, T)            \
  WEFT_FOR_WRITABLE(WEFT_STORE_HALF_VECTOR, 2, suffix, mode, T)         \
  WEFT_FOR_WRITABLE(WEFT_STORE_HALF_3, suffix, mode, T)                 \
  WEFT_FOR_WRITABLE(WEFT_STORE_HALF_VECTOR, 4, suffix, mode, T)         \
  WEFT_FOR_WRITABLE(WEFT_STORE_HALF_VECTOR, 8, suffix, mode, T)         \
  WEFT_FOR_WRITABLE(WEFT_STORE_HALF_VECTOR, 16, suffix, mode, T)

typedef half2 WeftUnaligned_half2 __attribute__((aligned(2)));
typedef half4 WeftUnaligned_half4 __attribute__((aligned(2)));
typedef half8 WeftUnaligned_half8 __attribute__((aligned(2)));
typedef half16 WeftUnaligned_half16 __attribute__((aligned(2)));

#define WEFT_STORE_3(space, unused)                                     \
  WEFT_INLINE void weftStoreHalf3(half3 data, space half *p) {          \
    p[0] = data.s0;                                                     \
    p[1] = data.s1;                                                     \
    p[2] = data.s2;                                                     \
  }
WEFT_FOR_WRITABLE(WEFT_STORE_3, 0)
