// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that some of the work-items enter, and all of these leave at the same time: because what
// ends them is the same for all, or because neighbours count in steps of as many as there are.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

/// Who enters.
constexpr const char* kEntries[] = {"",
                                    "if (l < 8)",
                                    "if (l == 0)",
                                    "if (l >= 5)",
                                    "if (in[id] & 1)",
                                    "if (in[id] % 7 == 0 || l == 15)",
                                    "if (id != 3)",
                                    "if (n > 1000)"};
constexpr const char* kLoops[] = {
    "for (int i = 1; i < 8; ++i)",
    "for (int i = 0; i < n; ++i)",
    "for (int i = l + 8; i < L; i += 8)",
    "for (int i = l + 16; i < 64; i += 16)",
    "for (int i = l; i < 40; i += 4)",
    "for (int i = l + 3; i <= 39; i += 4)",
    "for (uint i = l + 8; i < 61u; i += 8u)",
    "for (int i = l - 32; i >= -64; i -= 8)",
    "for (int i = l + 64; i > 7; i -= 8)",
    "for (int i = l + 64; i > 8; i -= 8)",
    "for (int i = l; i <= 40; i += 8)",
    "for (int i = l; i <= 47; i += 8)",
    "for (int i = (l & -8) + 64; i != 192; i += 8)",
    "for (int i = l + 8 * n; i < 70 * 8; i += 8)",
    "for (int i = l + n; i < 70 * 8; i += 8)",
    "for (size_t i = l; i < (size_t)(L + 64); i += L)",
    "for (int i = n; i < n + l / 8; ++i)",
    "for (int i = l / 16; i < 5; ++i)",
    "for (int i = 32 - l; i < 64; i += 8)",
    "for (int i = 2 * l; i < 96; i += 16)",
    "int i = l; do { sum += 3; } while ((i += 32) < 120); for (; i < 200; i += 8)",
    "for (int j = l; j < 24; j += 8) for (int i = j + l; i < 80; i += 16)"};
constexpr const char* kBodies[] = {
    "sum = sum * 3 + (int)i;",
    "sum += in[(i + l) & 127]; last = i;",
    "part[l] = part[l] * 5 + (int)i;",
    "if (in[(i + id) & 127] & 1) { sum ^= i; continue; } last += sum;",
    "atomic_add(&part[i & 63], 3); sum += i;",
    "if ((i & 7) == 2) part[l] += in[i & 127]; sum += part[l];",
    "for (int k = 0; k < (in[i & 127] & 3); ++k) sum += k + i;",
    "if (sum > 900) break; sum += 70 + (int)i;"};

std::string sourceOf(const char* entry, const char* loop, const char* body, size_t local) {
  return "#define L " + std::to_string(local) + R"(
    kernel void k(global int* out, global const int* in, int n) {
      local int part[64];
      int id = get_global_id(0), l = get_local_id(0), sum = in[id & 127] & 15, last = -1;
      for (int i = l; i < 64; i += L) part[i] = in[i] & 63;
      barrier(CLK_LOCAL_MEM_FENCE);
      )" +
         std::string(entry) + " { " + loop + " { " + body + R"( } sum += 5; }
      barrier(CLK_LOCAL_MEM_FENCE);
      out[2 * id] = sum * 7 + last;
      out[2 * id + 1] = part[l & 63];
    })";
}

void run(const char* entry, const char* loop, const char* body, size_t local, int n,
         std::mt19937& random) {
  const std::string source = sourceOf(entry, loop, body, local);
  SCOPED_TRACE(source + "\nn = " + std::to_string(n));
  std::vector<int> in(128), out(4 * local);
  for (int& number : in) number = static_cast<int>(random() >> 8);
  Launch(build(source), "k")
      .range({2 * local}, {local})
      .buffer(out)
      .buffer(in)
      .value(n)
      .inEveryForm([](const Outcome&) {});
}

TEST(LoopsLeftTogether, ByWhoeverEntersThem) {
  std::mt19937 random(5);
  size_t turn = 0;
  for (const char* loop : kLoops)
    for (const char* entry : kEntries) {
      if (++turn % 3 != 0) continue;
      const size_t local = std::array<size_t, 4>{32, 64, 16, 24}[turn % 4];
      const int n = std::array{9, 0, 16, 33, 1}[turn % 5];
      run(entry, loop, kBodies[turn % std::size(kBodies)], local, n, random);
      turn += turn % 4 == 0;
    }
}

// Others on another day.
TEST(LoopsLeftTogether, AtRandom) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto any = [&](const auto& choices) { return choices[random() % std::size(choices)]; };
  for (int round = 0; round < 30; ++round)
    run(any(kEntries), any(kLoops), any(kBodies), any(std::array<size_t, 4>{32, 64, 16, 24}),
        any(std::array{9, 0, 16, 33, 1}), random);
}

}  // namespace
}  // namespace weft::test
