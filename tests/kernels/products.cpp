// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products whose upper halves, or all bits, are wanted, in every form and width.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/function_table.h"

namespace weft::test {
namespace {

template <class T>
T highHalf(T x, T y) {
  using W = typename Twice<T>::Type;
  return static_cast<T>((static_cast<W>(x) * y) >> 64);
}

/// Numbers whose halves carry, next to the ends of both types.
template <class T>
std::vector<T> numbers(size_t count) {
  const std::vector<uint64_t> ends = {0,
                                      1,
                                      2,
                                      0xffffffff,
                                      0x100000000,
                                      0x100000001,
                                      INT64_MAX,
                                      uint64_t{1} << 63,
                                      UINT64_MAX,
                                      UINT64_MAX - 1,
                                      0xffffffff00000000,
                                      0x8000000080000000};
  std::vector<T> result(count);
  for (size_t i = 0; i < count; ++i)
    result[i] =
        static_cast<T>(i % 3 == 0 ? ends[i / 3 % ends.size()] : (i + 1) * 0x9e3779b97f4a7c15u);
  return result;
}

template <class T>
class Products : public testing::Test {};

using Types = testing::Types<int64_t, uint64_t>;
TYPED_TEST_SUITE(Products, Types);

TYPED_TEST(Products, UpperHalves) {
  using T = TypeParam;
  constexpr size_t kItems = 515;
  const Program program = build(
      "kernel void k(global T* out, global const T* a, global const T* b, global const int* c) {\n"
      "  size_t i = get_global_id(0), n = get_global_size(0);\n"
      "  out[i] = mul_hi(a[i], b[i]);\n"
      "  out[n + i] = mul_hi(a[i], (T)0x9e3779b97f4a7c15UL) >> 5;\n"
      "  out[2 * n + i] = (int)(mul_hi(a[i], (T)1000003) >> 33);\n"
      "  out[3 * n + i] = mul_hi(a[i], (T)c[i]) ^ a[i] * b[i];\n"
      "  if (a[i] & 4) out[4 * n + i] = mad_hi(b[i], a[i], b[i]);\n"
      "}\n",
      std::string("-DT=") + typeName<T>());
  std::vector<T> a = numbers<T>(kItems), b = numbers<T>(kItems + 5), out(5 * kItems), wanted(out);
  b.erase(b.begin(), b.begin() + 5);
  std::vector<int32_t> c(kItems);
  for (size_t i = 0; i < kItems; ++i) c[i] = static_cast<int32_t>(i * 2654435761u);
  for (size_t i = 0; i < kItems; ++i) {
    wanted[i] = highHalf(a[i], b[i]);
    wanted[kItems + i] = highHalf(a[i], static_cast<T>(0x9e3779b97f4a7c15u)) >> 5;
    wanted[2 * kItems + i] = static_cast<T>(static_cast<int32_t>(highHalf(a[i], T{1000003}) >> 33));
    wanted[3 * kItems + i] =
        static_cast<T>(highHalf(a[i], static_cast<T>(c[i])) ^
                       (static_cast<uint64_t>(a[i]) * static_cast<uint64_t>(b[i])));
    if (a[i] & 4)
      wanted[4 * kItems + i] =
          static_cast<T>(static_cast<uint64_t>(highHalf(b[i], a[i])) + static_cast<uint64_t>(b[i]));
  }
  Launch(program, "k")
      .range({kItems}, {})
      .buffer(out)
      .buffer(a)
      .buffer(b)
      .buffer(c)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

template <class T>
class NarrowProducts : public testing::Test {};

using NarrowTypes = testing::Types<int16_t, uint16_t, int32_t, uint32_t>;
TYPED_TEST_SUITE(NarrowProducts, NarrowTypes);

/// Factors that stay the same in a loop, for each work-item or for all of them.
TYPED_TEST(NarrowProducts, InLoops) {
  using T = TypeParam;
  using W = typename Twice<T>::Type;
  constexpr size_t kItems = 515;
  constexpr int kSteps = 5, kBits = 8 * sizeof(T);
  constexpr T kSame = static_cast<T>(0x9e3779b9u);
  const Program program = build(
      "kernel void k(global W* whole, global T* upper, global const T* a, global const T* b,\n"
      "              T same, int steps) {\n"
      "  size_t i = get_global_id(0), n = get_global_size(0);\n"
      "  T x = a[i], y = a[i], z = a[i], of = b[i];\n"
      "  W sum = 0;\n"
      "  for (int s = 0; s < steps; ++s) {\n"
      "    x ^= mul_hi((T)(x ^ (T)s), of);\n"
      "    y ^= (T)(mul_hi(y, same) >> 3);\n"
      "    z ^= (T)(((W)z * of) >> (8 * sizeof(T) - 1));\n"
      "    sum ^= (W)x * of + (W)y * same;\n"
      "  }\n"
      "  whole[i] = sum;\n"
      "  upper[i] = x; upper[n + i] = y; upper[2 * n + i] = z;\n"
      "}\n",
      std::string("-DT=") + typeName<T>() + " -DW=" + typeName<W>());
  std::vector<T> a(kItems), b(kItems), upper(3 * kItems), wantedUpper(upper);
  std::vector<W> whole(kItems), wantedWhole(whole);
  for (size_t i = 0; i < kItems; ++i) {
    // The ends of the type, and numbers whose bits are everywhere.
    a[i] = static_cast<T>(i % 5 == 0 ? 1u << (kBits - 1) : (i + 1) * 2654435761u >> 3);
    b[i] = static_cast<T>(i % 7 == 0 ? ~0u : (i + 7) * 2246822519u >> 5);
    T x = a[i], y = a[i], z = a[i];
    W sum = 0;
    for (int s = 0; s < kSteps; ++s) {
      x = static_cast<T>(x ^ ((static_cast<W>(static_cast<T>(x ^ s)) * b[i]) >> kBits));
      y = static_cast<T>(y ^ (static_cast<T>((static_cast<W>(y) * kSame) >> kBits) >> 3));
      z = static_cast<T>(z ^ ((static_cast<W>(z) * b[i]) >> (kBits - 1)));
      sum ^= static_cast<W>(x) * b[i] + static_cast<W>(y) * kSame;
    }
    wantedWhole[i] = sum;
    wantedUpper[i] = x, wantedUpper[kItems + i] = y, wantedUpper[2 * kItems + i] = z;
  }
  Launch(program, "k")
      .range({kItems}, {})
      .buffer(whole)
      .buffer(upper)
      .buffer(a)
      .buffer(b)
      .value(kSame)
      .value(kSteps)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(whole, wantedWhole);
        EXPECT_EQ(upper, wantedUpper);
      });
}

/// Structures copied as integers of 128 bits by LLVM.
TEST(WideAccesses, AreCopied) {
  constexpr size_t kItems = 259;
  const Program program = build(
      "typedef struct { ulong a, b; } pair;\n"
      "kernel void k(global pair* out, global const pair* in) {\n"
      "  size_t i = get_global_id(0);\n"
      "  pair p = in[i];\n"
      "  if (p.a & 1) { pair q = in[(i + 1) % get_global_size(0)]; p = q; }\n"
      "  out[i] = p;\n"
      "}\n",
      "");
  std::vector<uint64_t> in(2 * kItems), out(2 * kItems), wanted(2 * kItems);
  for (size_t i = 0; i < in.size(); ++i) in[i] = (i + 1) * 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < kItems; ++i) {
    const size_t from = in[2 * i] & 1 ? (i + 1) % kItems : i;
    wanted[2 * i] = in[2 * from], wanted[2 * i + 1] = in[2 * from + 1];
  }
  Launch(program, "k").range({kItems}, {}).buffer(out).buffer(in).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, wanted);
  });
}

}  // namespace
}  // namespace weft::test
