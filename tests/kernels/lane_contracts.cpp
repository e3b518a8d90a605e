// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code that writes lanes takes for granted: of values that are known when it is written,
// of variables that hold nothing yet, and of what a group shares.
#include <functional>
#include <string>

#include "harness.h"

namespace weft::test {
namespace {

/// What is in `in`.
uint32_t in(size_t index) { return static_cast<uint32_t>(index) * 2654435761u + 7; }

/// Runs `kernel void k(global int* out, global const uint* in, int n) { BODY }` with `i`, `l`, `g`
/// and `size` as ids and size of the group, and `local int L[256]`, in every form and in groups of
/// several sizes: of 12 work-items, all are in lanes that are known.
void run(const std::string& body, const std::function<int(int i, int l, int size)>& expected) {
  const auto program = build(
      "kernel void k(global int* out, global const uint* in, int n) { local int L[256]; int i = "
      "get_global_id(0), l = get_local_id(0), g = get_group_id(0), size = get_local_size(0); " +
      body + "}");
  for (const int size : {1, 5, 12, 50, 64}) {
    const int items = 5 * size;
    std::vector<uint32_t> input(items + 64);
    for (size_t i = 0; i < input.size(); ++i) input[i] = in(i);
    std::vector<int> out(items, -1), wanted(items);
    for (int i = 0; i < items; ++i) wanted[i] = expected(i, i % size, size);
    Launch(program, "k")
        .range({static_cast<uint64_t>(items)}, {static_cast<uint64_t>(size)})
        .buffer(out)
        .buffer(input)
        .value(5)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted) << "groups of " << size; });
  }
}

/// As unsigned numbers are taken for signed ones.
int asSigned(uint32_t number) { return static_cast<int>(number); }

TEST(LaneContracts, WhatIsKnownOfASumIsNotKnownOfItsPart) {
  // A 64th of the id is 0, and then the signed sum is the unsigned one, which wraps.
  run("out[i] = 0; if (in[i] & 3) { uint d = in[i] - in[i + 1] * 3; int e = (int)d - "
      "(int)(get_local_id(0) / 64); "
      "out[i] = e > 0 ? 1 : e < -5 ? 2 : 3; }",
      [](int i, int, int) {
        const int d = asSigned(in(i)-in(i + 1) * 3);
        return (in(i) & 3) == 0 ? 0 : d > 0 ? 1 : d < -5 ? 2 : 3;
      });
  run("int sum = 0; for (int k = 0; k < (int)(in[i] & 3); ++k) { uint d = in[i] + in[i + k]; int e "
      "= (int)d + (int)(get_local_id(0) >> 6); sum += e < (int)in[i] ? 1 : 2; } out[i] = sum;",
      [](int i, int, int) {
        int sum = 0;
        for (uint32_t k = 0; k < (in(i) & 3); ++k)
          sum += asSigned(in(i) + in(i + k)) < asSigned(in(i)) ? 1 : 2;
        return sum;
      });
}

TEST(LaneContracts, SumsOfIdsAndLocalIdsMayWrap) {
  const auto program = build(R"(
    kernel void k(global long* out, global int* flags) {
      local int L[128];
      size_t x = get_global_id(0), y = get_global_id(1) - get_global_offset(1);
      L[get_local_id(0)] = 7;
      barrier(CLK_LOCAL_MEM_FENCE);
      int sum = (int)(get_local_id(0) + get_global_id(1));
      out[y * get_global_size(0) + x] = (long)sum + L[127 - get_local_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((int)(get_local_id(0) + get_global_id(1)) < 0) flags[y * get_global_size(0) + x] = 1;
    })");
  constexpr uint64_t kItems = 256, kRows = 8, kOffset = (uint64_t{1} << 31) - 72;
  std::vector<int64_t> out(kItems * kRows, -1), wanted(out.size());
  std::vector<int> flags(out.size(), -1), wantedFlags(out.size(), -1);
  for (uint64_t i = 0; i < out.size(); ++i) {
    const int sum = asSigned(static_cast<uint32_t>(i % 128 + i / kItems + kOffset));
    wanted[i] = int64_t{sum} + 7;
    if (sum < 0) wantedFlags[i] = 1;
  }
  Launch(program, "k")
      .range({kItems, kRows}, {128, 1}, {0, kOffset})
      .buffer(out)
      .buffer(flags)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, wanted);
        EXPECT_EQ(flags, wantedFlags);
      });
}

/// Runs a body in which T[S] is a variable of a type that holds nothing before some work-items
/// write VALUE to it: of which element becomes known with the size of the group.
void keepInAVariable(const std::string& type, const std::string& value, const std::string& use) {
  const std::string text =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" +
      std::string(
          "kernel void k(global int* "
          "out, global const uint* in, int n) { int i = get_global_id(0), s = get_local_size(0) > "
          "5; ") +
      type + " t[2]; for (int k = 0; k < (int)(in[i] & 3); ++k) { if (k == 1) t[s] = " + value +
      "; if (k == 2) out[i] = " + use + "; } }";
  const auto program = build(text);
  std::vector<uint32_t> input(100);
  for (size_t i = 0; i < input.size(); ++i) input[i] = in(i);
  for (const uint64_t size : {5, 10, 50}) {
    std::vector<int> out(100, -1);
    Launch(program, "k")
        .range({100}, {size})
        .buffer(out)
        .buffer(input)
        .value(5)
        .inEveryForm([&](const Outcome&) {
          for (int i = 0; i < 100; ++i) {
            EXPECT_EQ(out[i], (in(i) & 3) == 3 ? i % 50 + 1 : -1) << type << ", item " << i;
          }
        });
  }
}

TEST(LaneContracts, VariablesOfAllTypesMayHoldNothingAtFirst) {
  for (const char* type : {"uchar", "short", "int", "long", "half", "float", "double"})
    keepInAVariable(type, std::string("(") + type + ")(i % 50 + 1)", "(int)t[s]");
  for (const char* type : {"uchar4", "int4", "float2", "double3", "half8", "ulong16"})
    keepInAVariable(type, std::string("(") + type + ")(i % 50 + 1)", "(int)t[s].y");
  keepInAVariable("bool", "(i & 64) == 0 || n > 0", "t[s] ? i % 50 + 1 : 0");
  keepInAVariable("global const uint*", "in + i % 50", "(int)(t[s] - in) + 1");
}

TEST(LaneContracts, PartsOfVariablesMayHoldNothingAtFirst) {
  // As SROA writes objects that are copied as a whole and written part by part.
  const auto parts = [](int i, int, int) {
    uint64_t sum = 0;
    for (int k = 0; k < 4; ++k) sum = sum * 5 + in(i + k) + (in(i + k + 1) ^ in(i));
    return asSigned(static_cast<uint32_t>(sum));
  };
  run("ulong w; uint sum = 0; for (uchar k = 0; k < 4; ++k) { w = (w & 0xffffffff00000000) | in[i "
      "+ "
      "k]; w = (w & 0xffffffff) | (ulong)(in[i + k + 1] ^ in[i]) << 32; sum = sum * 5 + (uint)w + "
      "(uint)(w >> 32); } out[i] = sum;",
      parts);
  run("ulong w; uint sum = 0; for (int k = 0; k < 8; ++k) { if (k & 1) { w = (w & 0xffffffff) | "
      "(ulong)(in[i + k / 2 + 1] ^ in[i]) << 32; sum = sum * 5 + (uint)w + (uint)(w >> 32); } else "
      "{ w = (w & 0xffffffff00000000) | in[i + k / 2]; } } out[i] = sum;",
      parts);
  run("ushort w; if (in[i] & 1) w = 7; if (in[i] & 2) w = (w & 0xff00) | 9; w = (w & 0xff) | "
      "0x300; "
      "out[i] = in[i] & 3 ? w : 1;",
      [](int i, int, int) {
        const uint32_t way = in(i) & 3;
        return way == 0 ? 1 : way == 1 ? 0x307 : 0x309;
      });
}

TEST(LaneContracts, WhatSomeWorkItemsWriteAllAlikeIsKept) {
  run("uint u; if (in[i] & 1) u = in[n] ^ in[n + 1]; else out[i] = 5; if (in[i] & 1) out[i] = u;",
      [](int i, int, int) { return (in(i) & 1) != 0 ? asSigned(in(5) ^ in(6)) : 5; });
  run("uint u; for (int k = 0; k < 3; ++k) { if (in[i + k] & 1) u = in[n + k] ^ 7; if (in[i + k] & "
      "2) out[i] = k; else if (in[i] & in[i + 1] & in[i + 2] & 1) out[i] = u; }",
      [](int i, int, int) {
        const auto isOdd = [](int index) { return (in(index) & 1) != 0; };
        int out = -1;
        for (int k = 0; k < 3; ++k) {
          if ((in(i + k) & 2) != 0)
            out = k;
          else if (isOdd(i) && isOdd(i + 1) && isOdd(i + 2))
            out = asSigned(in(5 + k) ^ 7);
        }
        return out;
      });
  run("uint u; if (in[i] & 1) { if (n & 1) u = in[n] * 3; else u = 1; } out[i] = in[i] & 1 ? "
      "(int)(u & 0xffff | in[i] & 0xf0000) : 0;",
      [](int i, int, int) {
        const uint32_t both = ((in(5) * 3) & 0xffff) | (in(i) & 0xf0000);
        return (in(i) & 1) != 0 ? asSigned(both) : 0;
      });
}

TEST(LaneContracts, ObjectsHaveTheirSizes) {
  // That of an argument is not known; that of a variable is one work-item's.
  run("int t[5]; for (int k = 0; k < 5; ++k) t[k] = in[i + k] & 7; barrier(CLK_LOCAL_MEM_FENCE); "
      "t[in[i] % 5] = 100; out[i] = (int)__builtin_object_size(out + i, 0); if (in[i] & 1) out[i] "
      "= "
      "(int)__builtin_object_size(t, 0) + t[in[i] % 5];",
      [](int i, int, int) { return (in(i) & 1) != 0 ? 120 : -1; });
}

}  // namespace
}  // namespace weft::test
