// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "atomic/legacy.h"

// The names of the extensions cl_khr_{global,local}_int32_* and cl_khr_int64_*.
WEFT_LEGACY_32(atom, __global, 1)
WEFT_LEGACY_32(atom, __local, 3)
WEFT_LEGACY_64(atom, __global, 1)
WEFT_LEGACY_64(atom, __local, 3)
