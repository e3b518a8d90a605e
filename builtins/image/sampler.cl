// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/image.h"

// What Clang makes of a sampler that the program says the value of.
__attribute__((always_inline)) WeftSampler __translate_sampler_initializer(int value) {
  return (WeftSampler)(ulong)(uint)value;
}
