// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image/format.h"

// Compiled for the host, for clEnqueueFillImage: include/weft/abi/pack_pixel.h says what it does.
void weft_pack_pixel(uint format, const uint* colour, uint* element) {
  uint4 c = (uint4)(colour[0], 0, 0, 0);
  if (weftFormatOrder(format) != WeftOrder_DEPTH)
    c = (uint4)(colour[0], colour[1], colour[2], colour[3]);
  uint4 packed;
  switch (weftFormatKind(format)) {
    case WeftKind_Signed:
      packed = weftPackInt(format, WEFT_AS(int4, c));
      break;
    case WeftKind_Unsigned:
      packed = weftPackUint(format, c);
      break;
    default:
      packed = weftPackFloat(format, WEFT_AS(float4, c));
  }
  for (uint i = 0; i < 4; ++i) element[i] = packed[i];
}
