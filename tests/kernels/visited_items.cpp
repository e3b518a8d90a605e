// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on the local id that let some work-items of a group through: those below a limit,
// which may be one of a multiple, or each of so many. In every form, and for stores to local memory
// between which other elements lie that have to stay.
#include "harness.h"

namespace weft::test {
namespace {

struct Condition {
  const char* source;  ///< of `l`, an unsigned number, `i`, the same signed, and `N`, the size
  bool (*holds)(uint32_t l, int32_t i, uint32_t n);
};

const Condition kConditions[] = {
    {"l % 2 == 0", [](uint32_t l, int32_t, uint32_t) { return l % 2 == 0; }},
    {"i % 2 != 0", [](uint32_t, int32_t i, uint32_t) { return i % 2 != 0; }},
    {"!(l & 3)", [](uint32_t l, int32_t, uint32_t) { return !(l & 3); }},
    {"i % 3 == 2", [](uint32_t, int32_t i, uint32_t) { return i % 3 == 2; }},
    {"(i + 1) % 4 == 0", [](uint32_t, int32_t i, uint32_t) { return (i + 1) % 4 == 0; }},
    {"(l + 5) % 8 == 3", [](uint32_t l, int32_t, uint32_t) { return (l + 5) % 8 == 3; }},
    {"(i - 3) % 4 == 0", [](uint32_t, int32_t i, uint32_t) { return (i - 3) % 4 == 0; }},
    {"l % 16 == 16", [](uint32_t, int32_t, uint32_t) { return false; }},
    {"l % 128 == 99", [](uint32_t l, int32_t, uint32_t) { return l % 128 == 99; }},
    {"(uchar)l % 8 == 1", [](uint32_t l, int32_t, uint32_t) { return (l & 255) % 8 == 1; }},
    {"l % 2 == 1 && l < 21", [](uint32_t l, int32_t, uint32_t) { return l % 2 == 1 && l < 21; }},
    {"4 * l + 3 < 100", [](uint32_t l, int32_t, uint32_t) { return 4 * l + 3 < 100; }},
    {"(i + 1) * 8 - 1 < N / 2",
     [](uint32_t, int32_t i, uint32_t n) { return uint32_t((i + 1) * 8 - 1) < n / 2; }},
    {"100 - 3 * i > 7", [](uint32_t, int32_t i, uint32_t) { return 100 - 3 * i > 7; }},
    {"60 - 2 * i >= 0", [](uint32_t, int32_t i, uint32_t) { return 60 - 2 * i >= 0; }},
    {"3 * i - 50 <= -20", [](uint32_t, int32_t i, uint32_t) { return 3 * i - 50 <= -20; }},
    {"7 - l < 3", [](uint32_t l, int32_t, uint32_t) { return 7 - l < 3; }},
    {"l - 4 < 20", [](uint32_t l, int32_t, uint32_t) { return l - 4 < 20; }},
    {"(uchar)(l * 2) < 64", [](uint32_t l, int32_t, uint32_t) { return uint8_t(l * 2) < 64; }},
    {"l * 0x4000000u < 0x10000000u",
     [](uint32_t l, int32_t, uint32_t) { return l * 0x4000000u < 0x10000000u; }},
    {"(l << 2) <= 30", [](uint32_t l, int32_t, uint32_t) { return (l << 2) <= 30; }},
    {"(l ^ 4) > l", [](uint32_t l, int32_t, uint32_t) { return (l ^ 4) > l; }},
    {"(i ^ 16) < i", [](uint32_t, int32_t i, uint32_t) { return (i ^ 16) < i; }},
    {"!(l & 8)", [](uint32_t l, int32_t, uint32_t) { return !(l & 8); }},
    {"(l & 5) == 0", [](uint32_t l, int32_t, uint32_t) { return (l & 5) == 0; }},
    {"2 * i < -1", [](uint32_t, int32_t, uint32_t) { return false; }},
};

class VisitedItems : public ::testing::TestWithParam<std::tuple<const char*, unsigned>> {
 protected:
  static constexpr unsigned kGroups = 2;

  template <typename T>
  void check(const std::string& type, const Condition& condition) {
    const unsigned size = std::get<1>(GetParam());
    const auto program = build("#define T " + type + "\n#define CONDITION " + condition.source + R"(
      kernel void k(global const T* in, global T* out, global T* rest, global T* both) {
        local T c[512], d[520], e[512];
        uint l = get_local_id(0), N = get_local_size(0);
        int i = (int)l;
        size_t g = get_global_id(0);
        c[l] = in[g];
        d[l] = l;
        d[N + l % 8] = 5;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (CONDITION) c[l] = c[l] + d[l + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (CONDITION) rest[g] = c[l] - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        T either;
        if (CONDITION) {
          either = c[l] + d[l + 1];
          e[l] = l;
        } else {
          either = c[l];
          e[l] = 3;
        }
        both[g] = either;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[g] = c[l] + e[l];
      })");
    std::vector<T> in(size * kGroups), out(in.size(), T(77)), rest(in.size(), T(78)),
        both(in.size());
    std::vector<T> wantedOut, wantedRest, wantedBoth;
    for (unsigned g = 0; g < in.size(); ++g) {
      in[g] = static_cast<T>((g * 37 + g / 5) % 101);
      const unsigned l = g % size;
      const auto next = static_cast<T>(l + 1 < size ? l + 1 : 5);
      const bool holds = condition.holds(l, static_cast<int32_t>(l), size);
      const T value = holds ? static_cast<T>(in[g] + next) : in[g];
      wantedRest.push_back(holds ? static_cast<T>(value - 1) : T(78));
      wantedBoth.push_back(holds ? static_cast<T>(value + next) : value);
      wantedOut.push_back(static_cast<T>(value + (holds ? l : 3)));
    }
    Launch(program, "k")
        .range({in.size()}, {size})
        .buffer(in)
        .buffer(out)
        .buffer(rest)
        .buffer(both)
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(out, wantedOut) << condition.source;
          EXPECT_EQ(rest, wantedRest) << condition.source;
          EXPECT_EQ(both, wantedBoth) << condition.source;
        });
  }
};

TEST_P(VisitedItems, AndNobodyElse) {
  const std::string type = std::get<0>(GetParam());
  for (const Condition& condition : kConditions) {
    if (type == "uchar")
      check<uint8_t>(type, condition);
    else if (type == "int")
      check<int32_t>(type, condition);
    else
      check<double>(type, condition);
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, VisitedItems,
                         ::testing::Combine(::testing::Values("uchar", "int", "double"),
                                            ::testing::Values(32u, 300u)));

}  // namespace
}  // namespace weft::test
