// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of a group's only work-item, of whose iterations lanes take what they compute on their own:
// sums stay in order to the last bit, and iterations that depend on each other stay as they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr size_t kGroups = 3, kMost = 200, kResults = 8;

std::string kernel(const std::string& body) {
  return R"(
#pragma OPENCL FP_CONTRACT OFF
typedef struct { float a, b; int c[2]; } S;
#define STEP x = (x * 0.5f + 0.25f) * (1.0f - x * 0.125f);
float worked(float x) { STEP STEP STEP STEP STEP STEP STEP STEP return x; }
kernel void k(global const float* restrict in, global float* restrict result,
              global float* restrict out, int n) {
  local S s[200];
  size_t g = get_group_id(0);
  out += g * 200; result += g * 8;
  for (int i = 0; i < 200; ++i) { s[i].a = in[i]; s[i].b = i; s[i].c[0] = i; s[i].c[1] = -i; }
)" + body +
         "}";
}

/// Enough for lanes to do that loops are distributed.
float worked(float x) {
  for (int i = 0; i < 8; ++i) x = (x * 0.5F + 0.25F) * (1.0F - x * 0.125F);
  return x;
}

/// Numbers whose sums are rounded.
std::vector<float> numbers() {
  std::vector<float> values(4 * kMost);
  for (size_t k = 0; k < values.size(); ++k)
    values[k] = static_cast<float>(k * 37 % 101) / 7.0F - 6.0F;
  return values;
}

struct Group {
  size_t id;
  const std::vector<float>& in;
  float* result;
  float* out;
  size_t n;
};

/// Runs `body` in every form, for few iterations and for many, beside `expect`.
void run(const std::string& body, const std::function<void(const Group&)>& expect) {
  const auto program = build(kernel(body));
  std::vector<float> in = numbers();
  for (const size_t n : {size_t{1}, size_t{7}, size_t{64}, size_t{67}, size_t{130}}) {
    std::vector<float> result(kGroups * kResults), out(kGroups * kMost);
    std::vector<float> expectedResult = result, expectedOut = out;
    for (size_t g = 0; g < kGroups; ++g)
      expect({g, in, &expectedResult[g * kResults], &expectedOut[g * kMost], n});
    Launch(program, "k")
        .range({kGroups}, {1})
        .buffer(in)
        .buffer(result)
        .buffer(out)
        .value(static_cast<int>(n))
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(result, expectedResult) << n;
          EXPECT_EQ(out, expectedOut) << n;
        });
  }
}

TEST(OwnLoops, SumInOrder) {
  run(R"(
    float sum = in[g], product = 1;
    for (int i = 0; i < n; ++i) {
      float x = in[i + g], y = in[2 * i], z = (x * y + 3.5f) / (fabs(x) + 1.5f);
      float w = (z - x) * (z + y) * 0.25f + worked(x);
      out[i] = w;
      sum += w;
      product = product * 0.5f + z;
    }
    result[0] = sum; result[1] = product;)",
      [](const Group& group) {
        float sum = group.in[group.id], product = 1;
        for (size_t i = 0; i < group.n; ++i) {
          const float x = group.in[i + group.id], y = group.in[2 * i];
          const float z = (x * y + 3.5F) / (std::fabs(x) + 1.5F);
          const float w = (z - x) * (z + y) * 0.25F + worked(x);
          group.out[i] = w;
          sum += w;
          product = product * 0.5F + z;
        }
        group.result[0] = sum;
        group.result[1] = product;
      });
}

TEST(OwnLoops, SumUnderConditions) {
  // One is never added to, and keeps the sign of its zero; others come by three ways.
  run(R"(
    float some = 0.1f, none = -0.0f, more = 1; int count = 5;
    for (uint i = 0; i < n; ++i) {
      float x = in[i + g], y = (x * 3.0f - 1.25f) / (fabs(x) + 0.5f), z = x * worked(y) + worked(x) * 0.3f;
      if (x > 100.0f) none += z;
      if (x > 1.0f) {
        some += y * z;
        if (y > 1.5f) { more -= z * z * 0.7f + y; count += 3; }
        else if (z > 0.5f) { more -= y * 0.1f; count ^= 1; }
      } else {
        more += x * z;
      }
    }
    result[0] = some; result[1] = none; result[2] = more; result[3] = count;)",
      [](const Group& group) {
        float some = 0.1F, none = -0.0F, more = 1;
        int count = 5;
        for (size_t i = 0; i < group.n; ++i) {
          const float x = group.in[i + group.id];
          const float y = (x * 3.0F - 1.25F) / (std::fabs(x) + 0.5F),
                      z = x * worked(y) + worked(x) * 0.3F;
          if (x > 100.0F) none += z;
          if (x > 1.0F) {
            some += y * z;
            if (y > 1.5F) {
              more -= z * z * 0.7F + y;
              count += 3;
            } else if (z > 0.5F) {
              more -= y * 0.1F;
              count ^= 1;
            }
          } else {
            more += x * z;
          }
        }
        group.result[0] = some;
        group.result[1] = none;
        group.result[2] = more;
        group.result[3] = static_cast<float>(count);
        EXPECT_TRUE(std::signbit(none));
      });
}

TEST(OwnLoops, SumVectors) {
  run(R"(
    float4 force = (float4)(1, 2, 3, 4); float energy = 0; uint bits = 0x5a3c96e1u + g;
    for (uint j = 0; j < 32; ++j) {
      float4 other = (float4)(s[j].a, s[j].b, in[j + g], 0), d = other - (float4)(1, 2, 3, 0);
      float r = d.x * d.x + d.y * d.y + d.z * d.z;
      if (r < 300.0f) {
        float e = (bits & 1) ? 1.0f / (r + 1.0f) : 0.0f, f = e * 0.3f;
        energy += 0.5f * e;
        d.xyz *= f;
        force.xyz -= d.xyz;
        s[j].b += d.x; s[j].c[1] += (int)r;
      }
      bits >>= 1;
    }
    vstore4(force, 0, result); result[4] = energy;
    for (int i = 0; i < 200; ++i) out[i] = s[i].b + s[i].c[1] + s[i].c[0];)",
      [](const Group& group) {
        float force[3] = {1, 2, 3}, energy = 0;
        auto bits = 0x5a3c96e1U + static_cast<uint32_t>(group.id);
        for (size_t i = 0; i < kMost; ++i) group.out[i] = static_cast<float>(i);
        for (size_t j = 0; j < 32; ++j, bits >>= 1) {
          auto b = static_cast<float>(j);
          const float other[3] = {group.in[j], b, group.in[j + group.id]};
          float d[3];
          for (size_t c = 0; c < 3; ++c) d[c] = other[c] - static_cast<float>(c + 1);
          const float r = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
          auto sum = -static_cast<float>(j);
          if (r < 300.0F) {
            const float e = (bits & 1) != 0 ? 1.0F / (r + 1.0F) : 0.0F, f = e * 0.3F;
            energy += 0.5F * e;
            for (size_t c = 0; c < 3; ++c) force[c] -= d[c] *= f;
            b += d[0];
            sum += std::trunc(r);
          }
          group.out[j] = b + sum + static_cast<float>(j);
        }
        for (size_t j = 32; j < kMost; ++j)
          group.out[j] = static_cast<float>(j) - static_cast<float>(j) + static_cast<float>(j);
        for (size_t c = 0; c < 3; ++c) group.result[c] = force[c];
        group.result[3] = 4;
        group.result[4] = energy;
      });
}

TEST(OwnLoops, SumsThatAreTakenUnderConditionsAndWantedWithout) {
  run(R"(
    float4 sum = (float4)(1, 2, 3, 4); float other = 0;
    for (int i = 0; i < 64; ++i) {
      float x = in[i + g] * 0.3f, y = (x * x - 2.0f) / (fabs(x) + 1.0f), z = x * y + 0.5f * (x - y);
      float4 v = (float4)(x * z, y * z + x, z * z - y, x * y * z);
      float3 t = (sum + v).xyz;
      if (y > 0.0f) { sum.xyz = t; out[i] = z; }
      other = other * 0.5f + t.y;
    }
    vstore4(sum, 0, result); result[4] = other;)",
      [](const Group& group) {
        float sum[3] = {1, 2, 3}, other = 0;
        for (size_t i = 0; i < 64; ++i) {
          const float x = group.in[i + group.id] * 0.3F;
          const float y = (x * x - 2.0F) / (std::fabs(x) + 1.0F), z = x * y + 0.5F * (x - y);
          const float t[3] = {sum[0] + x * z, sum[1] + (y * z + x), sum[2] + (z * z - y)};
          if (y > 0.0F) {
            std::copy(t, t + 3, sum);
            group.out[i] = z;
          }
          other = other * 0.5F + t[1];
        }
        std::copy(sum, sum + 3, group.result);
        group.result[3] = 4;
        group.result[4] = other;
      });
}

TEST(OwnLoops, NumbersThatFollowEachOther) {
  // What is computed first, in order, or by lanes, and what of it is wanted behind the loop.
  run(R"(
    uint x = 7 + g, y = 1; float sum = 0, last = 0; int i;
    for (i = 0; i < n; ++i) {
      x = x * 1664525u + 1013904223u;
      float u = (float)(x >> 20), v = (u * 0.37f - 3.0f) * (u + in[i]), w = worked(v / (fabs(v) + u + 1.0f));
      if (w > 0.25f) sum += w * v;
      y = y * 3 + (v > 1.0f);
      out[i] = last = w;
    }
    result[0] = sum; result[1] = last; result[2] = x & 0xffff; result[3] = y & 0xffff; result[4] = i;)",
      [](const Group& group) {
        auto x = static_cast<uint32_t>(7 + group.id);
        uint32_t y = 1;
        float sum = 0, last = 0;
        for (size_t i = 0; i < group.n; ++i) {
          x = x * 1664525U + 1013904223U;
          const auto u = static_cast<float>(x >> 20U);
          const float v = (u * 0.37F - 3.0F) * (u + group.in[i]),
                      w = worked(v / (std::fabs(v) + u + 1.0F));
          if (w > 0.25F) sum += w * v;
          y = y * 3 + static_cast<uint32_t>(v > 1.0F);
          group.out[i] = last = w;
        }
        group.result[0] = sum;
        group.result[1] = last;
        group.result[2] = static_cast<float>(x & 0xffffU);
        group.result[3] = static_cast<float>(y & 0xffffU);
        group.result[4] = static_cast<float>(group.n);
      });
}

TEST(OwnLoops, IterationsThatDependOnEachOther) {
  // Through memory one and sixteen iterations on, through a place that only some of them write, and
  // by a sum that decides what is done.
  run(R"(
    float sum = 0, other = 0;
    for (int i = 0; i < n; ++i) {
      float x = in[i + g] * 0.3f, y = (x * x - 2.0f) / (fabs(x) + 1.0f), z = x * y + 0.5f * (x - y);
      s[i + 1].a = s[i].a * 0.5f + z;
      sum += z * y;
    }
    for (int i = 0; i < n; ++i) {
      float x = in[i + g] * 0.3f, y = (x * x - 2.0f) / (fabs(x) + 1.0f), z = x * y + 0.5f * (x - y);
      s[i + 16].b = s[i].b * 0.5f + z;
      if (y > 0) s[3].c[0] = i;
      sum += z * y + s[3].c[0];
    }
    for (int i = 0; i < n; ++i) {
      float x = in[i + g] * 0.3f, y = (x * x - 2.0f) / (fabs(x) + 1.0f), z = x * y + 0.5f * (x - y);
      if (other < 3.0f) other += z * z; else other -= fabs(y) + 1.0f;
    }
    result[0] = sum; result[1] = other;
    for (int i = 0; i < 200; ++i) out[i] = s[i].a + s[i].b;)",
      [](const Group& group) {
        std::vector<float> a(group.in.begin(), group.in.begin() + kMost), b(kMost);
        for (size_t i = 0; i < kMost; ++i) b[i] = static_cast<float>(i);
        float sum = 0, other = 0, written = 3;
        const auto parts = [&](size_t i) {
          const float x = group.in[i + group.id] * 0.3F;
          const float y = (x * x - 2.0F) / (std::fabs(x) + 1.0F);
          return std::pair{y, x * y + 0.5F * (x - y)};
        };
        for (size_t i = 0; i < group.n; ++i) {
          const auto [y, z] = parts(i);
          a[i + 1] = a[i] * 0.5F + z;
          sum += z * y;
        }
        for (size_t i = 0; i < group.n; ++i) {
          const auto [y, z] = parts(i);
          b[i + 16] = b[i] * 0.5F + z;
          if (y > 0) written = static_cast<float>(i);
          sum += z * y + written;
        }
        for (size_t i = 0; i < group.n; ++i) {
          const auto [y, z] = parts(i);
          if (other < 3.0F)
            other += z * z;
          else
            other -= std::fabs(y) + 1.0F;
        }
        group.result[0] = sum;
        group.result[1] = other;
        for (size_t i = 0; i < kMost; ++i) group.out[i] = a[i] + b[i];
      });
}

TEST(OwnLoops, SumsThatNothingIsAddedToKeepTheirBits) {
  // Also where denormal numbers are zeros: an addition of nothing would make one of them.
  const std::string source = R"(
    kernel void k(global const float* restrict in, global uint* restrict out) {
      float some = as_float(3u), more = 1; double wide = as_double(5ul);
      for (int i = 0; i < 64; ++i) {
        float x = in[i], y = (x * 3.0f - 1.25f) / (fabs(x) + 0.5f), z = x * y * 0.3f + y;
        if (x > 100.0f) { some += y * z; wide -= z; }
        more += (z * y - x) * (y + x) * z;
      }
      out[0] = as_uint(some); out[1] = (uint)as_ulong(wide); out[2] = more > 0;
    })";
  for (const char* options : {"", "-cl-denorms-are-zero"}) {
    const auto program = build(source, options);
    std::vector<float> in = numbers();
    std::vector<uint32_t> out(2), expected = {3, 5};
    out.push_back(0);
    Launch(program, "k").range({1}, {1}).buffer(in).buffer(out).inEveryForm([&](const Outcome&) {
      EXPECT_EQ(out[0], expected[0]) << options;
      EXPECT_EQ(out[1], expected[1]) << options;
    });
  }
}

}  // namespace
}  // namespace weft::test
