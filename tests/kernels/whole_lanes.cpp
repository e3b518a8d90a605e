// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masked code that has a form of its own for where all lanes are active, and lanes that count in
// local memory one after the other. Conditions on the id leave lane groups with all, some and none.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr size_t kItems = 400;

/// Runs `kernel void k(global int* out, global const int* in) { int i = global id; BODY }`, with
/// in[i] = i * 7 % 11 and twice as much of it as there are items.
void run(const std::string& body,
         const std::function<int(int i, const std::vector<int>& in)>& expected) {
  const auto program =
      build("kernel void k(global int* out, global const int* in) { int i = get_global_id(0); " +
            body + "}");
  std::vector<int> in(2 * kItems);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 7 % 11);
  std::vector<int> out(kItems, -1), wanted(kItems);
  for (size_t i = 0; i < kItems; ++i) wanted[i] = expected(static_cast<int>(i), in);
  Launch(program, "k")
      .range({kItems}, {100})
      .buffer(out)
      .buffer(in)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

TEST(WholeLanes, KeepWhatABlockComputesForOthers) {
  run("int v = 1, w = 2; if (i > 70 && i < 330) { v = in[i - 1] + in[i]; w = i * 3; } "
      "out[i] = v * 1000 + w;",
      [](int i, const std::vector<int>& in) {
        return i > 70 && i < 330 ? (in[i - 1] + in[i]) * 1000 + i * 3 : 1002;
      });
}

TEST(WholeLanes, KeepAddressesOfOneBlockForTheNext) {
  run("out[i] = -2; if (i > 70) { int a = in[i]; uint u = (uint)i - 64u; int4 b = (int4)(a, i, 3, "
      "in[u]); if (a > 3) { uint before = u - 1u; out[i] = in[before] + in[u] * 20 + b.s0 + b.s3; "
      "} else out[i] = b.s1; }",
      [](int i, const std::vector<int>& in) {
        if (i <= 70) return -2;
        const auto u = static_cast<size_t>(i) - 64;
        return in[i] > 3 ? in[u - 1] + in[u] * 20 + in[i] + in[u] : i;
      });
}

TEST(WholeLanes, AreAskedForInEveryTurnOfALoop) {
  run("int sum = 0; for (int k = 0; k < i; k += 16) { sum += in[i + k / 4] * (k & 3 + 1); "
      "if (sum > 300) break; } out[i] = sum;",
      [](int i, const std::vector<int>& in) {
        int sum = 0;
        for (int k = 0; k < i && sum <= 300; k += 16) sum += in[i + k / 4] * (k & (3 + 1));
        return sum;
      });
}

TEST(WholeLanes, ReadStructuresAtOnce) {
  run("if (i > 70 && i < 331) { int a = in[2 * i], b = in[2 * i + 1]; out[i] = a * 20 + b; } else "
      "out[i] = 7;",
      [](int i, const std::vector<int>& in) {
        return i > 70 && i < 331 ? in[2 * i] * 20 + in[2 * i + 1] : 7;
      });
}

TEST(WholeLanes, KnowWhatIsTheSameForAll) {
  run("int v = 0; if (i > 70) { int first = in[5]; v = in[i] + first; if (first == 2) out[i] = v; "
      "else out[i] = 3; } else { out[i] = -in[i]; }",
      [](int i, const std::vector<int>& in) { return i > 70 ? in[i] + in[5] : -in[i]; });
}

TEST(WholeLanes, RunBordersOfRows) {
  const auto program = build(R"(
    kernel void k(global uchar* out, global const uchar* in, int columns, int rows) {
      int x = get_global_id(0), y = get_global_id(1), i = y * columns + x;
      if (x == 0 || y == 0 || x == columns - 1 || y == rows - 1) { out[i] = 9; return; }
      out[i] = (in[i - columns] + in[i + columns] + in[i - 1] + in[i + 1]) / 4;
    })");
  constexpr int kColumns = 200, kRows = 21;
  std::vector<uint8_t> in(kColumns * kRows), out(in.size()), wanted(in.size(), 9);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i * 37 % 251);
  for (int y = 1; y < kRows - 1; ++y)
    for (int x = 1; x < kColumns - 1; ++x) {
      const int i = y * kColumns + x;
      wanted[i] =
          static_cast<uint8_t>((in[i - kColumns] + in[i + kColumns] + in[i - 1] + in[i + 1]) / 4);
    }
  Launch(program, "k")
      .range({kColumns, kRows}, {20, 7})
      .buffer(out)
      .buffer(in)
      .value(kColumns)
      .value(kRows)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

/// Counts `items` elements of type `type`, the lowest `bits` of each, in groups of 64 work-items
/// that `loop` over them, with `body` for each.
template <class T>
void count(const char* type, unsigned bits, const std::string& loop, const std::string& add) {
  constexpr size_t kCounted = 64 * 33 + 5;
  const std::string bins = std::to_string(1u << bits);
  const auto program = build(std::string("kernel void k(global uint* out, global const ") + type +
                             "* in, uint n) { local uint bins[" + bins +
                             "]; uint l = get_local_id(0), g = get_global_size(0);"
                             " for (uint b = l; b < " +
                             bins +
                             "; b += 64) bins[b] = 0;"
                             " barrier(CLK_LOCAL_MEM_FENCE); " +
                             loop + " { uint bin = in[i] & (" + bins + "u - 1u); " + add +
                             " } barrier(CLK_LOCAL_MEM_FENCE);"
                             " for (uint b = l; b < " +
                             bins + "; b += 64) atomic_add(out + b, bins[b]); }");
  std::vector<T> in(kCounted);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * i * 31 / 7 + (i << 13));
  std::vector<uint32_t> out(size_t{1} << bits), none(out.size()), wanted(out.size());
  const bool isWhole = loop.find("n / 128") != std::string::npos;
  const size_t counted = isWhole ? kCounted / 128 * 128 : kCounted;
  for (size_t i = 0; i < counted; ++i) {
    const auto bin = static_cast<size_t>(in[i]) & (out.size() - 1);
    wanted[bin] += add.find("add") != std::string::npos ? 1 + static_cast<uint32_t>(bin) : 1;
  }
  Launch(program, "k")
      .range({128}, {64})
      .buffer(out)
      .buffer(in)
      .value(static_cast<uint32_t>(kCounted))
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, wanted);
        out = none;
      });
}

constexpr const char* kWholeRows =
    "uint i = get_global_id(0); for (uint k = 0; k < n / 128; ++k, i += g)";
constexpr const char* kToTheEnd = "for (uint i = get_global_id(0); i < n; i += g)";

TEST(WholeLanes, CountBytes) {
  for (const char* loop : {kWholeRows, kToTheEnd}) {
    count<uint8_t>("uchar", 8, loop, "atomic_inc(bins + bin);");
    count<uint8_t>("uchar", 4, loop, "atomic_add(bins + bin, bin + 1u);");
  }
}

TEST(WholeLanes, CountLargerNumbers) {
  for (const char* loop : {kWholeRows, kToTheEnd}) {
    count<uint16_t>("ushort", 9, loop, "atomic_inc(bins + bin);");
    count<uint32_t>("uint", 6, loop, "atomic_inc(bins + bin);");
    count<uint64_t>("ulong", 6, loop, "atomic_add(bins + bin, bin + 1u);");
  }
}

TEST(WholeLanes, CountUnderConditions) {
  count<uint8_t>("uchar", 8, kToTheEnd,
                 "if (bin > 20) atomic_inc(bins + bin); else atomic_inc(&bins[bin]);");
}

}  // namespace
}  // namespace weft::test
