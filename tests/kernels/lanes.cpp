// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that work-items run through in different ways, in every form and width.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

// Three work-items in a row, so that most lanes are idle in every width.
constexpr size_t kRow = 3;

/// Builds `kernel void k(global int* out, global const int* in) { int i = global id; BODY }`, runs
/// it over `items` in groups of `local`, with in[i] = i * 7 % 11.
void run(const std::string& helpers, const std::string& body, size_t items, size_t local,
         const std::function<int(int i, const std::vector<int>& in)>& expected) {
  const auto program = build(helpers +
                             "kernel void k(global int* out, global const int* in) {"
                             " int i = get_global_id(0); " +
                             body + "}");
  std::vector<int> in(items);
  for (size_t i = 0; i < items; ++i) in[i] = static_cast<int>(i * 7 % 11);
  std::vector<int> out(items, -1), wanted(items);
  for (size_t i = 0; i < items; ++i) wanted[i] = expected(static_cast<int>(i), in);
  Launch(program, "k")
      .range({items}, {local})
      .buffer(out)
      .buffer(in)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

TEST(Lanes, LeaveALoopOneByOne) {
  run("", "int v = in[i], trips = 0; while (v > 0) { v -= 2; ++trips; } out[i] = trips * 100 + v;",
      100, 50, [](int i, const std::vector<int>& in) {
        int v = in[i], trips = 0;
        for (; v > 0; v -= 2) ++trips;
        return trips * 100 + v;
      });
}

// The trip count has no value where no lane comes to the next iteration, and the test of
// it is made all the same.
TEST(Lanes, AllLeaveALoopTogetherFromItsMiddle) {
  const auto program = build(R"(
    kernel void k(global uint* out, global const uint* in, uint n) {
      uint i = get_global_id(0), sum = 0;
      for (uint k = 0; k < 1; ++k) {
        uint step = 0;
        do { sum += step; } while (step++ < (in[i] & 3));
        if ((~n & 7) != (n & 7)) break;
        if (in[i] > 1000) continue;
        sum += 5;
      }
      out[i] = sum;
    })");
  std::vector<uint32_t> in(96), out(96), wanted(96);
  for (uint32_t i = 0; i < in.size(); ++i) {
    in[i] = i * 7 % 11;
    for (uint32_t step = 0; step <= (in[i] & 3); ++step) wanted[i] += step;
  }
  Launch(program, "k")
      .range({in.size()}, {32})
      .buffer(out)
      .buffer(in)
      .value(uint32_t{75})
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

// What a divergent branch on one side of a uniform one decides over runs for the other side too,
// after a branch of its own.
TEST(Lanes, EnterWhatAnotherBranchDecidesOver) {
  for (const int from : {0, 1})
    run("", "if (in[" + std::to_string(from) + R"(] > 2) {
           if (i % 5 > 3) return;
         } else if (in[i] == 7) {
           for (uint k = in[i]; k > 0; k = 0) out[i] = 3;
         }
         out[i] += 5;)",
        96, 32, [from](int i, const std::vector<int>& in) {
          if (in[static_cast<size_t>(from)] > 2) return i % 5 > 3 ? -1 : 4;
          return in[static_cast<size_t>(i)] == 7 ? 8 : 4;
        });
}

TEST(Lanes, EnterALoopInTwoPlaces) {
  run("", R"(
    uint a = 33, k = 0, sum = 0;
    if (i & 1) goto second;
    first:
      for (uint u = 0; ; u = 0) {
        for (uint v = 0; v < 1; v++) {}
        if (sum >= in[0]) break;
      }
    second:
      for (int n = 0; n < i; n++) a += 1;
      sum += a;
      if (k++ < 4) goto first;
    out[i] = sum;
  )",
      96, 32, [](int i, const std::vector<int>&) {
        int sum = 0;
        for (int k = 1; k <= 5; ++k) sum += 33 + k * i;
        return sum;
      });
}

TEST(Lanes, TakeManyWaysOutOfNestedLoops) {
  run("", R"(
    int sum = 0;
    for (int a = 0; a < in[i]; ++a) {
      if (a == 7) continue;
      for (int b = 0; ; ++b) {
        if (b > a) break;
        if (sum > 40) goto done;
        sum += a ^ b;
        if (((sum + i) & 7) == 5) { out[i] = -sum; return; }
      }
    }
    done: out[i] = sum;
  )",
      96, 32, [](int i, const std::vector<int>& in) {
        int sum = 0;
        for (int a = 0; a < in[i]; ++a) {
          if (a == 7) continue;
          for (int b = 0; b <= a; ++b) {
            if (sum > 40) return sum;
            sum += a ^ b;
            if (((sum + i) & 7) == 5) return -sum;
          }
        }
        return sum;
      });
}

TEST(Lanes, FallThroughSwitches) {
  run("", R"(
    int v = 1;
    switch (in[i]) {
      case 1: v += 10;
      case 2: v *= 3; break;
      case 5: v = i;
      case 6: case 7: v -= 4; break;
      default: v = 99;
    }
    out[i] = v;
  )",
      60, kRow, [](int i, const std::vector<int>& in) {
        switch (in[i]) {
          case 1:
            return 33;
          case 2:
            return 3;
          case 5:
            return i - 4;
          case 6:
          case 7:
            return -3;
          default:
            return 99;
        }
      });
}

// A value that is the same in every iteration, but comes from another iteration in each lane.
TEST(Lanes, KeepWhatALoopsLastTurnWas) {
  run("", "int k = 0; for (;; k += 3) if (k > in[i]) break; out[i] = k;", 64, 64,
      [](int i, const std::vector<int>& in) { return in[i] / 3 * 3 + 3; });
}

// Several blocks on either side of an if, and constants behind it.
TEST(Lanes, ComeTogetherBehindLargeBranches) {
  run("", R"(
    int v = 0;
    if (in[i] > 4) { if (get_num_groups(0) > 100) out[0] = 3; v = 1; }
    else { if (get_num_groups(0) > 200) out[1] = 3; v = 2; }
    out[i] = v;
  )",
      60, kRow, [](int i, const std::vector<int>& in) { return in[i] > 4 ? 1 : 2; });
}

TEST(Lanes, IndexPrivateArraysByTheirData) {
  run("", R"(
    int a[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5};
    for (int k = 0; k < in[i]; ++k) a[(k * 5 + i) % 9] += k;
    vstore3((int3)(i, 2, 3), in[i] % 3, a);
    out[i] = a[in[i] % 9] * 100 + a[4];
  )",
      60, 20, [](int i, const std::vector<int>& in) {
        int a[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5};
        for (int k = 0; k < in[i]; ++k) a[(k * 5 + i) % 9] += k;
        const int three[] = {i, 2, 3};
        for (int c = 0; c < 3; ++c) a[in[i] % 3 * 3 + c] = three[c];
        return a[in[i] % 9] * 100 + a[4];
      });
}

// The divisors of the first group are known to the compiler, and one of them is zero.
TEST(Lanes, DivideInLoopsThatTheyLeave) {
  WEFT_NEEDS_SOURCE("quotients by zero may be any number");
  run("",
      "int l = get_local_id(0), t = 0; barrier(CLK_LOCAL_MEM_FENCE); while (t++ < (l / l)) {} "
      "out[i] = t;",
      34, 17, [](int i, const std::vector<int>&) { return i % 17 == 0 ? 1 : 2; });
}

// A loop that a condition cuts short, perhaps to nothing, computed what the next region needs.
TEST(Lanes, EndRegionsEarly) {
  run("", R"(
    local int bins[16];
    int l = get_local_id(0);
    if (l < 16) bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = l; k < 40; k += 32) atomic_inc(&bins[(in[i] + k) & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    if (l < in[1] - 7) sum = 1000;
    for (int k = 0; k < 16; ++k) sum += bins[k] * (k + 1);
    out[i] = sum;
  )",
      64, 32, [](int i, const std::vector<int>& in) {
        int sum = 0;
        for (int l = 0; l < 32; ++l)
          for (int k = l; k < 40; k += 32) sum += ((in[i / 32 * 32 + l] + k) & 15) + 1;
        return sum;
      });
}

// What is divided by is known in both cases, with a zero in one element.
TEST(Lanes, DivideVectorsByOneOfTwoConstants) {
  WEFT_NEEDS_SOURCE("quotients by zero may be any number");
  run("", R"(
    int4 d = in[i] > 4 ? (int4)(0, 2, 3, 4) : (int4)(1, 1, 1, 5);
    int4 q = (int4)(20, 20, 30, 40) / d;
    out[i] = q.y + q.z * 100 + q.w * 10000;
  )",
      60, 20, [](int i, const std::vector<int>& in) {
        return in[i] > 4 ? 10 + 1000 + 100000 : 20 + 3000 + 80000;
      });
}

// The sum wraps for some work-items, which then are below the limit.
TEST(Lanes, CompareSumsWithArguments) {
  const auto program = build(R"(
    kernel void k(global int* out, ulong offset, uint start) {
      size_t l = get_local_id(0);
      int v = 1;
      if (l + offset < 20) v += 2;
      if ((uint)l + start < 20u) v += 4;
      out[get_global_id(0)] = v;
    }
    kernel void ended(global int* out, ulong offset) {
      if (get_local_id(0) + offset < 20) out[get_global_id(0)] = 7;
    })");
  std::vector<int> out(128), wanted(128);
  for (int i = 0; i < 128; ++i) wanted[i] = i % 64 >= 5 && i % 64 < 25 ? 7 : 0;
  Launch(program, "k")
      .range({128}, {64})
      .buffer(out)
      .value(uint64_t(-5))
      .value(uint32_t(-5))
      .inEveryForm([&](const Outcome&) {
        for (int i = 0; i < 128; ++i) EXPECT_EQ(out[i], wanted[i] ? 7 : 1) << i;
      });
  out.assign(128, 0);
  Launch(program, "ended")
      .range({128}, {64})
      .buffer(out)
      .value(uint64_t(-5))
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, wanted);
        out.assign(128, 0);
      });
}

// Lane 0 computes what wraps, and does not use it.
TEST(Lanes, WidenSignedNumbersThatWrapInIdleLanes) {
  const auto program = build(R"(
    kernel void k(global long* out, global int* other, int most, int least) {
      int l = get_local_id(0);
      long v = 1;
      if (l >= 8) v = (long)(most + (8 - l));
      if (l >= 8 && other[l] == 0) v += (long)(l - 8 + least) / 2;
      out[get_global_id(0)] = v;
    }
    kernel void at(global long* out, global int* in, int most, long before) {
      int l = get_local_id(0);
      long v = 0;
      if (l >= 8) v = in[(long)(most + (8 - l)) - before];
      out[get_global_id(0)] = v;
    }
    kernel void odd(global long* out, global int* in, int half_of_most, long before) {
      int l = get_local_id(0);
      long v = 0;
      if (l >= 8) v = in[(long)(2 * (half_of_most + (8 - l)) + 1) - before];
      out[get_global_id(0)] = v;
    })");
  std::vector<int64_t> out(128);
  std::vector<int> zeros(64), numbers(111);
  for (int i = 0; i < 111; ++i) numbers[i] = 100 + i;
  Launch(program, "k")
      .range({128}, {64})
      .buffer(out)
      .buffer(zeros)
      .value(INT32_MAX)
      .value(INT32_MIN)
      .inEveryForm([&](const Outcome&) {
        for (int i = 0; i < 128; ++i) {
          const int64_t l = i % 64;
          EXPECT_EQ(out[i], l < 8 ? 1 : INT32_MAX + (8 - l) + (l - 8 + int64_t{INT32_MIN}) / 2)
              << i;
        }
      });
  Launch(program, "at")
      .range({128}, {64})
      .buffer(out)
      .buffer(numbers)
      .value(INT32_MAX)
      .value(int64_t{INT32_MAX} - 60)
      .inEveryForm([&](const Outcome&) {
        for (int i = 0; i < 128; ++i)
          EXPECT_EQ(out[i], i % 64 < 8 ? 0 : 100 + 60 + 8 - i % 64) << i;
      });
  Launch(program, "odd")
      .range({128}, {64})
      .buffer(out)
      .buffer(numbers)
      .value(INT32_MAX / 2)
      .value(int64_t{INT32_MAX} - 110)
      .inEveryForm([&](const Outcome&) {
        for (int i = 0; i < 128; ++i)
          EXPECT_EQ(out[i], i % 64 < 8 ? 0 : 100 + 110 + 2 * (8 - i % 64)) << i;
      });
}

TEST(Lanes, AccessVectorsOfBytesUnderMasks) {
  run("", R"(
    uchar2 mine[3] = {(uchar2)(i, 1), (uchar2)(2, i), (uchar2)(5, 6)};
    if (in[i] > 3) { mine[1] += (uchar2)(in[i]); vstore2(mine[1], 0, (global uchar*)(out + i)); }
    else vstore2((uchar2)(9, 8), 0, (global uchar*)(out + i));
    out[i] = out[i] & 0xffff;
  )",
      63, 21, [](int i, const std::vector<int>& in) {
        if (in[i] <= 3) return 9 | 8 << 8;
        return (2 + in[i]) % 256 | (i + in[i]) % 256 << 8;
      });
}

// The index wraps in lane 0, which does not use it.
TEST(Lanes, ReadBesideThemselvesWithUnsignedIndices) {
  run("",
      "uint u = i; int v = in[i]; if (u > 0u) v += in[u - 1u]; if (u < 63u) v += in[u + 1u]; "
      "out[i] = v;",
      64, 16, [](int i, const std::vector<int>& in) {
        return in[i] + (i > 0 ? in[i - 1] : 0) + (i < 63 ? in[i + 1] : 0);
      });
}

// What C computes in 64 bits for an int, or without a sign, goes on steadily all the same.
TEST(Lanes, StrideThroughMemory) {
  run("",
      "int s = 0; for (int k = get_local_id(0); k < 93; k += get_local_size(0)) s = s * 3 + in[k]; "
      "out[i] = s;",
      100, 25, [](int i, const std::vector<int>& in) {
        int s = 0;
        for (int k = i % 25; k < 93; k += 25) s = s * 3 + in[static_cast<size_t>(k)];
        return s;
      });
  run("",
      "int l = get_local_id(0); global const int* middle = in + 32; int s = 0; "
      "for (uint k = 0; k < 3; ++k) if (l > (int)k) s += middle[(int)((uint)l + k - 33u)]; "
      "out[i] = s;",
      128, 64, [](int i, const std::vector<int>& in) {
        int s = 0;
        for (int k = 0; k < 3; ++k)
          if (i % 64 > k) s += in[static_cast<size_t>(i % 64 + k - 1)];
        return s;
      });
}

// A function that stays out of line gets the work-item itself.
TEST(Lanes, HandTheirStateToFunctions) {
  run("__attribute__((noinline)) int helper(int x) { return x * (int)get_local_id(0) + "
      "(int)get_num_groups(0); }",
      "int mine[2] = {i, 1}; barrier(CLK_LOCAL_MEM_FENCE); mine[helper(0) & 0] += helper(i); "
      "out[i] = mine[0];",
      64, 8, [](int i, const std::vector<int>&) { return i + i * (i % 8) + 8; });
}

TEST(Lanes, WriteToOnePlaceOneAfterTheOther) {
  run("",
      "if (in[i] == 5) atomic_add((volatile global int*)out + i, 6); else { volatile global int* p "
      "= out + i; *p = in[i]; }",
      60, 20, [](int i, const std::vector<int>& in) { return in[i]; });
}

}  // namespace
}  // namespace weft::test
