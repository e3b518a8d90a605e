// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers, local memory and atomics.

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void reduce(global const int* in,
                                                                    global int* out,
                                                                    local int* scratch) {
  const uint l = get_local_id(0);
  scratch[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) scratch[l] += scratch[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = scratch[0];
}

kernel void histogram(global const uchar* data, global uint* bins, uint n) {
  local uint mine[256];
  local volatile int most;
  const uint l = get_local_id(0), size = get_local_size(0);
  for (uint i = l; i < 256; i += size) mine[i] = 0;
  if (l == 0) most = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    uint old = atomic_inc(&mine[data[i]]);
    atomic_max(&most, (int)old);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (uint i = l; i < 256; i += size)
    if (mine[i]) atomic_add(&bins[i], mine[i]);
}

kernel void transpose(global const float* in, global float* out, int width, int height) {
  local float tile[16][17];
  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) tile[get_local_id(1) & 15][get_local_id(0) & 15] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t copied = async_work_group_copy(&tile[0][0], in, 16, 0);
  wait_group_events(1, &copied);
  if (x < width && y < height) out[x * height + y] = tile[get_local_id(0) & 15][get_local_id(1) & 15];
}

kernel void scan(global int* data, global int* sums) {
  local int left[128], right[128];
  int l = get_local_id(0), n = min((int)get_local_size(0), 128);
  local int* from = left;
  local int* to = right;
  from[l & 127] = data[get_global_id(0)];
  for (int step = 1; step < n; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[l & 127] = l >= step ? from[l & 127] + from[(l - step) & 127] : from[l & 127];
    local int* other = from;
    from = to;
    to = other;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = from[l & 127];
  if (l == n - 1) sums[get_group_id(0)] = from[l & 127];
  printf("%d: %v4hld %s %5.2f\n", l, (int4)(l), "done", (float)l);
}
