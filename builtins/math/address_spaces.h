// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Applies M to each address space that a result pointer may have. Which overloads a program
// reaches depends on its language version: the generic one alone where generic pointers exist.
#define WEFT_ADDRESS_SPACES(M) M(__global) M(__local) M(__private) M(__generic)
