// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose items go different ways.

#ifndef COUNT
#define COUNT 16
#endif

/// Each item sorts COUNT numbers of its own by insertion.
kernel void sort(global const uint* in, global uint* out) {
  uint values[COUNT];
  size_t i = get_global_id(0), items = get_global_size(0);
  for (int n = 0; n < COUNT; ++n) values[n] = in[n * items + i];
  for (int n = 1; n < COUNT; ++n) {
    uint value = values[n];
    int at = n;
    while (at > 0 && values[at - 1] > value) {
      values[at] = values[at - 1];
      --at;
    }
    values[at] = value;
  }
  for (int n = 0; n < COUNT; ++n) out[n * items + i] = values[n];
}

/// Where the item's column of `rows` numbers has the needle first; -1 when nowhere.
kernel void find(global const uchar* haystack, global int* found, int rows, uchar needle) {
  size_t i = get_global_id(0), items = get_global_size(0);
  found[i] = -1;
  for (int row = 0; row < rows; ++row) {
    if (haystack[row * items + i] != needle) continue;
    found[i] = row;
    return;
  }
}

/// Each item interprets a program of its own.
kernel void interpret(global const uchar* programs, global uint* results, int steps) {
  size_t i = get_global_id(0), items = get_global_size(0);
  uint a = i, b = 1;
  for (int step = 0; step < steps; ++step) {
    switch (programs[step * items + i]) {
      case 0: a += b; break;
      case 1: a ^= b << 3; break;
      case 2: b = a * 5 + 1; break;
      case 3: a = rotate(a, b & 31); break;
      case 4: b -= a >> 2; break;
      case 5:
        if (a > b) a -= b;
        break;
      case 6: b = max(a, b) | 1; break;
      default: a = ~a;
    }
  }
  results[i] = a ^ b;
}
