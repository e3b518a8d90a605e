// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sub-groups of 16 work-items.
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(16)))

/// Among those of all groups, which have 256 work-items.
uint sub_group_number(void) { return get_group_id(0) * 16 + get_sub_group_id(); }

KERNEL void reduce(global const float* in, global float* out) {
  float sum = sub_group_reduce_add(in[get_global_id(0)]);
  if (get_sub_group_local_id() == 0) out[sub_group_number()] = sum;
}

KERNEL void scan(global const float* in, global float* out) {
  size_t i = get_global_id(0);
  out[i] = sub_group_scan_inclusive_add(in[i]);
}

/// Prefix sums of groups of 256, in whole numbers.
KERNEL void scan_group(global const uint* in, global uint* out) {
  local uint sums[16];
  size_t i = get_global_id(0);
  uint lane = get_sub_group_local_id(), number = get_sub_group_id();
  uint sum = sub_group_scan_inclusive_add(in[i]);
  if (lane == 15) sums[number] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint before = sub_group_reduce_add(lane < number ? sums[lane] : 0);
  out[i] = before + sum;
}

/// Eight steps along a permutation of the sub-group that stands in memory.
KERNEL void shuffle(global const uint* in, global const uint* places, global uint* out) {
  size_t i = get_global_id(0);
  uint x = in[i], place = places[i];
  for (int step = 0; step < 8; ++step) x = x * 3 + sub_group_shuffle(x, place);
  out[i] = x;
}

/// Matrices of 16 x 16: each work-item has a column, and a row at the end.
KERNEL void transpose(global const uint* in, global uint* out) {
  uint lane = get_sub_group_local_id();
  size_t first = sub_group_number() * 256;
  uint x[16];
#pragma unroll
  for (int row = 0; row < 16; ++row) x[row] = in[first + row * 16 + lane];
#pragma unroll
  for (int distance = 8; distance > 0; distance /= 2) {
#pragma unroll
    for (int row = 0; row < 16; ++row) {
      if (row & distance) continue;
      const bool upper = (lane & distance) != 0;
      const uint sent = sub_group_shuffle_xor(upper ? x[row] : x[row | distance], distance);
      if (upper)
        x[row] = sent;
      else
        x[row | distance] = sent;
    }
  }
#pragma unroll
  for (int row = 0; row < 16; ++row) out[first + row * 16 + lane] = x[row];
}
