// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No include guard: includes WEFT_BODY once for each width, with
//   Half Single              half and float of the width
//   Int16 Uint16 Int32       integers of it
//   TO(x, Type) AS(x, Type)  conversion of the value (to half: to the nearest), of the bits
// The math functions for half compute in float, which has enough bits to spare that nothing but the
// last rounding counts, and takes every half to a normal number.
#include "math/address_spaces.h"
#include "weft_common.h"

#define AS(x, Type) __builtin_astype(x, Type)

// Functions of half through their float forms, which are declared here: a definition hides Clang's
// own declarations of its name.
#define WEFT_UNARY(name)            \
  WEFT_CONST Single name(Single x); \
  WEFT_CONST Half name(Half x) { return TO(name(TO(x, Single)), Half); }
#define WEFT_BINARY(name)                     \
  WEFT_CONST Single name(Single x, Single y); \
  WEFT_CONST Half name(Half x, Half y) { return TO(name(TO(x, Single), TO(y, Single)), Half); }
#define WEFT_WITH_INT(name)                  \
  WEFT_CONST Single name(Single x, Int32 n); \
  WEFT_CONST Half name(Half x, Int32 n) { return TO(name(TO(x, Single), n), Half); }
// Half f(Half, Second*); the float form has a pointer to Through.
#define WEFT_POINTER_FORM(name, Through) WEFT_API Single name(Single x, __private Through* second);
#define WEFT_POINTER(space, name, Second, Through)       \
  WEFT_API Half name(Half x, space Second* second) {     \
    Through value;                                       \
    Half result = TO(name(TO(x, Single), &value), Half); \
    *second = TO(value, Second);                         \
    return result;                                       \
  }

#define WIDTH 1
#define TO(x, Type) ((Type)(x))
#define Half half
#define Single float
#define Int16 short
#define Uint16 ushort
#define Int32 int
#include WEFT_BODY
#undef WIDTH
#undef TO
#undef Half
#undef Single
#undef Int16
#undef Uint16
#undef Int32

#define TO(x, Type) __builtin_convertvector(x, Type)
#define Half WEFT_CAT(half, WIDTH)
#define Single WEFT_CAT(float, WIDTH)
#define Int16 WEFT_CAT(short, WIDTH)
#define Uint16 WEFT_CAT(ushort, WIDTH)
#define Int32 WEFT_CAT(int, WIDTH)
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
