// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// LLVM's allocators mark free memory for AddressSanitizer where they are compiled with it: in our
// files, through its headers, but not in Debian's archives, which then trip over the marks. Here
// the marking is taken out of LLVM's headers.
#include <sanitizer/asan_interface.h>
#define __asan_poison_memory_region(address, size) static_cast<void>(0)
#define __asan_unpoison_memory_region(address, size) static_cast<void>(0)
