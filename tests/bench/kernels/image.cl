// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define SIDE 5

/// in has SIDE - 1 more columns and rows than out.
kernel void convolve(global const float* in, constant float* weights, global float* out,
                     int columns) {
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int y = 0; y < SIDE; ++y)
    for (int x = 0; x < SIDE; ++x)
      sum += weights[y * SIDE + x] * in[(row + y) * (columns + SIDE - 1) + column + x];
  out[row * columns + column] = sum;
}

/// The border is black.
kernel void sobel(global const uchar* in, global uchar* out, int columns, int rows) {
  int column = get_global_id(0), row = get_global_id(1);
  int i = row * columns + column;
  if (column == 0 || row == 0 || column == columns - 1 || row == rows - 1) {
    out[i] = 0;
    return;
  }
  int nw = in[i - columns - 1], n = in[i - columns], ne = in[i - columns + 1];
  int w = in[i - 1], e = in[i + 1];
  int sw = in[i + columns - 1], s = in[i + columns], se = in[i + columns + 1];
  int across = ne + 2 * e + se - nw - 2 * w - sw;
  int down = sw + 2 * s + se - nw - 2 * n - ne;
  out[i] = (uchar)min(abs(across) + abs(down), 255u);
}
