// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic updates of one place by many work-items, under branches and in loops that they leave at
// different times, in every form and width.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/function_table.h"

namespace weft::test {
namespace {

constexpr size_t kItems = 515, kGroup = 103;

template <class T>
class SharedUpdates : public testing::Test {};

using Types = testing::Types<int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(SharedUpdates, Types);

template <class T>
std::string options() {
  const std::string prefix = sizeof(T) == 8 ? "atom_" : "atomic_";
  return std::string("-DT=") + typeName<T>() + " -DP(f)=" + prefix + "##f";
}

template <class T>
std::vector<T> numbers() {
  std::vector<T> in(kItems);
  for (size_t i = 0; i < kItems; ++i) in[i] = static_cast<T>(i * 2654435761u % 1009 - 400);
  return in;
}

TYPED_TEST(SharedUpdates, OfSomeWorkItems) {
  using T = TypeParam;
  const std::string body =
      "kernel void k(global T* out, global const T* in, local T* near) {\n"
      "  size_t i = get_global_id(0);\n"
      "  T v = in[i];\n"
      "  if (get_local_id(0) == 0) for (int j = 0; j < 7; ++j) near[j] = j == 2 ? -1 : 0;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (v & 1) {\n"
      "    P(add)(out, v); P(sub)(out + 1, v); P(and)(out + 2, ~v); P(or)(out + 3, v);\n"
      "    P(xor)(out + 4, v); P(min)(out + 5, v); P(max)(out + 6, v);\n"
      "    P(add)(near, v); P(sub)(near + 1, v); P(and)(near + 2, ~v); P(or)(near + 3, v);\n"
      "    P(xor)(near + 4, v); P(min)(near + 5, v); P(max)(near + 6, v);\n"
      "  }\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (get_local_id(0) == 0)\n"
      "    for (int j = 0; j < 7; ++j) out[7 * (1 + get_group_id(0)) + j] = near[j];\n"
      "}\n";
  const Program program = build(body, options<T>());
  std::vector<T> in = numbers<T>(), out(7 * (1 + kItems / kGroup));
  out[2] = T(-1);
  std::vector<T> wanted = out;
  for (size_t g = 0; g < kItems / kGroup; ++g) wanted[7 * (1 + g) + 2] = T(-1);
  for (size_t i = 0; i < kItems; ++i)
    for (const size_t at : {size_t{0}, 7 * (1 + i / kGroup)}) {
      const T v = in[i];
      if (!(v & 1)) continue;
      T* to = &wanted[at];
      to[0] += v, to[1] -= v, to[2] &= ~v, to[3] |= v, to[4] ^= v;
      to[5] = std::min(to[5], v), to[6] = std::max(to[6], v);
    }
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(out)
      .buffer(in)
      .local(7 * sizeof(T))
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

// Each work-item takes as many places as it has numbers, in a loop and under a branch.
TYPED_TEST(SharedUpdates, HandOutEachPlaceOnce) {
  using T = TypeParam;
  const std::string body =
      "kernel void k(global T* count, global T* places, global T* left, global const T* in) {\n"
      "  size_t i = get_global_id(0);\n"
      "  int n = (int)(in[i] & 3);\n"
      "  for (int j = 0; j < n; ++j) {\n"
      "    T from = P(add)(count, (T)(j + 1));\n"
      "    for (int m = 0; m <= j; ++m) places[from + m] = i * 16 + j * 4 + m;\n"
      "    if (j == 1) left[i] = P(sub)(count + 1, (T)(n + 1));\n"
      "  }\n"
      "}\n";
  const Program program = build(body, options<T>());
  std::vector<T> in = numbers<T>(), count(2), left(kItems);
  std::vector<T> wanted, widths;
  for (size_t i = 0; i < kItems; ++i) {
    const int n = static_cast<int>(in[i] & 3);
    for (int j = 0; j < n; ++j)
      for (int m = 0; m <= j; ++m) wanted.push_back(static_cast<T>(i * 16 + j * 4 + m));
    if (n > 1) widths.push_back(static_cast<T>(n + 1));
  }
  T total = 0;
  for (const T width : widths) total += width;
  std::vector<T> places(wanted.size());
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(count)
      .buffer(places)
      .buffer(left)
      .buffer(in)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        std::vector<T> sorted = places;
        std::ranges::sort(sorted);
        EXPECT_EQ(sorted, wanted);
        EXPECT_EQ(count[0], static_cast<T>(wanted.size()));
        EXPECT_EQ(count[1], static_cast<T>(0 - total));
        // What one took away is where the next one begins.
        std::vector<std::pair<T, T>> taken;
        for (size_t i = 0; i < kItems; ++i)
          if ((in[i] & 3) > 1) taken.emplace_back(T(0) - left[i], static_cast<T>((in[i] & 3) + 1));
        std::ranges::sort(taken);
        T at = 0;
        for (const auto& [from, width] : taken) {
          EXPECT_EQ(from, at);
          at = static_cast<T>(at + width);
        }
      });
}

// There may be no such place where nobody updates it.
TEST(SharedUpdatesOfNobody, TouchNothing) {
  const Program program = build(
      "kernel void k(global int* out, global const int* in, int there) {\n"
      "  global int* place = there ? out : (global int*)0;\n"
      "  if (in[get_global_id(0)] > 1000) {\n"
      "    int old = atomic_inc(place); atomic_max(place, 7); out[1 + old % 2] = 1;\n"
      "  }\n"
      "}\n");
  std::vector<int> in = numbers<int>(), out(3);
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(out)
      .buffer(in)
      .value(0)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, std::vector<int>(3)); });
}

TYPED_TEST(SharedUpdates, MinimaAndMaximaOfManyPlaces) {
  // Each of a few places by many work-items, some of a lane group's by several of its lanes; most
  // change nothing any more.
  using T = TypeParam;
  const Program program = build(
      "kernel void k(global T* out, global const T* in) {\n"
      "  size_t i = get_global_id(0);\n"
      "  T v = in[i]; size_t bin = (size_t)(v & 15) * 3;\n"
      "  P(max)(out + bin, v);\n"
      "  if (v & 2) P(min)(out + bin + 1, v);\n"
      "  for (int j = 0; j < 4; ++j) P(max)(out + 48 + (bin + j) % 7, (T)(v - j));\n"
      "  P(min)(out + 64 + i, v);\n"
      "}\n",
      options<T>());
  std::vector<T> in = numbers<T>(), out(64 + kItems, T(100));
  std::vector<T> wanted = out;
  for (size_t i = 0; i < kItems; ++i) {
    const T v = in[i];
    const auto bin = static_cast<size_t>(v & 15) * 3;
    wanted[bin] = std::max(wanted[bin], v);
    if ((v & 2) != 0) wanted[bin + 1] = std::min(wanted[bin + 1], v);
    for (size_t j = 0; j < 4; ++j) {
      T& place = wanted[48 + (bin + j) % 7];
      place = std::max(place, static_cast<T>(v - static_cast<T>(j)));
    }
    wanted[64 + i] = std::min(wanted[64 + i], v);
  }
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(out)
      .buffer(in)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

}  // namespace
}  // namespace weft::test
