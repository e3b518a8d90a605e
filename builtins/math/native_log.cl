// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef WEFT_BODY
#define WEFT_BODY "math/native_log.cl"
#include "math/float_width.h"
#else
#include "math/native.h"
WEFT_HOT Real native_log2(Real x) { return weftNativeLog2(x); }
WEFT_HOT Real native_log(Real x) { return weftNativeLog2(x) * 0x1.62e43p-1f; }
WEFT_HOT Real native_log10(Real x) { return weftNativeLog2(x) * 0x1.344136p-2f; }
WEFT_HOT Real half_log2(Real x) { return weftNativeLog2(x); }
WEFT_HOT Real half_log(Real x) { return weftNativeLog2(x) * 0x1.62e43p-1f; }
WEFT_HOT Real half_log10(Real x) { return weftNativeLog2(x) * 0x1.344136p-2f; }
WEFT_HOT Real native_powr(Real x, Real y) { return weftNativePowr(x, y); }
WEFT_HOT Real half_powr(Real x, Real y) { return weftNativePowr(x, y); }
#endif
