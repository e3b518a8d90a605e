// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define BINS 256

/// Each item counts `each` bytes, a whole range apart; groups are as large as there are bins.
kernel void local_bins(global const uchar* in, global uint* bins, int each) {
  local uint counts[BINS];
  uint l = get_local_id(0);
  counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int n = 0; n < each; ++n)
    atomic_inc(&counts[in[n * get_global_size(0) + get_global_id(0)]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[l], counts[l]);
}

kernel void global_bins(global const uchar* in, global uint* bins, int each) {
  for (int n = 0; n < each; ++n)
    atomic_inc(&bins[in[n * get_global_size(0) + get_global_id(0)]]);
}
