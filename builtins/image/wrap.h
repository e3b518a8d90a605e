// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "image/image.h"

// What the wrappers for reads and writes have in common: coordinates of n components.
#define WEFT_AT(T, n, x) WEFT_AT_##n(T, x)
#define WEFT_AT_1(T, x) ((T##4)((x), 0, 0, 0))
#define WEFT_AT_2(T, x) ((T##4)((x), 0, 0))
#define WEFT_AT_4(T, x) (x)
#define WEFT_COORD_1(T) T
#define WEFT_COORD_2(T) T##2
#define WEFT_COORD_4(T) T##4
#define WEFT_MANGLED_1(t) #t
#define WEFT_MANGLED_2(t) "Dv2_" #t
#define WEFT_MANGLED_4(t) "Dv4_" #t
