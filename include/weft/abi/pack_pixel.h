// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

/// Converts a colour to an element of an image as kernels that write images do: it is made from
/// the same OpenCL C (builtins/image/format.h).
///
///   format   of abi::Image
///   colour   the bits of four floats, signed or unsigned integers, as the format's type takes
///            them; of a depth image one float
///   element  16 bytes, the first of which are the element; what the others hold means nothing
extern "C" void weft_pack_pixel(uint32_t format, const uint32_t* colour, uint32_t* element);
