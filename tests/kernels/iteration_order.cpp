// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of one work-item to one place stay in their order, whoever makes vectors of the code.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr size_t kItems = 320;
const std::vector<Sizes> kLocalSizes{{64}, {16}, {32}, {320}};

/// Runs `body`, in which `g` is the global id and `a` and `b` are the same buffer of four ints for
/// each work-item, and compares with what `item` does to those ints, work-item by work-item.
template <class Reference>
void runOnOneBuffer(const std::string& body, Reference item) {
  const auto program =
      build("kernel void k(global int* a, global int* b) { uint g = get_global_id(0); " + body +
            "} kernel void s(global int* a, global int* b) { size_t g = get_global_id(0); " + body +
            "} kernel void i(global int* a, global int* b) { int g = get_global_id(0); " + body +
            "} kernel void l(global int* a, global int* b) { local int keep; uint g = "
            "get_global_id(0); if (get_local_id(0) == 0) keep = 1; barrier(1); " +
            body + "}");
  for (const char* kernel : {"k", "s", "i", "l"}) {
    for (const Sizes& local : kLocalSizes) {
      std::vector<int> data(4 * kItems), expected(4 * kItems);
      for (size_t k = 0; k < data.size(); ++k) data[k] = static_cast<int>(k * 7 % 101 + 1);
      expected = data;
      for (size_t g = 0; g < kItems; ++g) item(expected.data(), g);
      // One buffer for both arguments: the kernel is to see it where it is.
      Launch(program, kernel)
          .range({kItems}, local)
          .memory(data.data(), data.size() * sizeof(int))
          .memory(data.data(), data.size() * sizeof(int))
          .inEveryForm([&](const Outcome&) { EXPECT_EQ(data, expected); });
    }
  }
}

TEST(IterationOrder, LoadsBehindAStoreReadWhatItWrote) {
  runOnOneBuffer("a[2 * g] = b[2 * g] + b[2 * g + 1]; a[2 * g + 1] = b[2 * g] - b[2 * g + 1];",
                 [](int* a, size_t g) {
                   a[2 * g] = a[2 * g] + a[2 * g + 1];
                   a[2 * g + 1] = a[2 * g] - a[2 * g + 1];
                 });
}

TEST(IterationOrder, StoresToPlacesThatAreNotKnownStayBetweenOthers) {
  runOnOneBuffer("a[2 * g] = 6; a[2 * g + (g % 2)] = 7; a[2 * g + 1] = 9;", [](int* a, size_t g) {
    a[2 * g] = 6;
    a[2 * g + (g % 2)] = 7;
    a[2 * g + 1] = 9;
  });
}

TEST(IterationOrder, LoadsOfPlacesThatAreNotKnownStayBetweenStores) {
  runOnOneBuffer("a[4 * g] = 6; int x = b[4 * g + (g & 3)]; a[4 * g + 1] = 9; a[4 * g + 2] = x;",
                 [](int* a, size_t g) {
                   a[4 * g] = 6;
                   const int x = a[4 * g + (g & 3)];
                   a[4 * g + 1] = 9;
                   a[4 * g + 2] = x;
                 });
}

TEST(IterationOrder, GroupsOfStoresAndLoadsDoNotPassEachOther) {
  runOnOneBuffer(
      "a[3 * g] = (int)g; int x = b[3 * g + 1]; a[3 * g + 2] = x + 1; int y = b[3 * g + 2];"
      "a[3 * g + 1] = y * 3; a[3 * g] += b[3 * g + 1];",
      [](int* a, size_t g) {
        a[3 * g] = static_cast<int>(g);
        const int x = a[3 * g + 1];
        a[3 * g + 2] = x + 1;
        const int y = a[3 * g + 2];
        a[3 * g + 1] = y * 3;
        a[3 * g] += a[3 * g + 1];
      });
}

TEST(IterationOrder, ConditionalStoresStayBetweenOthers) {
  runOnOneBuffer("a[2 * g] = 6; if (g % 3 != 0) a[2 * g + (g & 1)] = 7; a[2 * g + 1] = b[2 * g];",
                 [](int* a, size_t g) {
                   a[2 * g] = 6;
                   if (g % 3 != 0) a[2 * g + (g & 1)] = 7;
                   a[2 * g + 1] = a[2 * g];
                 });
}

TEST(IterationOrder, LocalMemoryIsLikeGlobalMemory) {
  const auto program = build(R"(
    kernel void k(global int* out, local int* a) {
      uint l = get_local_id(0), g = get_global_id(0);
      a[2 * l] = (int)g; a[2 * l + 1] = (int)g + 1; barrier(1);
      a[2 * l] = 6; a[2 * l + (g % 2)] = 7; a[2 * l + 1] += 9; barrier(1);
      local int* b = a + 2 * ((l * 0x10001u) >> 16 & 0xffffu);
      a[2 * l] += b[0] + b[1]; a[2 * l + 1] = b[0] - b[1]; barrier(1);
      out[2 * g] = a[2 * l]; out[2 * g + 1] = a[2 * l + 1]; })");
  std::vector<int> expected(2 * kItems);
  for (size_t g = 0; g < kItems; ++g) {
    std::array<int, 2> a{static_cast<int>(g), static_cast<int>(g) + 1};
    a[0] = 6;
    a[g % 2] = 7;
    a[1] += 9;
    a[0] += a[0] + a[1];
    a[1] = a[0] - a[1];
    expected[2 * g] = a[0];
    expected[2 * g + 1] = a[1];
  }
  for (const Sizes& local : kLocalSizes) {
    std::vector<int> out(2 * kItems);
    Launch(program, "k")
        .range({kItems}, local)
        .buffer(out)
        .local(8 * local[0])
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

TEST(IterationOrder, PrivateArraysAcrossBarriers) {
  const auto program = build(R"(
    kernel void k(global const int* xs, global int* out) {
      size_t g = get_global_id(0);
      int x = xs[g];
      int p[2]; p[0] = 1; p[1] = 2;
      int q[4] = {1, 2, 3, 4};
      barrier(1);
      p[x & 1] = 7; p[1] += 3;
      q[0] = 5; q[x & 3] = 8; q[1] = q[0] + q[2];
      barrier(1);
      out[g] = p[0] + p[1] * 10 + q[0] * 100 + q[1] * 1000 + q[2] * 10000 + q[3] * 100000; })");
  std::vector<int> xs(kItems), expected(kItems);
  for (size_t g = 0; g < kItems; ++g) {
    xs[g] = static_cast<int>(g * 11 % 13);
    const int x = xs[g];
    std::array<int, 2> p{1, 2};
    std::array<int, 4> q{1, 2, 3, 4};
    p[static_cast<size_t>(x & 1)] = 7;
    p[1] += 3;
    q[0] = 5;
    q[static_cast<size_t>(x & 3)] = 8;
    q[1] = q[0] + q[2];
    expected[g] = p[0] + p[1] * 10 + q[0] * 100 + q[1] * 1000 + q[2] * 10000 + q[3] * 100000;
  }
  for (const Sizes& local : kLocalSizes) {
    std::vector<int> out(kItems);
    Launch(program, "k")
        .range({kItems}, local)
        .buffer(xs)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

/// A program may promise of its own loops what is promised of those over work-items.
TEST(IterationOrder, LoopsThatTheProgramCallsParallel) {
  const auto program = build(R"(
    kernel void k(global int* a, global int* b, int n) {
      #pragma clang loop vectorize(assume_safety)
      for (int g = 0; g < n; ++g) {
        a[2 * g] = b[2 * g] + b[2 * g + 1]; a[2 * g + 1] = b[2 * g] - b[2 * g + 1]; } })");
  std::vector<int> data(4 * kItems);
  for (size_t k = 0; k < data.size(); ++k) data[k] = static_cast<int>(k * 5 % 97);
  std::vector<int> expected = data;
  for (size_t g = 0; g < kItems; ++g) {
    expected[2 * g] += expected[2 * g + 1];
    expected[2 * g + 1] = expected[2 * g] - expected[2 * g + 1];
  }
  Launch(program, "k")
      .range({1}, {1})
      .memory(data.data(), data.size() * sizeof(int))
      .memory(data.data(), data.size() * sizeof(int))
      .value(static_cast<int>(kItems))
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(data, expected); });
}

}  // namespace
}  // namespace weft::test
