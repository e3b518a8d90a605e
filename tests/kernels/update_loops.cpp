// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that update a place by compare-and-swap, in every form and width. Sums are exact, so that
// the order of work-items does not matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/function_table.h"

namespace weft::test {
namespace {

constexpr size_t kItems = 515, kGroup = 103, kBins = 37;

std::vector<uint32_t> numbers() {
  std::vector<uint32_t> in(kItems);
  for (size_t i = 0; i < kItems; ++i) in[i] = static_cast<uint32_t>(i * 2654435761u);
  return in;
}

constexpr const char* kAddFloat =
    "uint addFloat(volatile global uint* p, float v) {\n"
    "  uint old, next;\n"
    "  do { old = *p; next = as_uint(as_float(old) + v); } while (atomic_cmpxchg(p, old, next) != "
    "old);\n"
    "  return old;\n"
    "}\n";

TEST(UpdateLoops, SumsOfFloats) {
  const std::string body = std::string(kAddFloat) +
                           "kernel void k(global uint* out, global const uint* in) {\n"
                           "  uint v = in[get_global_id(0)];\n"
                           "  addFloat(out + v % 37, (float)(v >> 28) * 0.25f);\n"
                           "}\n";
  const Program program = build(body);
  std::vector<uint32_t> in = numbers(), out(kBins);
  std::vector<float> sums(kBins);
  for (const uint32_t v : in) sums[v % 37] += static_cast<float>(v >> 28) * 0.25f;
  std::vector<uint32_t> wanted;
  for (const float sum : sums) wanted.push_back(std::bit_cast<uint32_t>(sum));
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(out)
      .buffer(in)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

// Work-items that take part or not, each a number of times of its own; what was there before is
// used.
TEST(UpdateLoops, UnderBranchesAndInLoops) {
  const std::string body =
      "int raise(volatile global int* p, int v) {\n"
      "  int old = *p, seen;\n"
      "  while ((seen = atomic_cmpxchg(p, old, max(old, v) + 2)) != old) old = seen;\n"
      "  return old;\n"
      "}\n"
      "kernel void k(global int* out, global const uint* in, global int* rises) {\n"
      "  size_t i = get_global_id(0);\n"
      "  uint v = in[i];\n"
      "  int wrong = 0, times = 0;\n"
      "  if (v & 2)\n"
      "    for (uint j = 0; j < (v >> 29); ++j) {\n"
      "      int old = raise(out + (i + j) % 5, 0);\n"
      "      wrong += old < 0 || (old & 1);\n"
      "      ++times;\n"
      "    }\n"
      "  rises[i] = wrong ? -1 : times;\n"
      "}\n";
  const Program program = build(body);
  std::vector<uint32_t> in = numbers();
  std::vector<int32_t> out(5), wanted(5), rises(kItems), wantedRises(kItems);
  for (size_t i = 0; i < kItems; ++i)
    if (in[i] & 2)
      for (uint32_t j = 0; j < (in[i] >> 29); ++j) {
        wanted[(i + j) % 5] += 2;
        ++wantedRises[i];
      }
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(out)
      .buffer(in)
      .buffer(rises)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, wanted);
        EXPECT_EQ(rises, wantedRises);
      });
}

// All lanes at one place, in 64 bits and in local memory; and what was there before is each value
// once.
TEST(UpdateLoops, OfOnePlace) {
  const std::string body =
      "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
      "ulong take(volatile global ulong* p) {\n"
      "  ulong old;\n"
      "  do old = *p; while (atom_cmpxchg(p, old, old + 3) != old);\n"
      "  return old / 3;\n"
      "}\n"
      "uint takeNear(volatile local uint* p) {\n"
      "  uint old;\n"
      "  do old = *p; while (atomic_cmpxchg(p, old, old * 2 + 1) != old);\n"
      "  return old;\n"
      "}\n"
      "kernel void k(global ulong* next, global uint* taken, global uint* near) {\n"
      "  local uint here[2];\n"
      "  size_t l = get_local_id(0);\n"
      "  if (l < 2) here[l] = 0;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  taken[take(next)] += 1;\n"
      "  if (l % 4 == 1) takeNear(here + (l / 4 & 1));\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (l < 2) near[2 * get_group_id(0) + l] = here[l];\n"
      "}\n";
  const Program program = build(body);
  constexpr size_t kGroups = kItems / kGroup;
  std::vector<uint64_t> next(1), wantedNext{3 * kItems};
  std::vector<uint32_t> taken(kItems), wantedTaken(kItems, 1), near(2 * kGroups);
  std::vector<uint32_t> wantedNear(2 * kGroups);
  for (size_t g = 0; g < kGroups; ++g)
    for (size_t l = 1; l < kGroup; l += 4) {
      uint32_t& place = wantedNear[2 * g + (l / 4 & 1)];
      place = place * 2 + 1;
    }
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(next)
      .buffer(taken)
      .buffer(near)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(next, wantedNext);
        EXPECT_EQ(taken, wantedTaken);
        EXPECT_EQ(near, wantedNear);
      });
}

// Loops that do more than update: a second place, two results.
TEST(UpdateLoops, ThatDoMore) {
  const std::string body =
      "kernel void k(global uint* out, global const uint* in, global uint* tries, global uint* "
      "last) {\n"
      "  size_t i = get_global_id(0);\n"
      "  volatile global uint* p = out + in[i] % 37;\n"
      "  uint old, next;\n"
      "  do {\n"
      "    old = *p;\n"
      "    next = old + (in[i] & 7);\n"
      "    tries[i] = 1;\n"
      "  } while (atomic_cmpxchg(p, old, next) != old);\n"
      "  last[i] = next - old;\n"
      "}\n";
  const Program program = build(body);
  std::vector<uint32_t> in = numbers(), out(kBins), wanted(kBins), tries(kItems), last(kItems);
  std::vector<uint32_t> wantedTries(kItems, 1), wantedLast(kItems);
  for (size_t i = 0; i < kItems; ++i) {
    wanted[in[i] % 37] += in[i] & 7;
    wantedLast[i] = in[i] & 7;
  }
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(out)
      .buffer(in)
      .buffer(tries)
      .buffer(last)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, wanted);
        EXPECT_EQ(tries, wantedTries);
        EXPECT_EQ(last, wantedLast);
      });
}

}  // namespace
}  // namespace weft::test
