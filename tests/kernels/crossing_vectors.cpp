// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's vectors that work-items keep across barriers: whole, by elements, in loops. Every
// launch runs in all forms, which have to agree with fibers of one lane.
#include <random>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr size_t kGroup = 32, kItems = 3 * kGroup;

void run(const std::string& type, const std::string& element, unsigned count,
         const std::string& body) {
  const std::string source = "typedef " + type + " V;\ntypedef " + element + " E;\n#define COUNT " +
                             std::to_string(count) + R"(
    kernel void k(global const E* in, global E* out, int n) {
      local E l[64];
      int i = get_local_id(0), g = get_global_id(0), N = get_local_size(0);
      V a, b;
      for (int e = 0; e < COUNT; ++e) {
        ((E*)&a)[e] = in[g * COUNT + e];
        ((E*)&b)[e] = in[(g * COUNT + e) ^ 1];
      }
      )" + body + R"(
      for (int e = 0; e < COUNT; ++e) out[g * COUNT + e] = ((E*)&a)[e] + ((E*)&b)[e] * (E)3;
    })";
  SCOPED_TRACE(source);
  const auto program = build(source);
  const size_t bytes = kItems * count * 8;
  std::vector<uint8_t> in(bytes), out(bytes);
  // Small numbers, exact in floats of any size.
  for (size_t at = 0; at < kItems * count; ++at) {
    const auto number = static_cast<int>(at * 7 % 23);
    if (element == "float") {
      reinterpret_cast<float*>(in.data())[at] = static_cast<float>(number);
    } else if (element == "double") {
      reinterpret_cast<double*>(in.data())[at] = number;
    } else if (element == "uchar") {
      in[at] = static_cast<uint8_t>(number);
    } else {
      reinterpret_cast<int*>(in.data())[at] = number;
    }
  }
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(in)
      .buffer(out)
      .value(int{5})
      .inEveryForm([&](const Outcome&) {
        EXPECT_TRUE(std::ranges::any_of(out, [](uint8_t byte) { return byte != 0; }));
      });
}

struct Kind {
  const char* type;
  const char* element;
  unsigned count;
};
constexpr Kind kKinds[] = {{"float2", "float", 2},   {"float3", "float", 3}, {"float4", "float", 4},
                           {"double2", "double", 2}, {"uchar4", "uchar", 4}, {"int8", "int", 8},
                           {"float16", "float", 16}};

TEST(CrossingVectors, OfWhichElementsChange) {
  for (const auto& [type, element, count] : kKinds)
    run(type, element, count, R"(
      l[i] = a.x; barrier(CLK_LOCAL_MEM_FENCE); b.y = l[(i + 1) % N]; barrier(CLK_LOCAL_MEM_FENCE);
      l[i] = b.x; barrier(CLK_LOCAL_MEM_FENCE); a.y += l[N - 1 - i]; barrier(CLK_LOCAL_MEM_FENCE);
      a += b; l[i] = a.y; barrier(CLK_LOCAL_MEM_FENCE); b.x = l[i ^ 1] - b.y;)");
}

TEST(CrossingVectors, InLoops) {
  for (const auto& [type, element, count] : kKinds)
    run(type, element, count, R"(
      for (int round = 0; round < n; ++round) {
        l[i] = a.x + b.y; barrier(CLK_LOCAL_MEM_FENCE);
        V next = a + (V)l[(i + round) % N]; barrier(CLK_LOCAL_MEM_FENCE);
        a = b; b = next; b.x = a.y;
        if (round != n - 2) continue;
        l[i] = b.x; barrier(CLK_LOCAL_MEM_FENCE); a.y = l[i ^ 3]; barrier(CLK_LOCAL_MEM_FENCE);
      })");
}

TEST(CrossingVectors, OfDivergentWork) {
  for (const auto& [type, element, count] : kKinds)
    run(type, element, count, R"(
      V sum = (V)(E)1;
      for (int k = 0; k < i % 5; ++k) { sum = sum + a; sum.y = b.x; }
      l[i] = sum.x; barrier(CLK_LOCAL_MEM_FENCE);
      if (i % 3 == 0) a = sum; else a.x = sum.y;
      E other = l[(i + 5) % N]; barrier(CLK_LOCAL_MEM_FENCE);
      b = i & 1 ? (V)other : sum;)");
}

// Loops that compute with whole vectors, which other regions take apart.
TEST(CrossingVectors, OfLoopsInLoops) {
  for (const auto& [type, element, count] : kKinds)
    run(type, element, count, R"(
      for (int round = 0; round < n; ++round) {
        l[i] = a.y; barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < i % 3 + round; ++k) {
          if (k == 2 && i % 5 == 0) continue;
          for (int m = 0; m < 2 + i % 2; ++m) {
            if (m == 1 && k == 3) break;
            V old = a;
            a = b + (V)l[(i + k) % N];
            b = old - (V)(E)m;
          }
          b.x = b.x + a.y;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      })");
}

// Masks are vectors of single bits, and indices need not be known.
TEST(CrossingVectors, OfBitsAndWithIndices) {
  for (const auto& [type, element, count] : kKinds) {
    if (std::string(element) != "float") continue;
    run(type, element, count, R"(
      V larger = select(a, b, a < b); l[i] = larger.x; barrier(CLK_LOCAL_MEM_FENCE);
      b = select(b, (V)l[(i + 3) % N], a < larger); barrier(CLK_LOCAL_MEM_FENCE);
      ((E*)&a)[n & 1] = larger.y; l[i] = ((E*)&a)[i & 1]; barrier(CLK_LOCAL_MEM_FENCE);
      a.xy = larger.yx; b.x += l[N - 1 - i];)");
  }
}

/// A statement on the vectors a, b and c, and local memory, that groups run together.
std::string statement(std::mt19937& random, unsigned count) {
  const auto vector = [&] { return std::string(1, "abc"[random() % 3]); };
  const auto element = [&] { return vector() + ".s" + "0123456789abcdef"[random() % count]; };
  switch (random() % 9) {
    case 0:
      return element() + " = " + element() + " + (E)" + std::to_string(random() % 5) + ";";
    case 1:
      return vector() + " = " + vector() + " + " + vector() + ";";
    case 2:
      return "{ V t = a; a = b; b = t; }";
    case 3:
      return "if (i % 3 == " + std::to_string(random() % 3) + ") " + element() + " = " + element() +
             ";";
    case 4:
      return vector() + " = (V)" + element() + ";";
    case 5:
      return "for (int k = 0; k < i % " + std::to_string(random() % 4 + 1) + " + 1; ++k) { " +
             vector() + " = " + vector() + " - " + vector() + "; " + vector() + " = " + vector() +
             " + (V)(E)k; }";
    default:
      return "l[i] = " + element() + "; barrier(CLK_LOCAL_MEM_FENCE); " + element() + " = l[(i + " +
             std::to_string(random() % 7) + ") % N]; barrier(CLK_LOCAL_MEM_FENCE);";
  }
}

TEST(CrossingVectors, DrawnAtRandom) {
  std::mt19937 random(5);
  for (const auto& [type, element, count] : kKinds)
    for (int variant = 0; variant < 3; ++variant) {
      std::string body = "V c = a + b;\n";
      for (int k = 0; k < 6; ++k) body += statement(random, count) + "\n";
      body += "for (int round = 0; round < n; ++round) {\n";
      for (int k = 0; k < 5; ++k) body += statement(random, count) + "\n";
      body += "}\n";
      for (int k = 0; k < 4; ++k) body += statement(random, count) + "\n";
      run(type, element, count, body + "a += c;");
    }
}

}  // namespace
}  // namespace weft::test
