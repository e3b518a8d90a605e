// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math/estimate.h"

WEFT_ELEMENTWISE_UNARY(native_sqrt, weft_estimate_sqrt)
WEFT_ELEMENTWISE_UNARY(native_rsqrt, weft_estimate_rsqrt)
WEFT_ELEMENTWISE_UNARY(native_recip, weft_estimate_recip)
WEFT_ELEMENTWISE_BINARY(native_divide, weft_estimate_divide)
WEFT_ELEMENTWISE_UNARY(half_sqrt, weft_estimate_sqrt)
WEFT_ELEMENTWISE_UNARY(half_rsqrt, weft_estimate_rsqrt)
WEFT_ELEMENTWISE_UNARY(half_recip, weft_estimate_recip)
