// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores to local memory in branches, of places that have been read before: exchanges of sorting
// networks, whose places belong to one work-item each, and flags that several work-items share.
#include <algorithm>
#include <functional>

#include "harness.h"

namespace weft::test {
namespace {

struct Network {
  const char* exchange;  ///< of `c`, with distance `s` in a step of `size`
  unsigned keysOfItem;
};

constexpr Network kNetworks[] = {
    {"int i = 2 * l - (l & (s - 1)), j = i + s; int up = (i & size) == 0; T a = c[i], b = c[j];"
     "if ((a > b) == up) { c[i] = b; c[j] = a; }",
     2},
    {"int i = l / s * 2 * s + l % s, j = i + s; int up = (i & size) == 0; T a = c[i], b = c[j];"
     "if ((a > b) == up) { c[j] = a; c[i] = b; }",
     2},
    {"int i = l, j = i ^ s; if (j > i) { int up = (i & size) == 0; T a = c[i], b = c[j];"
     "if ((a > b) == up) { c[i] = b; c[j] = a; } }",
     1},
    {"int j = l ^ s; T a = c[l], b = c[j]; int up = (l & size) == 0; if (j > l && (a > b) == up) {"
     "c[l] = b; c[j] = a; }",
     1},
};

class Exchanges : public ::testing::TestWithParam<unsigned> {
 protected:
  static constexpr unsigned kGroups = 2;

  template <typename T>
  void sort(const std::string& type, const Network& network, const std::string& steps) {
    const unsigned keys = GetParam(), items = keys / network.keysOfItem;
    const auto program = build("#define T " + type + "\n#define KEYS " + std::to_string(keys) + R"(
      kernel void k(global const T* in, global T* out) {
        local T c[KEYS];
        int l = get_local_id(0), n = get_local_size(0);
        size_t first = get_group_id(0) * KEYS;
        for (int e = l; e < KEYS; e += n) c[e] = in[first + e];
        barrier(CLK_LOCAL_MEM_FENCE);
        )" + steps + "{" + network.exchange +
                               R"( barrier(CLK_LOCAL_MEM_FENCE); }
        for (int e = l; e < KEYS; e += n) out[first + e] = c[e];
      })");
    std::vector<T> in(keys * kGroups), out(in.size());
    for (unsigned i = 0; i < in.size(); ++i) in[i] = static_cast<T>((i * 7919 + i / 7) % 113);
    std::vector<T> wanted = in;
    for (unsigned group = 0; group < kGroups; ++group)
      std::sort(wanted.begin() + group * keys, wanted.begin() + (group + 1) * keys);
    Launch(program, "k")
        .range({items * kGroups}, {items})
        .buffer(in)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted) << network.exchange; });
  }

  void flags(const std::string& body, const std::function<bool(int32_t)>& holds) {
    const unsigned size = GetParam();
    const auto program = build(R"(
      kernel void k(global const int* in, global int* out) {
        local int flags[512];
        uint l = get_local_id(0);
        size_t g = get_global_id(0);
        int v = in[g];
        flags[l] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        )" + body + R"(
        barrier(CLK_LOCAL_MEM_FENCE);
        out[g] = flags[l / 8];
      })");
    std::vector<int32_t> in(size), out(size), wanted(size, 0);
    for (unsigned i = 0; i < size; ++i) in[i] = static_cast<int32_t>(i * 7919 % 113);
    for (unsigned i = 0; i < size; ++i)
      for (unsigned other = i / 8 * 8; other < std::min(size, i / 8 * 8 + 8); ++other)
        wanted[i] |= holds(in[other]);
    Launch(program, "k")
        .range({size}, {size})
        .buffer(in)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted) << body; });
  }
};

TEST_P(Exchanges, OfNetworks) {
  for (const Network& network : kNetworks) {
    const std::string steps =
        "for (int size = 2; size <= KEYS; size *= 2) for (int s = size / 2; s > 0; s /= 2)";
    sort<int32_t>("int", network, steps);
    sort<uint64_t>("ulong", network, steps);
    sort<uint8_t>("uchar", network, steps);
  }
}

TEST_P(Exchanges, OfNetworksWithShifts) {
  for (const Network& network : kNetworks)
    sort<float>("float", network,
                "for (uint size = 2; size <= KEYS; size <<= 1)"
                "for (uint s = size >> 1; s > 0; s >>= 1)");
}

// Work-items that have nothing to say must not take back what others have said.
TEST_P(Exchanges, FlagsOfSeveral) {
  flags("if (flags[l / 8] == 0 && v > 90) flags[l / 8] = 1;", [](int32_t v) { return v > 90; });
  flags("int old = flags[l >> 3]; if (v < 9) flags[l >> 3] = old | 1;",
        [](int32_t v) { return v < 9; });
}

INSTANTIATE_TEST_SUITE_P(Keys, Exchanges, ::testing::Values(32u, 128u, 512u));

}  // namespace
}  // namespace weft::test
