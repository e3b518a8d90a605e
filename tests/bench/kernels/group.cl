// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-groups whose items work together. SIZE is the group's size where a kernel needs to know.

kernel void reduce(global const uint* in, global uint* sums) {
  local uint cells[SIZE];
  uint l = get_local_id(0);
  cells[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_size = SIZE / 2; half_size > 0; half_size /= 2) {
    if (l < half_size) cells[l] += cells[l + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) sums[get_group_id(0)] = cells[0];
}

/// Inclusive, after Hillis and Steele.
kernel void scan(global const uint* in, global uint* out) {
  local uint cells[SIZE];
  uint l = get_local_id(0);
  size_t i = get_global_id(0);
  uint sum = in[i];
  cells[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 1; distance < SIZE; distance *= 2) {
    uint other = l >= distance ? cells[l - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += other;
    cells[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum;
}

/// Neighbours meet as often as their group's data say, which nobody can tell from the code.
kernel void relax(global const float* in, global const uint* rounds, global float* out) {
  local float cells[SIZE + 2];
  uint l = get_local_id(0);
  size_t i = get_global_id(0);
  float x = in[i];
  if (l == 0) cells[0] = cells[SIZE + 1] = 0.0f;
  for (uint r = 0; r < rounds[i]; ++r) {
    cells[l + 1] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    float beside = 0.5f * (cells[l] + cells[l + 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) x = x * (0.75f - 0.25f * x * x) + 0.25f * beside;
  }
  out[i] = x;
}

float2 times(float2 a, float2 b) {
  return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/// 256 points for each group of 64, radix 4, after Stockham. roots: the 256 roots of unity.
kernel void fft(global const float2* in, global float2* out, global const float2* roots) {
  local float2 points[256];
  uint l = get_local_id(0);
  size_t base = get_group_id(0) * 256;
  float2 v[4];
  for (uint r = 0; r < 4; ++r) v[r] = in[base + l + r * 64];
  for (uint span = 1; span < 256; span *= 4) {
    uint k = l % span;
    for (uint r = 1; r < 4; ++r) v[r] = times(v[r], roots[r * k * (64 / span)]);
    float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
    float2 turned = (float2)(d.y, -d.x);
    uint to = (l / span) * span * 4 + k;
    points[to] = a + c;
    points[to + span] = b + turned;
    points[to + span * 2] = a - c;
    points[to + span * 3] = b - turned;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < 4; ++r) v[r] = points[l + r * 64];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint r = 0; r < 4; ++r) out[base + l + r * 64] = v[r];
}

#if __OPENCL_C_VERSION__ >= 300
#ifdef __opencl_c_work_group_collective_functions
kernel void collective_reduce(global const float* in, global float* sums) {
  float sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}

kernel void collective_scan(global const float* in, global float* out) {
  size_t i = get_global_id(0);
  out[i] = work_group_scan_inclusive_add(in[i]);
}
#endif

kernel void tile(global const float* in, global float* out) {
  local float cells[256];
  uint x = get_local_id(0), y = get_local_id(1);
  uint columns = get_local_size(0), rows = get_local_size(1);
  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  cells[y * columns + x] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint left = x == 0 ? columns - 1 : x - 1, right = x == columns - 1 ? 0 : x + 1;
  uint up = y == 0 ? rows - 1 : y - 1, down = y == rows - 1 ? 0 : y + 1;
  out[i] = (cells[y * columns + left] + cells[y * columns + right] + cells[up * columns + x] +
            cells[down * columns + x]) / 4;
}
#endif
