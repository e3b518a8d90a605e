// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "weft_common.h"

// WEFT_MIN_<type> and WEFT_MAX_<type> fit long and ulong for every integer type.
#define WEFT_MIN_char CHAR_MIN
#define WEFT_MIN_short SHRT_MIN
#define WEFT_MIN_int INT_MIN
#define WEFT_MIN_long LONG_MIN
#define WEFT_MIN_uchar 0
#define WEFT_MIN_ushort 0
#define WEFT_MIN_uint 0
#define WEFT_MIN_ulong 0
#define WEFT_MAX_char CHAR_MAX
#define WEFT_MAX_short SHRT_MAX
#define WEFT_MAX_int INT_MAX
#define WEFT_MAX_long LONG_MAX
#define WEFT_MAX_uchar UCHAR_MAX
#define WEFT_MAX_ushort USHRT_MAX
#define WEFT_MAX_uint UINT_MAX
#define WEFT_MAX_ulong ULONG_MAX

// The ends of the common range of two types.
#define WEFT_LOW(A, B) \
  ((long)WEFT_MIN_##A > (long)WEFT_MIN_##B ? (long)WEFT_MIN_##A : (long)WEFT_MIN_##B)
#define WEFT_HIGH(A, B) \
  ((ulong)WEFT_MAX_##A < (ulong)WEFT_MAX_##B ? (ulong)WEFT_MAX_##A : (ulong)WEFT_MAX_##B)
