// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Functions that combine what all work-items of a group bring along. The bits of a result depend on
// the order in which floating-point numbers are combined, so that order is part of the definition,
// by linear local id alone (docs/decisions/0016):
//
//   reductions   32 columns, each combined from its first row down; then column i with column
//                i + 16, then i + 8, i + 4, i + 2, i + 1
//   scans        in blocks of 16, each by steps of 1, 2, 4 and 8; what comes before the block is
//                combined with all of it
//
// What is missing to fill the last rows and blocks is a neutral value.
#include "weft_common.h"
#include "weft_internal.h"

#define COLLECTIVE __attribute__((overloadable, always_inline, convergent))
#define WEFT_COLUMNS 32  // kCollectiveBlock of include/weft/abi/work_group.h

// (earlier, later). A NaN is taken for missing, as it is by fmin and fmax.
#define OP_add(x, y) ((x) + (y))
#define OP_mul(x, y) ((x) * (y))
#define OP_and(x, y) ((x) & (y))
#define OP_or(x, y) ((x) | (y))
#define OP_xor(x, y) ((x) ^ (y))
#define OP_min(x, y) ((x) <= (y) ? (x) : (y))
#define OP_max(x, y) ((x) >= (y) ? (x) : (y))
#define OP_fmin(x, y) ((((x) <= (y)) | ((y) != (y))) ? (x) : (y))
#define OP_fmax(x, y) ((((x) >= (y)) | ((y) != (y))) ? (x) : (y))

// M(type, unsigned type of its size, its bits, ...)
#define FOR_COLLECTIVE_INTEGERS(M, ...) \
  M(int, uint, 32, __VA_ARGS__)         \
  M(uint, uint, 32, __VA_ARGS__)        \
  M(long, ulong, 64, __VA_ARGS__)       \
  M(ulong, ulong, 64, __VA_ARGS__)
#define FOR_COLLECTIVE_FLOATS(M, ...) \
  M(half, ushort, 16, __VA_ARGS__)    \
  M(float, uint, 32, __VA_ARGS__)     \
  M(double, ulong, 64, __VA_ARGS__)

// Cells of work-items that did not come become `neutral`, as do those up to the end of the last
// row.
#define FILL(cells, items, arrivals, neutral) \
  if (arrivals)                               \
    for (ulong i = 0; i < items; ++i) {       \
      if (!arrivals[i]) cells[i] = neutral;   \
      arrivals[i] = 0;                        \
    }                                         \
  for (ulong i = items; i % WEFT_COLUMNS != 0; ++i) cells[i] = neutral;

typedef uchar16 uchar_row __attribute__((aligned(16)));
typedef ushort16 ushort_row __attribute__((aligned(32)));
typedef half16 half_row __attribute__((aligned(32)));
typedef int16 int_row __attribute__((aligned(64)));
typedef uint16 uint_row __attribute__((aligned(64)));
typedef float16 float_row __attribute__((aligned(64)));
typedef long16 long_row __attribute__((aligned(64)));
typedef ulong16 ulong_row __attribute__((aligned(64)));
typedef double16 double_row __attribute__((aligned(64)));
#define ROW(T, cells, i) (*(__private T##_row*)((cells) + (i)))

#define REST_8(x) \
  __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1)
#define REST_4(x) \
  __builtin_shufflevector(x, x, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1)
#define REST_2(x) \
  __builtin_shufflevector(x, x, 2, 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1)
#define REST_1(x) \
  __builtin_shufflevector(x, x, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1)

// n in front of x, of which as many are lost.
#define SHIFT_1(n, x) \
  __builtin_shufflevector(n, x, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
#define SHIFT_2(n, x) \
  __builtin_shufflevector(n, x, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29)
#define SHIFT_4(n, x) \
  __builtin_shufflevector(n, x, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)
#define SHIFT_8(n, x) \
  __builtin_shufflevector(n, x, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)

// weft_reduce_<name>_<T>: a CollectiveEntry of include/weft/abi/work_group.h.
#define REDUCE_CELLS(T, U, name, OP, neutral)                                \
  static ulong weft_reduce_##name##_##T(__private uchar* bytes, ulong items, \
                                        __private uchar* arrivals) {         \
    __private T* cells = (__private T*)bytes;                                \
    FILL(cells, items, arrivals, neutral)                                    \
    T##16 a = ROW(T, cells, 0), b = ROW(T, cells, 16);                       \
    for (ulong i = WEFT_COLUMNS; i < items; i += WEFT_COLUMNS) {             \
      a = OP(a, ROW(T, cells, i));                                           \
      b = OP(b, ROW(T, cells, i + 16));                                      \
    }                                                                        \
    a = OP(a, b);                                                            \
    a = OP(a, REST_8(a));                                                    \
    a = OP(a, REST_4(a));                                                    \
    a = OP(a, REST_2(a));                                                    \
    a = OP(a, REST_1(a));                                                    \
    return WEFT_AS(U, (T)a.s0);                                              \
  }

// weft_scan_<kind>_<name>_<T>, likewise; STORE puts the block `x` into its cells.
#define SCAN_CELLS(T, kind, name, OP, neutral, STORE)                               \
  static ulong weft_scan_##kind##_##name##_##T(__private uchar* bytes, ulong items, \
                                               __private uchar* arrivals) {         \
    __private T* cells = (__private T*)bytes;                                       \
    FILL(cells, items, arrivals, neutral)                                           \
    const T##16 none = (T##16)(neutral);                                            \
    T##16 before = none;                                                            \
    for (ulong i = 0; i < items; i += 16) {                                         \
      T##16 x = ROW(T, cells, i);                                                   \
      x = OP(SHIFT_1(none, x), x);                                                  \
      x = OP(SHIFT_2(none, x), x);                                                  \
      x = OP(SHIFT_4(none, x), x);                                                  \
      x = OP(SHIFT_8(none, x), x);                                                  \
      x = OP(before, x);                                                            \
      STORE                                                                         \
      before = (T##16)(x.sF);                                                       \
    }                                                                               \
    return 0;                                                                       \
  }

// The functions of the language for one type. The first work-item gets `start` of an exclusive
// scan.
#define COLLECTIVES(T, U, bits, name, OP, neutral, start)                                         \
  REDUCE_CELLS(T, U, name, OP, neutral)                                                           \
  SCAN_CELLS(T, inclusive, name, OP, neutral, ROW(T, cells, i) = x;)                              \
  SCAN_CELLS(T, exclusive, name, OP, neutral,                                                     \
             ROW(T, cells, i) = SHIFT_1(i == 0 ? (T##16)(start) : before, x);)                    \
  COLLECTIVE T work_group_reduce_##name(T x) {                                                    \
    return WEFT_AS(T, (U)__weft_collective_reduce_##bits(WEFT_AS(U, x), weft_reduce_##name##_##T, \
                                                         get_local_linear_id()));                 \
  }                                                                                               \
  COLLECTIVE T work_group_scan_inclusive_##name(T x) {                                            \
    return WEFT_AS(T,                                                                             \
                   __weft_collective_scan_##bits(WEFT_AS(U, x), weft_scan_inclusive_##name##_##T, \
                                                 get_local_linear_id()));                         \
  }                                                                                               \
  COLLECTIVE T work_group_scan_exclusive_##name(T x) {                                            \
    return WEFT_AS(T,                                                                             \
                   __weft_collective_scan_##bits(WEFT_AS(U, x), weft_scan_exclusive_##name##_##T, \
                                                 get_local_linear_id()));                         \
  }
