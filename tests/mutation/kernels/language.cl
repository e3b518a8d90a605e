// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels make of types, control flow and address spaces.

#define SQUARE(x) ((x) * (x))
#define CHECK(i, n) \
  do { \
    if ((i) >= (n)) return; \
  } while (0)

typedef struct {
  float4 position;
  int links[3];
  union {
    uint bits;
    float value;
  } either;
} Node;

typedef enum { Red, Green = 4, Blue } Colour;

typedef struct __attribute__((packed)) {
  uchar tag;
  int flags;
  ushort rest;
  double weight;
} Packed;

constant float kTable[8] = {0.5f, 1.0f, 1.5f, 2.0f, [5] = 3.0f};
constant char kText[] = "text";

float lookUp(constant float* table, uint i) { return table[i & 7]; }

__attribute__((noinline)) int walk(global const Node* nodes, int at) {
  int steps = 0;
  while (at >= 0 && steps < 16) {
    at = nodes[at].links[steps % 3];
    if (at == 7) continue;
    ++steps;
  }
  return steps;
}

kernel void nodes(global Node* nodes, global float* out, const uint n, const Colour colour) {
  const size_t i = get_global_id(0);
  CHECK(i, n);
  private Node mine = nodes[i];
  mine.position.xyz += (float3)(lookUp(kTable, i), SQUARE(mine.position.w), 1.0f).zyx;
  switch (colour) {
    case Red:
      mine.either.bits ^= 0x80000000u;
      break;
    case Green:
    case Blue:
      out[i] = mine.either.value;
    default:
      mine.links[0] = walk(nodes, (int)i);
  }
  nodes[i] = mine;
  out[n - 1 - i] = dot(mine.position, mine.position.wzyx) + kText[i % sizeof(kText)];
}

kernel void packed(global Packed* all, global ulong* sums, int shift) {
  int i = get_global_id(0);
  all[i].flags += i;
  all[i].rest <<= shift & 31;
  sums[i] = (ulong)all[i].weight + all[i].tag * 3ul;
  for (int j = 0, k = 10; j < k; ++j, --k) {
    if ((i ^ j) & 1) goto next;
    sums[i] += j % 3 == 0 ? j : -j;
  next:;
  }
}

kernel void convert(global const char4* from, global short4* to, global half* halves, global double2* d) {
  const int i = get_global_id(0);
  short4 wide = convert_short4_sat(convert_float4(from[i]) * 300.0f);
  to[i] = select(wide, as_short4((int2)(i, -i)), convert_short4(from[i].s0123) < (short4)(3) ? (short4)(-1) : (short4)(0));
  vstore_half4_rte(convert_float4(wide), i, halves);
  d[i] = fma(d[i], d[i].yx, (double2)(vload_half(i, halves)));
}
