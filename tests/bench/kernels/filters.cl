// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters of pictures, each through images and samplers (IMAGES), and on buffers. Pixels are four
// bytes (BYTES), four floats, or one (SINGLE).

#ifdef BYTES
typedef uchar4 Pixel;
typedef float4 Value;
#define DECODE(p) (convert_float4(p) * (1.0f / 255.0f))
#define ENCODE(v) convert_uchar4_sat_rte((v) * 255.0f)
#elif defined(SINGLE)
typedef float Pixel;
typedef float Value;
#define DECODE(p) (p)
#define ENCODE(v) (v)
#else
typedef float4 Pixel;
typedef float4 Value;
#define DECODE(p) (p)
#define ENCODE(v) (v)
#endif

#ifdef SINGLE
#define VALUE(colour) (colour).x
#define COLOUR(v) (float4)((v), 0, 0, 1)
#else
#define VALUE(colour) (colour)
#define COLOUR(v) (v)
#endif

#ifdef IMAGES
#define IN read_only image2d_t in
#define OUT write_only image2d_t out
#define VOLUME read_only image3d_t in
#define VOLUME_OUT write_only image3d_t out
constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
#define AT(x, y) VALUE(read_imagef(in, nearest, (int2)(x, y)))
#define BETWEEN(x, y) VALUE(read_imagef(in, linear, (float2)(x, y)))
#define BETWEEN_3D(x, y, z) VALUE(read_imagef(in, linear, (float4)(x, y, z, 0)))
#define SET(x, y, value) write_imagef(out, (int2)(x, y), COLOUR(value))
#define SET_3D(x, y, z, value) write_imagef(out, (int4)(x, y, z, 0), COLOUR(value))
#else
#define IN global const Pixel* in
#define OUT global Pixel* out
#define VOLUME global const Pixel* in
#define VOLUME_OUT global Pixel* out
Value at(global const Pixel* in, int x, int y, int columns, int rows) {
  return DECODE(in[clamp(y, 0, rows - 1) * columns + clamp(x, 0, columns - 1)]);
}
Value between(global const Pixel* in, float x, float y, int columns, int rows) {
  x -= 0.5f;
  y -= 0.5f;
  float left = floor(x), top = floor(y);
  int i = (int)left, j = (int)top;
  Value above = mix(at(in, i, j, columns, rows), at(in, i + 1, j, columns, rows), x - left);
  Value below = mix(at(in, i, j + 1, columns, rows), at(in, i + 1, j + 1, columns, rows), x - left);
  return mix(above, below, y - top);
}
Value between3(global const Pixel* in, float x, float y, float z, int columns, int rows,
               int slices) {
  z -= 0.5f;
  float front = floor(z);
  int k = (int)front;
  global const Pixel* first = in + clamp(k, 0, slices - 1) * columns * rows;
  global const Pixel* second = in + clamp(k + 1, 0, slices - 1) * columns * rows;
  return mix(between(first, x, y, columns, rows), between(second, x, y, columns, rows), z - front);
}
#define AT(x, y) at(in, x, y, columns, rows)
#define BETWEEN(x, y) between(in, x, y, columns, rows)
#define BETWEEN_3D(x, y, z) between3(in, x, y, z, columns, rows, slices)
#define SET(x, y, value) out[(y) * get_global_size(0) + (x)] = ENCODE(value)
#define SET_3D(x, y, z, value) \
  out[((z) * get_global_size(1) + (y)) * get_global_size(0) + (x)] = ENCODE(value)
#endif

/// Along rows alone; the weights are those of a Gaussian.
kernel void blur(IN, OUT, constant float* weights, int columns, int rows) {
  int x = get_global_id(0), y = get_global_id(1);
  Value sum = 0;
  for (int i = -4; i <= 4; ++i) sum += weights[i + 4] * AT(x + i, y);
  SET(x, y, sum);
}

kernel void convolve(IN, OUT, constant float* weights, int columns, int rows) {
  int x = get_global_id(0), y = get_global_id(1);
  Value sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) sum += weights[j * 5 + i] * AT(x + i - 2, y + j - 2);
  SET(x, y, sum);
}

/// `weights` holds the ratios of the sizes.
kernel void resize(IN, OUT, constant float* weights, int columns, int rows) {
  int x = get_global_id(0), y = get_global_id(1);
  SET(x, y, BETWEEN((x + 0.5f) * weights[0], (y + 0.5f) * weights[1]));
}

/// About the middle; `weights` holds cosine and sine.
kernel void rotate_picture(IN, OUT, constant float* weights, int columns, int rows) {
  int x = get_global_id(0), y = get_global_id(1);
  float dx = x + 0.5f - columns * 0.5f, dy = y + 0.5f - rows * 0.5f;
  float c = weights[0], s = weights[1];
  SET(x, y, BETWEEN(columns * 0.5f + c * dx - s * dy, rows * 0.5f + s * dx + c * dy));
}

/// `weights` holds the ratios of the sizes.
kernel void resample(VOLUME, VOLUME_OUT, constant float* weights, int columns, int rows,
                     int slices) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  SET_3D(x, y, z, BETWEEN_3D((x + 0.5f) * weights[0], (y + 0.5f) * weights[1],
                             (z + 0.5f) * weights[2]));
}
