// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a * b, square matrices in rows. REAL is float or double.

kernel void naive(global const REAL* a, global const REAL* b, global REAL* c, int n) {
  int column = get_global_id(0), row = get_global_id(1);
  REAL sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

#define TILE 16

kernel void tiled(global const REAL* a, global const REAL* b, global REAL* c, int n) {
  local REAL rows[TILE][TILE], columns[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_global_id(0), row = get_global_id(1);
  REAL sum = 0;
  for (int tile = 0; tile < n; tile += TILE) {
    rows[y][x] = a[row * n + tile + x];
    columns[y][x] = b[(tile + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += rows[y][k] * columns[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

// Each item of a group of 16 x 16 computes 4 x 4 results, 16 apart, of the group's block of 64 x 64.
#define EACH 4
#define BLOCK (TILE * EACH)

kernel void blocked(global const REAL* a, global const REAL* b, global REAL* c, int n) {
  local REAL rows[TILE][BLOCK], columns[TILE][BLOCK];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * BLOCK, row = get_group_id(1) * BLOCK;
  REAL sum[EACH][EACH];
  for (int i = 0; i < EACH; ++i)
    for (int j = 0; j < EACH; ++j) sum[i][j] = 0;
  for (int tile = 0; tile < n; tile += TILE) {
    for (int i = 0; i < EACH; ++i) {
      rows[x][y + i * TILE] = a[(row + y + i * TILE) * n + tile + x];
      columns[y][x + i * TILE] = b[(tile + y) * n + column + x + i * TILE];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      for (int i = 0; i < EACH; ++i)
        for (int j = 0; j < EACH; ++j)
          sum[i][j] += rows[k][y + i * TILE] * columns[k][x + j * TILE];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < EACH; ++i)
    for (int j = 0; j < EACH; ++j)
      c[(row + y + i * TILE) * n + column + x + j * TILE] = sum[i][j];
}
