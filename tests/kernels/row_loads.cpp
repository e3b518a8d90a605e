// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that read a row of each work-item's own, between memory that nobody may touch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "function_table.h"
#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

constexpr int kRows = 37;

/// Kernels that take an element of a row at a time, in an order that decides the result.
const char* const kSource =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "#ifndef COLUMNS\n"
    "#define COLUMNS columns\n"
    "#endif\n"
    "#define ARGUMENTS global const T* m, global const T* v, global T* out, I columns\n"
    "#define NEXT(s, x) ((s) * FACTOR + (x))\n"
    // Up, down, and with a row that ends somewhere else for each work-item.
    "kernel void up(ARGUMENTS) {\n"
    "  I i = get_global_id(0);\n"
    "  T sum = 1;\n"
    "  for (I j = 0; j < COLUMNS; ++j) sum = NEXT(sum, m[i * COLUMNS + j] - v[j]);\n"
    "  out[i] = sum;\n"
    "}\n"
    "kernel void down(ARGUMENTS) {\n"
    "  I i = get_global_id(0);\n"
    "  T sum = 1;\n"
    "  for (I j = COLUMNS; j > 0; --j) sum = NEXT(sum, m[i * COLUMNS + (j - 1)] - v[j - 1]);\n"
    "  out[i] = sum;\n"
    "}\n"
    "kernel void some(ARGUMENTS) {\n"
    "  I i = get_global_id(0);\n"
    "  T sum = 1;\n"
    "  I end = (i * 5) % (COLUMNS + 1);\n"
    "  for (I j = i % 3 == 0 ? end / 2 : 0; j < end; ++j)\n"
    "    sum = NEXT(sum, m[i * COLUMNS + j] - v[j]);\n"
    "  out[i] = sum;\n"
    "}\n"
    // Some elements another way, and two of a row at a time.
    "kernel void either(ARGUMENTS) {\n"
    "  I i = get_global_id(0);\n"
    "  T sum = 1;\n"
    "  for (I j = 0; j < COLUMNS; ++j) {\n"
    "    T x = m[i * COLUMNS + j];\n"
    "    if (x > v[j]) sum = NEXT(sum, x); else sum = x - NEXT(v[j], sum);\n"
    "  }\n"
    "  out[i] = sum;\n"
    "}\n"
    "kernel void pairs(ARGUMENTS) {\n"
    "  I i = get_global_id(0);\n"
    "  T sum = 1;\n"
    "  for (I j = 0; j + 1 < COLUMNS; ++j)\n"
    "    sum = NEXT(sum, m[i * COLUMNS + j] - m[i * COLUMNS + j + 1]);\n"
    "  out[i] = sum;\n"
    "}\n"
    "kernel void second(ARGUMENTS) {\n"
    "  I i = get_global_id(0);\n"
    "  T sum = 1;\n"
    "  for (I j = 0; j < COLUMNS / 2; ++j) sum = NEXT(sum, m[i * COLUMNS + 2 * j] - v[j]);\n"
    "  out[i] = sum;\n"
    "}\n"
    // Several elements at a time: in a short loop, the other way round, downwards, each to a sum of
    // its own.
    "kernel void threes(ARGUMENTS) {\n"
    "  I i = get_global_id(0);\n"
    "  T sum = 1;\n"
    "  for (I j = 0; j + 3 <= COLUMNS; j += 3)\n"
    "    for (I k = 0; k < 3; ++k) sum = NEXT(sum, m[i * COLUMNS + j + k] - v[j + k]);\n"
    "  out[i] = sum;\n"
    "}\n"
    "kernel void turned(ARGUMENTS) {\n"
    "  I i = get_global_id(0);\n"
    "  T sum = 1;\n"
    "  for (I j = 0; j + 2 <= COLUMNS; j += 2) {\n"
    "    sum = NEXT(sum, m[i * COLUMNS + j + 1] - v[j + 1]);\n"
    "    sum = NEXT(sum, m[i * COLUMNS + j] - v[j]);\n"
    "  }\n"
    "  out[i] = sum;\n"
    "}\n"
    "kernel void downTurned(ARGUMENTS) {\n"
    "  I i = get_global_id(0);\n"
    "  T sum = 1;\n"
    "  for (I j = COLUMNS; j >= 2; j -= 2) {\n"
    "    sum = NEXT(sum, m[i * COLUMNS + j - 2] - v[j - 2]);\n"
    "    sum = NEXT(sum, m[i * COLUMNS + j - 1] - v[j - 1]);\n"
    "  }\n"
    "  out[i] = sum;\n"
    "}\n"
    "kernel void sums(ARGUMENTS) {\n"
    "  I i = get_global_id(0);\n"
    "  T a = 1, b = 1;\n"
    "  for (I j = 0; j + 2 <= COLUMNS; j += 2) {\n"
    "    a = NEXT(a, m[i * COLUMNS + j] - v[j]);\n"
    "    b = NEXT(b, m[i * COLUMNS + j + 1] - v[j + 1]);\n"
    "  }\n"
    "  out[i] = NEXT(a, b);\n"
    "}\n"
    // The last two elements are not there.
    "kernel void most(ARGUMENTS) {\n"
    "  I i = get_global_id(0);\n"
    "  T sum = 1;\n"
    "  for (I j = 0; j < COLUMNS; ++j)\n"
    "    if (i * COLUMNS + j + 2 < (I)get_global_size(0) * COLUMNS)\n"
    "      sum = NEXT(sum, m[i * COLUMNS + j] - v[j]);\n"
    "  out[i] = sum;\n"
    "}\n"
    // What is written in the loop may be what it reads.
    "kernel void writes(global T* m, global const T* v, global T* out, I columns) {\n"
    "  I i = get_global_id(0);\n"
    "  T sum = 1;\n"
    "  for (I j = 0; j + 1 < COLUMNS; ++j) {\n"
    "    sum = NEXT(sum, m[i * COLUMNS + j] - v[j]);\n"
    "    m[i * COLUMNS + j + 1] += sum;\n"
    "  }\n"
    "  out[i] = sum;\n"
    "}\n";

template <class T>
T factor() {
  return std::is_floating_point_v<T> ? static_cast<T>(0.5) : static_cast<T>(3);
}

/// The elements of a row in the order in which a kernel that takes several at a time comes to them.
std::vector<int> orderOf(const std::string& kernel, int columns) {
  std::vector<int> order;
  if (kernel == "threes")
    for (int j = 0; j < columns / 3 * 3; ++j) order.push_back(j);
  if (kernel == "turned")
    for (int j = 0; j + 2 <= columns; j += 2) order.insert(order.end(), {j + 1, j});
  if (kernel == "downTurned")
    for (int j = columns; j >= 2; j -= 2) order.insert(order.end(), {j - 2, j - 1});
  return order;
}

/// What `kernel` makes of row `i`, which it may change.
template <class T>
T expected(const std::string& kernel, T* row, const std::vector<T>& v, int i, int columns) {
  const auto next = [](T sum, T x) { return static_cast<T>(sum * factor<T>() + x); };
  const auto less = [](T x, T y) { return static_cast<T>(x - y); };
  T sum = 1;
  if (kernel == "down") {
    for (int j = columns - 1; j >= 0; --j) sum = next(sum, less(row[j], v[j]));
    return sum;
  }
  if (kernel == "sums") {
    T sums[] = {1, 1};
    for (int j = 0; j < columns / 2 * 2; ++j) sums[j % 2] = next(sums[j % 2], less(row[j], v[j]));
    return next(sums[0], sums[1]);
  }
  if (kernel == "threes" || kernel == "turned" || kernel == "downTurned") {
    for (const int j : orderOf(kernel, columns)) sum = next(sum, less(row[j], v[j]));
    return sum;
  }
  int end = columns;
  if (kernel == "some") end = i * 5 % (columns + 1);
  if (kernel == "pairs" || kernel == "writes") end -= 1;
  if (kernel == "second") end /= 2;
  if (kernel == "most" && i == kRows - 1) end -= 2;
  for (int j = kernel == "some" && i % 3 == 0 ? end / 2 : 0; j < end; ++j) {
    if (kernel == "either")
      sum = row[j] > v[j] ? next(sum, row[j]) : less(row[j], next(v[j], sum));
    else
      sum = next(sum,
                 less(row[kernel == "second" ? 2 * j : j], kernel == "pairs" ? row[j + 1] : v[j]));
    if (kernel == "writes") row[j + 1] = static_cast<T>(row[j + 1] + sum);
  }
  return sum;
}

template <class T, class I>
void check(const char* index, const char* kernel, int columns, bool isKnown) {
  SCOPED_TRACE(std::string(kernel) + " with " + index + ", columns " + std::to_string(columns));
  std::string options = std::string("-DT=") + typeName<T>() + " -DI=" + index +
                        " -DFACTOR=" + (std::is_floating_point_v<T> ? "(T)0.5" : "(T)3");
  if (isKnown) options += " -DCOLUMNS=" + std::to_string(columns);
  const Program program = build(kSource, options);
  for (const bool atEnd : {false, true}) {
    std::vector<T> m(static_cast<size_t>(kRows) * columns), v(columns), out(kRows), wanted(out);
    Guarded memory((m.size() - (std::string("most") == kernel ? 2 : 0)) * sizeof(T), atEnd);
    for (size_t k = 0; k < m.size(); ++k) m[k] = static_cast<T>((k * 37 + k / 7) % 23);
    for (size_t k = 0; k < v.size(); ++k) v[k] = static_cast<T>(k * 11 % 19);
    std::memcpy(memory.data(), m.data(), memory.size());
    for (int i = 0; i < kRows; ++i)
      wanted[i] = expected(kernel, m.data() + static_cast<size_t>(i) * columns, v, i, columns);
    Launch(program, kernel)
        .range({kRows}, {})
        .memory(memory.data(), memory.size())
        .buffer(v)
        .buffer(out)
        .value(static_cast<I>(columns))
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(out, wanted);
          EXPECT_EQ(std::memcmp(memory.data(), m.data(), memory.size()), 0);
        });
  }
}

template <class T>
class RowLoadsOf : public testing::Test {};
using Types = testing::Types<uint8_t, int16_t, float, int64_t>;
TYPED_TEST_SUITE(RowLoadsOf, Types);

TYPED_TEST(RowLoadsOf, OfAnyLength) {
  for (const int columns : {1, 2, 3, 4, 5, 7, 8, 30})
    check<TypeParam, int>("int", "up", columns, false);
}

TYPED_TEST(RowLoadsOf, OfKnownLength) {
  for (const int columns : {3, 4, 6, 16}) check<TypeParam, int>("int", "up", columns, true);
}

TYPED_TEST(RowLoadsOf, Downwards) {
  for (const int columns : {3, 9}) check<TypeParam, int>("int", "down", columns, false);
}

TYPED_TEST(RowLoadsOf, OfDifferentLengths) { check<TypeParam, int>("int", "some", 13, false); }

TYPED_TEST(RowLoadsOf, WithBranches) { check<TypeParam, int>("int", "either", 14, false); }

TYPED_TEST(RowLoadsOf, AsFarAsThereIsMemory) { check<TypeParam, int>("int", "most", 16, false); }

TYPED_TEST(RowLoadsOf, OfNeighbours) { check<TypeParam, int>("int", "pairs", 11, false); }

TYPED_TEST(RowLoadsOf, OfEverySecondElement) { check<TypeParam, int>("int", "second", 18, false); }

TYPED_TEST(RowLoadsOf, OfSeveralElementsAtATime) {
  for (const char* kernel : {"threes", "turned", "downTurned", "sums"}) {
    check<TypeParam, int>("int", kernel, 25, false);
    check<TypeParam, int>("int", kernel, 24, true);
  }
}

TYPED_TEST(RowLoadsOf, WithStores) { check<TypeParam, int>("int", "writes", 12, false); }

TYPED_TEST(RowLoadsOf, WithOtherIndices) {
  for (const char* kernel : {"up", "down", "some", "threes"}) {
    check<TypeParam, uint32_t>("uint", kernel, 10, false);
    check<TypeParam, uint64_t>("ulong", kernel, 10, false);
  }
}

/// Neighbours' rows overlap, and end where the first of two limits is.
TEST(RowLoads, WithTwoEnds) {
  constexpr int kItems = 181, kEnd = 82;
  const Program program = build(
      "kernel void k(global uint* out, global const uint* in, uint end) {\n"
      "  int i = (int)get_global_id(0);\n"
      "  uint last = 0;\n"
      "  for (int t = 0; t < 4 && i + t < (int)end; t += 1) last = in[i + t];\n"
      "  out[i] = last;\n"
      "}\n");
  Guarded in(kEnd * sizeof(uint32_t), true);
  std::vector<uint32_t> out(kItems), wanted(kItems);
  for (int i = 0; i < kEnd; ++i) {
    const uint32_t value = i * 3 + 1;
    std::memcpy(in.data() + i * sizeof value, &value, sizeof value);
  }
  for (int i = 0; i < kEnd; ++i) wanted[i] = std::min(i + 3, kEnd - 1) * 3 + 1;
  Launch(program, "k")
      .range({kItems}, {kItems})
      .buffer(out)
      .memory(in.data(), in.size())
      .value(uint32_t{kEnd})
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, wanted); });
}

}  // namespace
}  // namespace weft::test
