// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vector/load_store.h"

#define ALL(T) WEFT_LOAD_STORE(4, T)
WEFT_FOR_ALL_TYPES(ALL)
