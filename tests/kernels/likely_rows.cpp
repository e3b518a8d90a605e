// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that go on steadily but for some places: clamped at borders, wrapped round, chosen.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

/// Runs `kernel void k(global const TYPE* in, global TYPE* out, int n)` over all of `out`, with
/// memory that nobody may leave; `wanted` is the index that item i reads, or writes, of n.
template <class T>
void runOver(const std::string& type, const std::string& body, bool writes,
             const std::function<int(int, int)>& wanted) {
  const auto program = build("kernel void k(global const " + type + "* in, global " + type +
                             "* out, int n) { int i = get_global_id(0); " + body + " }");
  for (const int n : {1, 5, 16, 31, 64, 200, 515}) {
    for (const bool atEnd : {true, false}) {
      const size_t bytes = static_cast<size_t>(n) * sizeof(T);
      Guarded in(bytes, atEnd), out(bytes, atEnd);
      std::vector<T> numbers(static_cast<size_t>(n)), expected(static_cast<size_t>(n));
      for (size_t i = 0; i < bytes; ++i)
        reinterpret_cast<uint8_t*>(numbers.data())[i] = static_cast<uint8_t>(i * 37 % 251);
      std::memset(expected.data(), 0x55, bytes);
      for (int i = 0; i < n; ++i) {
        if (const int at = wanted(i, n); at >= 0)
          (writes ? expected[static_cast<size_t>(at)] : expected[static_cast<size_t>(i)]) =
              writes ? numbers[static_cast<size_t>(i)] : numbers[static_cast<size_t>(at)];
      }
      std::memcpy(in.data(), numbers.data(), bytes);
      std::memset(out.data(), 0x55, bytes);
      Launch(program, "k")
          .range(static_cast<uint64_t>(n))
          .memory(in.data(), bytes)
          .memory(out.data(), bytes)
          .value(n)
          .inEveryForm([&](const Outcome&) {
            EXPECT_EQ(std::memcmp(out.data(), expected.data(), bytes), 0) << body << ", " << n;
          });
    }
  }
}

int clamped(int x, int n) { return std::clamp(x, 0, n - 1); }

TEST(LikelyRows, ClampAtBothEnds) {
  for (const int by : {-3, -1, 2, 40}) {
    const std::string index = "clamp(i + " + std::to_string(by) + ", 0, n - 1)";
    const auto wanted = [by](int i, int n) { return clamped(i + by, n); };
    runOver<int32_t>("int", "out[i] = in[" + index + "];", false, wanted);
    runOver<uint8_t>("uchar", "out[i] = in[" + index + "];", false, wanted);
    runOver<int64_t>("long", "out[i] = in[" + index + "];", false, wanted);
    runOver<std::array<int16_t, 4>>("short4", "out[i] = in[" + index + "];", false, wanted);
    runOver<std::array<float, 4>>("float4", "out[i] = in[" + index + "];", false, wanted);
  }
}

TEST(LikelyRows, ChooseAtTheBorder) {
  runOver<int32_t>("int", "int x = i - 1; if (x < 0) x = n - 1; out[i] = in[x];", false,
                   [](int i, int n) { return (i + n - 1) % n; });
  runOver<int32_t>("int", "out[i] = in[i < n / 2 ? i : n - 1];", false,
                   [](int i, int n) { return i < n / 2 ? i : n - 1; });
  runOver<int32_t>("int", "out[i] = in[abs(i - 7) % n];", false,
                   [](int i, int n) { return std::abs(i - 7) % n; });
}

TEST(LikelyRows, WrapRound) {
  runOver<int32_t>("int", "out[i] = in[(i + 11) % n];", false,
                   [](int i, int n) { return (i + 11) % n; });
  runOver<uint16_t>("ushort", "out[i] = in[(uint)(i * 1 + 70) % (uint)n];", false,
                    [](int i, int n) { return (i + 70) % n; });
  runOver<int32_t>("int", "int m = n & 48; out[i] = in[min((i + 5) & m, n - 1)];", false,
                   [](int i, int n) { return std::min((i + 5) & (n & 48), n - 1); });
  // Not a row although first and last lane are as far apart as in one.
  runOver<int32_t>("int", "out[i] = in[min(i & 0x3d, n - 1)];", false,
                   [](int i, int n) { return std::min(i & 0x3d, n - 1); });
}

TEST(LikelyRows, InLoopsAndUnderMasks) {
  runOver<int32_t>("int",
                   "int s = i; int last = 0;"
                   "for (int k = 0; k < 5; ++k) { last = in[s % n]; s = (s + 13) % n; }"
                   "out[i] = last;",
                   false, [](int i, int n) { return (i + 52) % n; });
  runOver<int32_t>("int", "if (i % 3 != 1) out[i] = in[clamp(i + 2, 0, n - 1)];", false,
                   [](int i, int n) { return i % 3 != 1 ? clamped(i + 2, n) : -1; });
  runOver<uint8_t>("uchar", "if (i % 5 < 2) out[i] = in[clamp(i - 2, 0, n - 1)];", false,
                   [](int i, int n) { return i % 5 < 2 ? clamped(i - 2, n) : -1; });
}

/// Narrow numbers follow each other across their wrap, and places do not.
TEST(LikelyRows, NarrowNumbersWrap) {
  constexpr int kItems = 1 << 17;
  const auto program = build(
      "kernel void k(global const int* in, global int* out) {"
      "  int i = get_global_id(0);"
      "  short s = (short)(i + 11); ushort u = (ushort)(i + 300); uchar c = (uchar)(i + 3);"
      "  char d = (char)(i + 100);"
      "  out[i] = (in + 32768)[s] ^ in[u] * 3 ^ in[c] * 5 ^ (in + 128)[d] * 7; }");
  std::vector<int> in(1 << 16), out(kItems), expected(kItems);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 2654435761U);
  for (int i = 0; i < kItems; ++i) {
    const auto at = [&](int index) {
      return static_cast<uint32_t>(in[static_cast<size_t>(index)]);
    };
    expected[static_cast<size_t>(i)] = static_cast<int>(
        at(32768 + static_cast<int16_t>(i + 11)) ^ at(static_cast<uint16_t>(i + 300)) * 3 ^
        at(static_cast<uint8_t>(i + 3)) * 5 ^ at(128 + static_cast<int8_t>(i + 100)) * 7);
  }
  Launch(program, "k")
      .range(kItems)
      .memory(in.data(), in.size() * sizeof in[0])
      .memory(out.data(), out.size() * sizeof out[0])
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

/// The index that decides stands in an array of arrays, or has an offset behind it.
TEST(LikelyRows, DeepInAnAddress) {
  const auto wanted = [](int i, int n) { return clamped(i - 2, n); };
  runOver<std::array<int32_t, 2>>("int2",
                                  "struct Pair { int x, y; };"
                                  "global const struct Pair* p = (global const struct Pair*)in;"
                                  "int at = clamp(i - 2, 0, n - 1);"
                                  "out[i] = (int2)(p[at].x, p[at].y);",
                                  false, wanted);
  runOver<int32_t>("int",
                   "global const int (*rows)[4] = (global const int (*)[4])in;"
                   "int at = clamp(i - 2, 0, n - 1);"
                   "out[i] = at < n / 4 * 4 ? rows[at / 4][at % 4] : in[at];",
                   false, wanted);
  runOver<int32_t>(
      "int",
      "global const int* middle = in + n / 2; out[i] = middle[clamp(i - 2, 0, n - 1) - n / 2];",
      false, wanted);
}

/// The address is computed in a block that is written twice, with and without masks, and asked for
/// in a loop behind it.
TEST(LikelyRows, BehindABlockThatIsWrittenTwice) {
  const auto program = build(R"(
    kernel void k(global const long* in, global long* out) {
      uint i = get_global_id(0);
      if (i < 7u || i > 30u) {
        out[i] = in[i] | 1;
        for (int j = 0; j < (int)(i & 3u) + 1; j++) {
          if (in[i & 127u] > 5) break;
          out[i] += 10;
        }
      }
    })");
  constexpr size_t kItems = 256;
  std::vector<int64_t> in(kItems), out(kItems, 3), expected(kItems, 3);
  for (size_t i = 0; i < kItems; ++i) in[i] = static_cast<int64_t>(i * 7 % 12);
  for (size_t i = 0; i < kItems; ++i) {
    if (i >= 7 && i <= 30) continue;
    const auto rounds = static_cast<int64_t>(i & 3) + 1;
    expected[i] = (in[i] | 1) + (in[i & 127] > 5 ? 0 : 10 * rounds);
  }
  Launch(program, "k")
      .range({kItems}, {64})
      .buffer(in)
      .buffer(out)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

TEST(LikelyRows, WriteThemToo) {
  runOver<int32_t>("int", "out[(i + 9) % n] = in[i];", true,
                   [](int i, int n) { return (i + 9) % n; });
  runOver<std::array<int32_t, 2>>("int2", "out[(i + 9) % n] = in[i];", true,
                                  [](int i, int n) { return (i + 9) % n; });
  runOver<uint8_t>("uchar", "if (i & 4) out[(i + 3) % n] = in[i];", true,
                   [](int i, int n) { return i & 4 ? (i + 3) % n : -1; });
  runOver<int64_t>("long", "int x = i + 1; if (x == n) x = 0; out[x] = in[i];", true,
                   [](int i, int n) { return (i + 1) % n; });
}

}  // namespace
}  // namespace weft::test
