// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// bodies: x, y, z, mass
kernel void nbody(global const float4* bodies, global float4* accelerations, int count,
                  float softening) {
  int i = get_global_id(0);
  float4 self = bodies[i];
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < count; ++j) {
    float4 other = bodies[j];
    float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
    float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
    float force = other.w * inverse * inverse * inverse;
    x += dx * force;
    y += dy * force;
    z += dz * force;
  }
  accelerations[i] = (float4)(x, y, z, 0);
}

kernel void mandelbrot(global uint* iterations, int size, uint limit) {
  int column = get_global_id(0), row = get_global_id(1);
  float cx = -2.0f + 3.0f * column / size, cy = -1.5f + 3.0f * row / size;
  float x = 0, y = 0;
  uint n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  iterations[row * size + column] = n;
}

/// Of the normal distribution, by Abramowitz and Stegun 26.2.17.
float cumulative(float x) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
  float sum = k * (0.319381530f +
                   k * (-0.356563782f +
                        k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228040f * exp(-0.5f * x * x) * sum;
  return x > 0 ? 1.0f - tail : tail;
}

kernel void blackscholes(global const float* price, global const float* strike,
                         global const float* years, global float* call, global float* put,
                         float rate, float volatility) {
  size_t i = get_global_id(0);
  float s = price[i], k = strike[i], t = years[i];
  float root = volatility * sqrt(t);
  float d1 = (log(s / k) + (rate + 0.5f * volatility * volatility) * t) / root;
  float d2 = d1 - root;
  float discounted = k * exp(-rate * t);
  float n1 = cumulative(d1), n2 = cumulative(d2);
  call[i] = s * n1 - discounted * n2;
  put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}

/// Points of each item inside the circle.
kernel void montecarlo(global uint* hits, int samples) {
  uint i = get_global_id(0);
  uint state = i * 2654435761u + 1u;
  uint inside = 0;
  for (int n = 0; n < samples; ++n) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    float x = (state & 0xffff) * 0x1p-16f, y = (state >> 16) * 0x1p-16f;
    inside += x * x + y * y < 1.0f;
  }
  hits[i] = inside;
}
