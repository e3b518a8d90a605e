// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop behind float_width.h and double_width.h. In a vector width a comparison gives all
// ones, in the scalar one it gives 1: both are good for `c ? a : b`, `&`, `|` and `!`.
#include "weft_common.h"

#define R(c) ((REAL)(c))
#define AS(x, Type) __builtin_astype(x, Type)

#define WIDTH 1
#define TO(x, Type) ((Type)(x))
#define Real REAL
#define Int INT
#define Uint UINT
#define Int32 int
#define Uint32 uint
#define Wide double
#define WideInt long
#define WideUint ulong
#include WEFT_BODY
#undef Real
#undef Int
#undef Uint
#undef Int32
#undef Uint32
#undef Wide
#undef WideInt
#undef WideUint
#undef WIDTH
#undef TO

#define TO(x, Type) __builtin_convertvector(x, Type)
#define Real WEFT_CAT(REAL, WIDTH)
#define Int WEFT_CAT(INT, WIDTH)
#define Uint WEFT_CAT(UINT, WIDTH)
#define Int32 WEFT_CAT(int, WIDTH)
#define Uint32 WEFT_CAT(uint, WIDTH)
#define Wide WEFT_CAT(double, WIDTH)
#define WideInt WEFT_CAT(long, WIDTH)
#define WideUint WEFT_CAT(ulong, WIDTH)
#define WIDTH 2
#include WEFT_BODY
#undef WIDTH
#define WIDTH 3
#include WEFT_BODY
#undef WIDTH
#define WIDTH 4
#include WEFT_BODY
#undef WIDTH
#define WIDTH 8
#include WEFT_BODY
#undef WIDTH
#define WIDTH 16
#include WEFT_BODY
#undef WIDTH
#undef Real
#undef Int
#undef Uint
#undef Int32
#undef Uint32
#undef Wide
#undef WideInt
#undef WideUint
#undef TO
#undef R
#undef AS
