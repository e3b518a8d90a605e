// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native.h"

namespace weft::bench::native {

void nbody(const float* bodies, float* accelerations, size_t count, float softening, size_t begin,
           size_t end) {
  for (size_t i = begin; i < end; i += kBodies) {
    float x[kBodies] = {}, y[kBodies] = {}, z[kBodies] = {};
    float px[kBodies], py[kBodies], pz[kBodies];
    for (size_t lane = 0; lane < kBodies; ++lane) {
      px[lane] = bodies[(i + lane) * 4];
      py[lane] = bodies[(i + lane) * 4 + 1];
      pz[lane] = bodies[(i + lane) * 4 + 2];
    }
    for (size_t j = 0; j < count; ++j) {
      const float ox = bodies[j * 4], oy = bodies[j * 4 + 1], oz = bodies[j * 4 + 2];
      const float mass = bodies[j * 4 + 3];
#pragma omp simd
      for (size_t lane = 0; lane < kBodies; ++lane) {
        const float dx = ox - px[lane], dy = oy - py[lane], dz = oz - pz[lane];
        const float inverse = 1.0f / __builtin_sqrtf(dx * dx + dy * dy + dz * dz + softening);
        const float force = mass * inverse * inverse * inverse;
        x[lane] += dx * force;
        y[lane] += dy * force;
        z[lane] += dz * force;
      }
    }
    for (size_t lane = 0; lane < kBodies; ++lane) {
      accelerations[(i + lane) * 4] = x[lane];
      accelerations[(i + lane) * 4 + 1] = y[lane];
      accelerations[(i + lane) * 4 + 2] = z[lane];
      accelerations[(i + lane) * 4 + 3] = 0;
    }
  }
}

void mandelbrot(uint32_t* iterations, size_t size, uint32_t limit, size_t begin, size_t end) {
  constexpr size_t kLanes = 32;
  for (size_t row = begin; row < end; ++row)
    for (size_t column = 0; column < size; column += kLanes) {
      const float cy = -1.5f + 3.0f * static_cast<float>(row) / static_cast<float>(size);
      float cx[kLanes], x[kLanes] = {}, y[kLanes] = {};
      uint32_t n[kLanes] = {};
      for (size_t lane = 0; lane < kLanes; ++lane)
        cx[lane] = -2.0f + 3.0f * static_cast<float>(column + lane) / static_cast<float>(size);
      for (uint32_t step = 0; step < limit; ++step) {
        uint32_t inside = 0;
#pragma omp simd reduction(+ : inside)
        for (size_t lane = 0; lane < kLanes; ++lane) {
          const float xx = x[lane] * x[lane], yy = y[lane] * y[lane];
          const bool in = xx + yy <= 4.0f;
          const float newY = 2.0f * x[lane] * y[lane] + cy;
          x[lane] = in ? xx - yy + cx[lane] : x[lane];
          y[lane] = in ? newY : y[lane];
          n[lane] += in;
          inside += in;
        }
        if (inside == 0) break;
      }
      for (size_t lane = 0; lane < kLanes; ++lane) iterations[row * size + column + lane] = n[lane];
    }
}

}  // namespace weft::bench::native
