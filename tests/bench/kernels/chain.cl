// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One dependent chain for each element. TYPE is a vector or scalar type of SCALAR.
#ifdef HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

#define MULTIPLY_ADD(x, a, b) ((x) * (a) + (b))

kernel void chain(global TYPE* data, global TYPE* results, SCALAR factor, SCALAR addend, int steps) {
  size_t i = get_global_id(0);
  TYPE a = (TYPE)(factor), b = (TYPE)(addend), x = data[i];
  for (int n = 0; n < steps; ++n) x = STEP(x, a, b);
  results[i] = x;
}
