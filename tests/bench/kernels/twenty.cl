// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Twenty kernels of the kinds that one application brings along in one program, for the time that
// a build and the first launch of each take. All have the same arguments, so that one loop
// launches them: a and b hold n floats, c holds n ints, n is a power of two. UNIQUE is a number that
// no earlier build has seen.

#define GROUP 64

float clamp_index(global const float* a, int i, int n) { return a[clamp(i, 0, n - 1)]; }

uint xorshift(uint s) {
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return s;
}

kernel void saxpy(global float* a, global float* b, global int* c, int n) {
  int i = get_global_id(0);
  if (i < n) b[i] = 2.5f * a[i] + b[i] + UNIQUE;
}

kernel void triad4(global float* a, global float* b, global int* c, int n) {
  int i = get_global_id(0);
  if (4 * i + 3 >= n) return;
  float4 x = vload4(i, a);
  float4 y = vload4(i, b);
  vstore4(x * y + (float4)(UNIQUE), i, a);
}

kernel void matmul(global float* a, global float* b, global int* c, int n) {
  int side = 8, i = get_global_id(0);
  int row = (i / side) % side, column = i % side;
  float sum = UNIQUE;
  for (int k = 0; k < side; ++k) sum += a[row * side + k] * b[k * side + column];
  a[i] = sum;
}

kernel void matmul_tiled(global float* a, global float* b, global int* c, int n) {
  local float left[GROUP], right[GROUP];
  int l = get_local_id(0), row = l / 8, column = l % 8;
  float sum = UNIQUE;
  for (int tile = 0; tile < n / GROUP; ++tile) {
    left[l] = a[tile * GROUP + l];
    right[l] = b[tile * GROUP + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; ++k) sum += left[row * 8 + k] * right[k * 8 + column];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  b[get_global_id(0)] = sum;
}

kernel void reduce(global float* a, global float* b, global int* c, int n) {
  local float partial[GROUP];
  int l = get_local_id(0);
  float sum = UNIQUE;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += a[i];
  partial[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = GROUP / 2; s > 0; s >>= 1) {
    if (l < s) partial[l] += partial[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) b[get_group_id(0)] = partial[0];
}

kernel void scan(global float* a, global float* b, global int* c, int n) {
  local int cell[2][GROUP];
  int l = get_local_id(0), from = 0;
  cell[0][l] = c[get_global_id(0)] + UNIQUE;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < GROUP; d <<= 1) {
    cell[1 - from][l] = cell[from][l] + (l >= d ? cell[from][l - d] : 0);
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[get_global_id(0)] = cell[from][l];
}

kernel void transpose(global float* a, global float* b, global int* c, int n) {
  local float tile[8][9];
  int l = get_local_id(0);
  tile[l / 8][l % 8] = a[get_global_id(0)] + UNIQUE;
  barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(0)] = tile[l % 8][l / 8];
}

kernel void blur(global float* a, global float* b, global int* c, int n) {
  int i = get_global_id(0);
  float sum = UNIQUE;
  for (int d = -3; d <= 3; ++d) sum += clamp_index(a, i + d, n) * (4 - abs(d));
  b[i] = sum / 16.0f;
}

kernel void sobel(global float* a, global float* b, global int* c, int n) {
  int i = get_global_id(0), w = 8;
  float gx = 0, gy = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      float v = clamp_index(a, i + y * w + x, n);
      gx += v * x * (2 - abs(y));
      gy += v * y * (2 - abs(x));
    }
  b[i] = sqrt(gx * gx + gy * gy) + UNIQUE;
}

kernel void nbody(global float* a, global float* b, global int* c, int n) {
  int i = get_global_id(0);
  float4 me = vload4(i % (n / 4), a);
  float3 force = (float3)(UNIQUE);
  for (int j = 0; j < n / 4; ++j) {
    float4 other = vload4(j, a);
    float3 d = other.xyz - me.xyz;
    float inverse = rsqrt(dot(d, d) + 1e-6f);
    force += d * (other.w * inverse * inverse * inverse);
  }
  b[i] = length(force);
}

kernel void mandelbrot(global float* a, global float* b, global int* c, int n) {
  int i = get_global_id(0), steps = 0;
  float cx = -2.0f + 3.0f * i / n, cy = 0.1f * UNIQUE, x = 0, y = 0;
  while (x * x + y * y < 4.0f && steps < 200) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    ++steps;
  }
  c[i] = steps;
}

kernel void black_scholes(global float* a, global float* b, global int* c, int n) {
  int i = get_global_id(0);
  float s = 10 + fabs(a[i]), x = 12, t = 1.5f, r = 0.02f, v = 0.3f;
  float d1 = (log(s / x) + (r + 0.5f * v * v) * t) / (v * sqrt(t));
  float d2 = d1 - v * sqrt(t);
  float k = 1 / (1 + 0.2316419f * fabs(d1));
  float tail = 0.39894228f * exp(-0.5f * d1 * d1) * k * (0.31938153f + k * (-0.356563782f + k));
  b[i] = s * tail - x * exp(-r * t) * d2 + UNIQUE;
}

kernel void histogram(global float* a, global float* b, global int* c, int n) {
  local int bins[16];
  int l = get_local_id(0);
  if (l < 16) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = l; i < n; i += GROUP) atomic_inc(&bins[(c[i] + UNIQUE) & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) atomic_add(&c[l], bins[l]);
}

kernel void spmv(global float* a, global float* b, global int* c, int n) {
  int i = get_global_id(0);
  float sum = UNIQUE;
  for (int k = 0; k < (i & 7); ++k) sum += a[(i + k) & (n - 1)] * b[c[(i + k) & (n - 1)] & (n - 1)];
  a[i] = sum;
}

kernel void butterfly(global float* a, global float* b, global int* c, int n) {
  int i = get_global_id(0);
  float angle = -2 * M_PI_F * (i & 15) / 32 + UNIQUE, cosine;
  float sine = sincos(angle, &cosine);
  float re = a[i] * cosine - b[i] * sine, im = a[i] * sine + b[i] * cosine;
  a[i] = re;
  b[i] = im;
}

kernel void bitonic(global float* a, global float* b, global int* c, int n) {
  local float cell[GROUP];
  int l = get_local_id(0);
  cell[l] = a[get_global_id(0)] + UNIQUE;
  for (int size = 2; size <= GROUP; size <<= 1)
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int other = l ^ stride;
      float mine = cell[l], theirs = cell[other];
      bool smaller = ((l & size) == 0) == (l < other);
      barrier(CLK_LOCAL_MEM_FENCE);
      cell[l] = smaller ? fmin(mine, theirs) : fmax(mine, theirs);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = cell[l];
}

kernel void hash(global float* a, global float* b, global int* c, int n) {
  uint x = 0x67452301, y = 0xefcdab89, z = 0x98badcfe, w = 0x10325476 + UNIQUE;
  int i = get_global_id(0);
  for (int round = 0; round < 32; ++round) {
    uint f = (y & z) | (~y & w);
    uint t = w;
    w = z;
    z = y;
    y += rotate(x + f + (uint)c[(i + round) & (n - 1)], (uint)(round & 31));
    x = t;
  }
  c[i] = x ^ y ^ z ^ w;
}

kernel void monte_carlo(global float* a, global float* b, global int* c, int n) {
  int i = get_global_id(0), inside = 0;
  uint state = i * 747796405u + UNIQUE + 1;
  for (int k = 0; k < 64; ++k) {
    state = xorshift(state);
    float x = (state & 0xffff) / 65536.0f;
    float y = (state >> 16) / 65536.0f;
    if (x * x + y * y < 1) ++inside;
  }
  b[i] = inside / 16.0f;
}

kernel void insertion_sort(global float* a, global float* b, global int* c, int n) {
  float values[8];
  int i = get_global_id(0);
  for (int k = 0; k < 8; ++k) values[k] = a[(i * 8 + k) & (n - 1)];
  for (int k = 1; k < 8; ++k) {
    float v = values[k];
    int j = k;
    for (; j > 0 && values[j - 1] > v; --j) values[j] = values[j - 1];
    values[j] = v;
  }
  b[i] = values[3] + UNIQUE;
}

kernel void classify(global float* a, global float* b, global int* c, int n) {
  int i = get_global_id(0);
  switch (c[i] & 3) {
    case 0:
      b[i] = native_sin(a[i]);
      break;
    case 1:
      b[i] = pow(fabs(a[i]), 1.5f);
      break;
    case 2:
      if (a[i] > 0) b[i] = -a[i];
      break;
    default:
      b[i] = convert_int_sat_rte(a[i] * 3) + UNIQUE;
  }
}
