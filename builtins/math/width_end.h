// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#undef REAL
#undef INT
#undef UINT
#undef REAL_IS_FLOAT
#undef MANTISSA_BITS
#undef EXPONENT_BIAS
#undef MAGNITUDE_MASK
#undef INFINITY_BITS
