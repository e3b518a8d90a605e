// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"

// shuffle and shuffle2 for one element type. Only the bits of the mask that can choose a
// component count. A mask known when the kernel is compiled turns into one vector shuffle.
// m is the size of the operands, n that of the mask and the result.
#define WEFT_PICK1(i) x[mask[i] & last]
#define WEFT_PICK2(i) both[mask[i] & last]
#define WEFT_PICKS_2(pick) pick(0), pick(1)
#define WEFT_PICKS_4(pick) WEFT_PICKS_2(pick), pick(2), pick(3)
#define WEFT_PICKS_8(pick) WEFT_PICKS_4(pick), pick(4), pick(5), pick(6), pick(7)
#define WEFT_PICKS_16(pick) \
  WEFT_PICKS_8(pick), pick(8), pick(9), pick(10), pick(11), pick(12), pick(13), pick(14), pick(15)

#define WEFT_SHUFFLE(m, n, T, M)                                    \
  WEFT_CONST T##n shuffle(T##m x, M##n mask) {                      \
    const M last = m - 1;                                           \
    return (T##n)(WEFT_PICKS_##n(WEFT_PICK1));                      \
  }
#define WEFT_SHUFFLE2(m, twice, n, T, M)                            \
  WEFT_CONST T##n shuffle2(T##m x, T##m y, M##n mask) {             \
    const M last = twice - 1;                                       \
    T##twice both = (T##twice)(x, y);                               \
    return (T##n)(WEFT_PICKS_##n(WEFT_PICK2));                      \
  }
// There is no vector of 32: choose from both operands, then between them.
#define WEFT_PICK16(i) (mask[i] & 16 ? y[mask[i] & last] : x[mask[i] & last])
#define WEFT_SHUFFLE2_16(n, T, M)                                   \
  WEFT_CONST T##n shuffle2(T##16 x, T##16 y, M##n mask) {           \
    const M last = 15;                                              \
    return (T##n)(WEFT_PICKS_##n(WEFT_PICK16));                     \
  }
#define WEFT_SHUFFLES_TO(n, T, M) \
  WEFT_SHUFFLE(2, n, T, M)        \
  WEFT_SHUFFLE(4, n, T, M)        \
  WEFT_SHUFFLE(8, n, T, M)        \
  WEFT_SHUFFLE(16, n, T, M)       \
  WEFT_SHUFFLE2(2, 4, n, T, M)    \
  WEFT_SHUFFLE2(4, 8, n, T, M)    \
  WEFT_SHUFFLE2(8, 16, n, T, M)   \
  WEFT_SHUFFLE2_16(n, T, M)
#define WEFT_SHUFFLES(T, M)  \
  WEFT_SHUFFLES_TO(2, T, M)  \
  WEFT_SHUFFLES_TO(4, T, M)  \
  WEFT_SHUFFLES_TO(8, T, M)  \
  WEFT_SHUFFLES_TO(16, T, M)
