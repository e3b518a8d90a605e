// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "weft_common.h"

// The host's libm as weft_libm_<name>, for functions too rare to have code of their own. The
// service table holds them under their C names; the set is include/weft/abi/libm_symbols.def.
#define WEFT_LIBM_1(name) \
  __attribute__((const, nothrow)) double weft_libm_##name(double x) __asm(#name);
#define WEFT_LIBM_2(name) \
  __attribute__((const, nothrow)) double weft_libm_##name(double x, double y) __asm(#name);
#define WEFT_LIBM_P(name) \
  __attribute__((nothrow)) double weft_libm_##name(double x, __private int* p) __asm(#name);
#include "../../include/weft/abi/libm_symbols.def"
