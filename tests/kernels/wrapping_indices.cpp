// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that wrap stay in their table, whoever makes vectors of the code.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

constexpr size_t kItems = 320;
const std::vector<Sizes> kLocalSizes{{64}, {16}, {32}, {320}};

/// Indices in a loop of the kernel: each with its table's size, and what C++ makes of it.
struct WrappingIndex {
  const char* text;
  size_t table;
  size_t (*value)(size_t);
};

const std::vector<WrappingIndex> kWrappingIndices{
    {"(j * 3) & 63", 64, [](size_t j) { return j * 3 & 63; }},
    {"(j * 2) & 63", 64, [](size_t j) { return j * 2 & 63; }},
    {"(j * 3 + 1) & 63", 64, [](size_t j) { return (j * 3 + 1) & 63; }},
    {"(uchar)(j * 3)", 256, [](size_t j) { return j * 3 & 255; }},
    {"(uchar)(j * 5 + 7)", 256, [](size_t j) { return (j * 5 + 7) & 255; }},
    {"(ushort)(j * 300)", 65536, [](size_t j) { return j * 300 & 65535; }},
    {"(uchar)(j * 3) / 2 * 2", 256, [](size_t j) { return (j * 3 & 255) / 2 * 2; }},
    {"3 * (j & 31)", 96, [](size_t j) { return 3 * (j & 31); }},
    {"(uchar)(3 * (uchar)(j * 2))", 256, [](size_t j) { return 3 * (j * 2 & 255) & 255; }},
    {"(j * 3) % 64u", 64, [](size_t j) { return j * 3 % 64; }},
    {"(j * 0x30000000u) >> 26", 64, [](size_t j) { return (j * 0x30000000u & 0xffffffffu) >> 26; }},
    {"((ulong)j * 0x4000000000000001ul) & 63", 64, [](size_t j) { return j & 63; }},
};

template <class Check>
void forEachTable(Check check) {
  for (const WrappingIndex& index : kWrappingIndices) {
    SCOPED_TRACE(index.text);
    // Nothing may be read before it or behind it.
    for (const bool atEnd : {true, false}) {
      Guarded table(index.table * sizeof(int), atEnd);
      auto* numbers = reinterpret_cast<int*>(table.data());
      for (size_t i = 0; i < index.table; ++i) numbers[i] = static_cast<int>(i * 3 + 1);
      check(index, table, numbers);
    }
  }
}

TEST(WrappingIndices, InLoopsOfTheKernel) {
  forEachTable([](const WrappingIndex& index, Guarded& table, const int* numbers) {
    const std::string at = index.text;
    const auto program = build(
        "kernel void k(global int* o, global const int* a, uint n) {"
        "  for (uint j = 0; j < n; j++) o[j] = a[" +
        at +
        "]; }"
        "kernel void c(global int* o, global const int* a, uint n) {"
        "  for (uint j = 0; j < " +
        std::to_string(kItems) + "; j++) o[j] = a[" + at +
        "]; }"
        "kernel void w(global int* a, global int* o, uint n) {"
        "  for (uint j = 0; j < n; j++) a[" +
        at + "] = (int)j; }");
    std::vector<int> expected(kItems), written(numbers, numbers + index.table);
    for (size_t j = 0; j < kItems; ++j) {
      expected[j] = numbers[index.value(j)];
      written[index.value(j)] = static_cast<int>(j);
    }
    std::vector<int> out(kItems);
    for (const char* kernel : {"k", "c"})
      Launch(program, kernel)
          .range({1}, {1})
          .buffer(out)
          .memory(table.data(), table.size())
          .value(static_cast<unsigned>(kItems))
          .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
    Launch(program, "w")
        .range({1}, {1})
        .memory(table.data(), table.size())
        .buffer(out)
        .value(static_cast<unsigned>(kItems))
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(std::vector<int>(numbers, numbers + index.table), written);
        });
  });
}

TEST(WrappingIndices, OfWorkItems) {
  forEachTable([](const WrappingIndex& index, Guarded& table, const int* numbers) {
    const std::string at = index.text;
    const auto program = build(
        "kernel void g(global int* o, global const int* a) {"
        "  uint j = get_global_id(0); o[j] = a[" +
        at +
        "]; }"
        "kernel void l(global int* o, global const int* a) {"
        "  uint j = get_local_id(0); o[get_global_id(0)] = a[" +
        at +
        "]; }"
        "kernel void b(global int* o, global const int* a, local int* t) {"
        "  uint j = get_local_id(0); t[j] = (int)j * 2; barrier(1);"
        "  o[get_global_id(0)] = a[" +
        at + "] + t[j ^ 1]; }");
    for (const Sizes& local : kLocalSizes) {
      std::vector<int> ofGlobal(kItems), ofLocal(kItems), withLocal(kItems), out(kItems);
      for (size_t g = 0; g < kItems; ++g) {
        const size_t l = g % local[0];
        ofGlobal[g] = numbers[index.value(g)];
        ofLocal[g] = numbers[index.value(l)];
        withLocal[g] = ofLocal[g] + static_cast<int>(l ^ 1) * 2;
      }
      const auto run = [&](const char* kernel, const std::vector<int>& expected) {
        Launch launch(program, kernel);
        launch.range({kItems}, local).buffer(out).memory(table.data(), table.size());
        if (*kernel == 'b') launch.local(4 * local[0]);
        launch.inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
      };
      run("g", ofGlobal);
      run("l", ofLocal);
      run("b", withLocal);
    }
  });
}

/// A difference of which the program promises that it does not wrap where it is used: in the last
/// iterations, from the middle of a vector on. In those before it does.
TEST(WrappingIndices, InMaskedIterations) {
  constexpr uint64_t kCount = 77, kUsed = 15, kEnd = uint64_t{1} << 32;
  // (int)j - s is INT_MIN for the first that is used.
  constexpr int kSubtracted = 2147483647 - static_cast<int>(kUsed) + 1;
  const std::string body =
      " ulong j = first + i; int x = 0;"
      " if (j >= from) x = a[(long)((int)j - s) + t];"
      " o[i] = x; ";
  const std::string parameters =
      "(global int* o, global const int* a, ulong from, ulong first, ulong n, int s, long t)";
  const auto program =
      build("kernel void k" + parameters + "{ for (ulong i = 0; i < n; i++) {" + body + "} }" +
            "kernel void g" + parameters + "{ ulong i = get_global_id(0);" + body + "}");
  Guarded table(kUsed * sizeof(int), /*atEnd=*/true);
  auto* numbers = reinterpret_cast<int*>(table.data());
  std::vector<int> expected(kCount), out(kCount);
  for (size_t i = 0; i < kUsed; ++i)
    expected[kCount - kUsed + i] = numbers[i] = static_cast<int>(i * 3 + 1);
  for (const char* kernel : {"k", "g"}) {
    const Sizes range{*kernel == 'k' ? 1 : kCount};
    Launch(program, kernel)
        .range(range, range)
        .buffer(out)
        .memory(table.data(), table.size())
        .value(kEnd - kUsed)
        .value(kEnd - kCount)
        .value(kCount)
        .value(kSubtracted)
        .value(int64_t{1} << 31)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

/// Sums of several parts with which loops of the kernel begin: near to where they wrap, and with
/// work-items before those that use them for which they do.
TEST(WrappingIndices, BeforeLoops) {
  constexpr size_t kCount = 77, kRows = 3;
  const auto program = build(
      "kernel void k(global int* o, global const int* a, int from, int w, int s, int step, long t) "
      "{"
      "  int i = get_global_id(0), first = get_global_id(1), x = 0;"
      "  if (i >= from) {"
      "    int at = (int)((uint)first * (uint)w + ((uint)(i - from) * 4u + (uint)s));"
      "    for (int y = 0; y < 3; ++y, at += step) x = x * 3 + a[(long)at + t] + a[(long)at + 1 + "
      "t];"
      "  }"
      "  o[i + first * 77] = x; }");
  for (const int from : {0, 1, 33, 70})
    for (const int64_t first : {int64_t{-2147483648}, int64_t{-2147483648} + (1 << 27) - 4 * 40,
                                int64_t{0}, int64_t{2147483647} - 4 * int64_t{kCount} - 2000}) {
      const int step = 500, w = 8;
      const size_t used = 4 * (kCount - static_cast<size_t>(from)) + 2 * step + w + 2;
      Guarded table(used * sizeof(int), /*atEnd=*/false);
      auto* numbers = reinterpret_cast<int*>(table.data());
      for (size_t i = 0; i < used; ++i) numbers[i] = static_cast<int>(i * 7 + 1);
      std::vector<int> expected(kCount * 2), out(kCount * 2);
      for (size_t g = 0; g < 2; ++g)
        for (size_t i = static_cast<size_t>(from); i < kCount; ++i)
          for (size_t y = 0; y < kRows; ++y) {
            const int* at = numbers + 4 * (i - static_cast<size_t>(from)) + g * w + y * step;
            expected[g * kCount + i] = expected[g * kCount + i] * 3 + at[0] + at[1];
          }
      Launch(program, "k")
          .range({kCount, 2}, {kCount, 1})
          .buffer(out)
          .memory(table.data(), table.size())
          .value(from)
          .value(w)
          .value(static_cast<int>(first))
          .value(step)
          .value(-first)
          .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
    }
}

}  // namespace
}  // namespace weft::test
