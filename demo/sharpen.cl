// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unsharp mask: a separable blur of RADIUS pixels in local memory, and back from it by AMOUNT.
// The work-group is TILE x TILE; pixels outside the image repeat its border.

#define SPAN (TILE + 2 * RADIUS)

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void sharpen(global const uchar4 *restrict source, global uchar4 *restrict target,
             constant float *weights, int width, int height, float amount) {
  local float4 pixels[SPAN][SPAN];
  local float4 rows[SPAN][TILE];
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int left = get_group_id(0) * TILE - RADIUS, top = get_group_id(1) * TILE - RADIUS;

  for (int y = ly; y < SPAN; y += TILE)
    for (int x = lx; x < SPAN; x += TILE) {
      const int column = clamp(left + x, 0, width - 1), row = clamp(top + y, 0, height - 1);
      pixels[y][x] = convert_float4(source[row * width + column]);
    }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int y = ly; y < SPAN; y += TILE) {
    float4 sum = 0.0f;
    for (int k = 0; k <= 2 * RADIUS; ++k) sum += weights[k] * pixels[y][lx + k];
    rows[y][lx] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  float4 blurred = 0.0f;
  for (int k = 0; k <= 2 * RADIUS; ++k) blurred += weights[k] * rows[ly + k][lx];
  const float4 original = pixels[ly + RADIUS][lx + RADIUS];
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height)
    target[y * width + x] = convert_uchar4_sat_rte(original + amount * (original - blurred));
}
