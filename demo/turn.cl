// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a picture about its centre; what comes from outside of it is black.

const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

kernel void turn(read_only image2d_t source, write_only image2d_t target, float cosine,
                 float sine) {
  const int2 pixel = (int2)(get_global_id(0), get_global_id(1));
  const float2 centre = 0.5f * convert_float2(get_image_dim(source));
  const float2 from = convert_float2(pixel) + 0.5f - centre;
  const float2 at = (float2)(cosine * from.x + sine * from.y, cosine * from.y - sine * from.x);
  write_imagef(target, pixel, read_imagef(source, linear, at + centre));
}
