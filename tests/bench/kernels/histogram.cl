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

#if __OPENCL_C_VERSION__ >= 200
/// Atomic operations on local memory and on global memory, as many of each as the arguments say.
kernel void places(global atomic_uint* cells, global uint* sums, int locals, int globals) {
  local atomic_uint arena[64];
  uint l = get_local_id(0);
  size_t i = get_global_id(0);
  atomic_init(&arena[l], 0);
  atomic_init(&cells[i], 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int n = 0; n < locals; ++n)
    atomic_fetch_add_explicit(&arena[l], n, memory_order_seq_cst, memory_scope_work_group);
  for (int n = 0; n < globals; ++n)
    atomic_fetch_add_explicit(&cells[i], n, memory_order_seq_cst, memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[i] = atomic_load_explicit(&arena[l], memory_order_relaxed, memory_scope_work_group) +
            atomic_load_explicit(&cells[i], memory_order_relaxed, memory_scope_device);
}
#endif
