// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What inner loops add up in memory: kept in registers where nothing else may be there, and read
// and written only where the program does.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr size_t kItems = 75, kLength = 24;

std::vector<int> numbers(size_t count) {
  std::vector<int> values(count);
  for (size_t k = 0; k < count; ++k) values[k] = static_cast<int>(k * 7 % 31);
  return values;
}

TEST(MemorySums, FieldsOfStructures) {
  const auto program = build(R"(
    typedef struct { float v, x, y, z; } F;
    kernel void k(global const F* b, global F* f, int n) {
      int i = get_global_id(0);
      for (int j = 0; j < n; ++j) {
        float d = b[i].x - b[j].x, e = b[i].y - b[j].y, w = d * d + e * e;
        f[i].v += w; f[i].x += w * d; f[i].z += w - e;
      } })");
  std::vector<float> in(kItems * 4), out(kItems * 4, 1.0F);
  for (size_t k = 0; k < in.size(); ++k) in[k] = static_cast<float>(k * 5 % 11);
  std::vector<float> expected = out;
  for (size_t i = 0; i < kItems; ++i)
    for (size_t j = 0; j < kLength; ++j) {
      const float d = in[4 * i + 1] - in[4 * j + 1], e = in[4 * i + 2] - in[4 * j + 2];
      const float w = d * d + e * e;
      expected[4 * i] += w;
      expected[4 * i + 1] += w * d;
      expected[4 * i + 3] += w - e;
    }
  Launch(program, "k")
      .range({kItems}, {25})
      .buffer(in)
      .buffer(out)
      .value(static_cast<int>(kLength))
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

// Written several times in each iteration, once under a condition.
TEST(MemorySums, OfSeveralStores) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out, int n) {
      size_t i = get_global_id(0);
      for (int j = 0; j < n; ++j) {
        out[i] += in[j];
        if (in[j] > 9) out[i] ^= j;
        out[i] *= 3;
      } })");
  std::vector<int> in = numbers(kLength), out(kItems), expected(kItems);
  for (size_t i = 0; i < kItems; ++i) {
    out[i] = static_cast<int>(i);
    auto sum = static_cast<uint32_t>(i);
    for (uint32_t j = 0; j < kLength; ++j) {
      sum += static_cast<uint32_t>(in[j]);
      if (in[j] > 9) sum ^= j;
      sum *= 3;
    }
    expected[i] = static_cast<int>(sum);
  }
  Launch(program, "k")
      .range({kItems}, {25})
      .buffer(in)
      .buffer(out)
      .value(static_cast<int>(kLength))
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

// A work-item that does not enter the loop has no place to read or to write.
TEST(MemorySums, OfLoopsThatDoNotRun) {
  const auto program = build(R"(
    kernel void k(global const int* lengths, global const int* in, global int* out) {
      size_t i = get_global_id(0);
      int n = lengths[i];
      size_t far = n == 0 ? (size_t)1 << 45 : i;
      for (int j = 0; j < n; ++j) out[far] += in[j];
      out[i] += 1; })");
  std::vector<int> lengths(kItems), in = numbers(kLength), out(kItems, 5), expected(kItems, 6);
  for (size_t i = 0; i < kItems; ++i) {
    lengths[i] = i % 3 == 0 ? 0 : static_cast<int>(i % kLength);
    for (size_t j = 0; j < static_cast<size_t>(lengths[i]); ++j) expected[i] += in[j];
  }
  Launch(program, "k")
      .range({kItems}, {25})
      .buffer(lengths)
      .buffer(in)
      .buffer(out)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

// Nor has one that leaves the loop before it writes, nor one that writes under a condition.
TEST(MemorySums, UnderConditions) {
  for (const std::string way :
       {"if (in[j] > 25) break; out[far] += in[j];", "if (in[j] <= 25) out[far] += in[j];",
        "if (n == 0) continue; out[far] += in[j];"}) {
    SCOPED_TRACE(way);
    const auto program = build(R"(
      kernel void k(global const int* lengths, global const int* in, global int* out) {
        size_t i = get_global_id(0);
        int n = lengths[i];
        size_t far = n == 0 ? (size_t)1 << 45 : i;
        in += n == 0 ? 24 : 0;
        for (int j = 0; j < 24; ++j) { )" +
                               way + " } }");
    std::vector<int> lengths(kItems), in = numbers(2 * kLength), out(kItems, 5);
    for (size_t k = kLength; k < in.size(); ++k) in[k] = 30;
    for (size_t i = 0; i < kItems; ++i) lengths[i] = static_cast<int>(i % 3);
    const bool isBreak = way.contains("break"), isAny = way.contains("continue");
    std::vector<int> expected = out;
    for (size_t i = 0; i < kItems; ++i)
      for (size_t j = 0; j < kLength && lengths[i] != 0; ++j) {
        if (isBreak && in[j] > 25) break;
        if (isAny || in[j] <= 25) expected[i] += in[j];
      }
    Launch(program, "k")
        .range({kItems}, {25})
        .buffer(lengths)
        .buffer(in)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

// All that may be the same memory: other arguments, and pointers that the program has from it.
TEST(MemorySums, OfMemoryThatIsReadToo) {
  const auto program = build(R"(
    kernel void k(global int* out, global const int* in, ulong address) {
      size_t i = get_global_id(0);
      global int* third = (global int*)address;
      for (int j = 0; j < 5; ++j) { out[2 * i] += in[2 * i] + 1; out[2 * i + 1] += third[2 * i]; }
    })");
  for (const bool areSame : {true, false}) {
    std::vector<int> out = numbers(2 * kItems), other = out, expected = out;
    const std::vector<int>& in = areSame ? expected : other;
    for (size_t i = 0; i < kItems; ++i)
      for (int j = 0; j < 5; ++j) {
        expected[2 * i] += in[2 * i] + 1;
        expected[2 * i + 1] += expected[2 * i];
      }
    Launch(program, "k")
        .range({kItems}, {25})
        .memory(out.data(), out.size() * sizeof(int))
        .memory((areSame ? out : other).data(), out.size() * sizeof(int))
        .value(reinterpret_cast<cl_ulong>(out.data()))
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

TEST(MemorySums, OfRowsThatAreRunAtOnce) {
  const auto program = build(R"(
    kernel void k(global const float* a, global const float* b, global float* c, int n) {
      int x = get_global_id(0), y = get_global_id(1);
      if (x < n && y < n) {
        c[y * n + x] = 0;
        for (int k = 0; k < n; ++k) c[y * n + x] += a[y * n + k] * b[k * n + x];
      } })");
  constexpr size_t kSide = 40;
  std::vector<float> a(kSide * kSide), b(kSide * kSide), c(kSide * kSide), expected(kSide * kSide);
  for (size_t k = 0; k < a.size(); ++k) {
    a[k] = static_cast<float>(k * 3 % 7);
    b[k] = static_cast<float>(k * 5 % 11);
  }
  for (size_t y = 0; y < kSide; ++y)
    for (size_t x = 0; x < kSide; ++x)
      for (size_t k = 0; k < kSide; ++k)
        expected[y * kSide + x] += a[y * kSide + k] * b[k * kSide + x];
  for (const Sizes& global : {Sizes{48, 48}, Sizes{40, 40}})
    Launch(program, "k")
        .range(global, {8, 8})
        .buffer(a)
        .buffer(b)
        .buffer(c)
        .value(static_cast<int>(kSide))
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(c, expected); });
}

}  // namespace
}  // namespace weft::test
