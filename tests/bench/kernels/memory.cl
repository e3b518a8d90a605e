// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

kernel void copy(global const float* from, global float* to) {
  size_t i = get_global_id(0);
  to[i] = from[i];
}

kernel void triad(global const float* a, global const float* b, global float* c, float factor) {
  size_t i = get_global_id(0);
  c[i] = a[i] + factor * b[i];
}

kernel void transpose(global const float* from, global float* to, int size) {
  int column = get_global_id(0), row = get_global_id(1);
  to[column * size + row] = from[row * size + column];
}

#define TILE 16

/// The same through local memory, so that reads and writes both run along rows.
kernel void transpose_tiled(global const float* from, global float* to, int size) {
  local float tile[TILE][TILE + 1];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
  tile[y][x] = from[(row + y) * size + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  to[(column + y) * size + row + x] = tile[x][y];
}

/// Rows of a sparse matrix, an item for each.
kernel void spmv(global const int* starts, global const int* columns, global const float* values,
                 global const float* x, global float* y) {
  size_t row = get_global_id(0);
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}
