# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pyopencl program that sums an array with a tree in local memory, in two launches."""

import numpy as np
import pyopencl as cl
import pyopencl.array

SOURCE = """
kernel void reduce(global const float *input, global float *output, local float *scratch, int n) {
  const int lid = get_local_id(0);
  float sum = 0.0f;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += input[i];
  scratch[lid] = sum;
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < step) scratch[lid] += scratch[lid + step];
  }
  if (lid == 0) output[get_group_id(0)] = scratch[0];
}
"""
GROUPS, LOCAL, COUNT = 64, 128, 1_000_003

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
reduce = cl.Program(context, SOURCE).build().reduce

values = np.random.default_rng(1).random(COUNT, dtype=np.float32)
flags = cl.mem_flags
source = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=values)
partial = cl.Buffer(context, flags.READ_WRITE, GROUPS * 4)
total = cl.Buffer(context, flags.WRITE_ONLY, 4)
reduce(queue, (GROUPS * LOCAL,), (LOCAL,), source, partial, cl.LocalMemory(LOCAL * 4),
       np.int32(COUNT))
reduce(queue, (GROUPS,), (GROUPS,), partial, total, cl.LocalMemory(GROUPS * 4), np.int32(GROUPS))
result = np.empty(1, np.float32)
cl.enqueue_copy(queue, result, total)
expected = values.sum(dtype=np.float64)
assert abs(result[0] - expected) < 1e-5 * expected, (result[0], expected)

# pyopencl's own generated kernels: element-wise arithmetic and its reduction template.
array = cl.array.to_device(queue, values)
assert abs(float(cl.array.sum(array * 2 + 1).get()) - (2 * expected + COUNT)) < 1e-4 * expected

print("reduction right on", context.devices[0].platform.name)
