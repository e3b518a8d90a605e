// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over rows that take several elements in each iteration, between memory that nobody may
// touch: whole vectors of them, and fewer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "function_table.h"
#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

constexpr int kItems = 21;

/// A sum of `steps` terms an iteration, dealt out to `sums` variables.
struct Unrolled {
  const char* description;
  int steps, sums;
  std::vector<int> order;  ///< of the terms in the source; empty for that in memory
  const char* term;        ///< of elements x(k) of the item's row and y(k) of all items' row
  int (*value)(const int* x, const int* y, int k);  ///< from the first element of an iteration on
  int ahead = 0;                                    ///< elements beyond its own that a term reads
  bool showsFirst = false;                          ///< the first variable is a result of its own
};

const Unrolled kUnrolled[] = {
    {"products",
     4,
     1,
     {},
     "x(%) * y(%)",
     [](const int* x, const int* y, int k) { return x[k] * y[k]; }},
    {"pairs of products",
     2,
     2,
     {},
     "x(%) * y(%)",
     [](const int* x, const int* y, int k) { return x[k] * y[k]; }},
    {"threes, backwards",
     3,
     1,
     {2, 0, 1},
     "x(%) - y(%)",
     [](const int* x, const int* y, int k) { return x[k] - y[k]; }},
    {"elements",
     8,
     4,
     {7, 1, 3, 5, 2, 4, 6, 0},
     "x(%)",
     [](const int* x, const int*, int k) { return x[k]; }},
    {"a variable that is seen",
     4,
     2,
     {},
     "x(%) * y(%)",
     [](const int* x, const int* y, int k) { return x[k] * y[k]; },
     0,
     true},
    {"neighbours",
     4,
     1,
     {},
     "x(%) * x(% + 1)",
     [](const int* x, const int*, int k) { return x[k] * x[k + 1]; },
     1},
    {"the greater one",
     2,
     1,
     {},
     "max(x(%), y(%))",
     [](const int* x, const int* y, int k) { return std::max(x[k], y[k]); }},
    {"distances",
     4,
     4,
     {},
     "(x(%) > y(%) ? x(%) - y(%) : y(%) - x(%))",
     [](const int* x, const int* y, int k) { return std::abs(x[k] - y[k]); }},
    {"one that all share",
     4,
     1,
     {},
     "x(%) * y(0)",
     [](const int* x, const int* y, int k) { return x[k] * y[0]; }},
    {"another factor for each",
     4,
     1,
     {},
     "x(%) * (% + 2)",
     [](const int* x, const int*, int k) { return x[k] * (k + 2); }},
};

std::string sourceOf(const Unrolled& shape) {
  std::string body, total, variables;
  for (int s = 0; s < shape.sums; ++s) {
    variables += "E s" + std::to_string(s) + " = " + std::to_string(s + 1) + "; ";
    if (s != 0 || !shape.showsFirst) total += (total.empty() ? "s" : " + s") + std::to_string(s);
  }
  for (int i = 0; i < shape.steps; ++i) {
    const int k = shape.order.empty() ? i : shape.order[static_cast<size_t>(i)];
    std::string term = shape.term;
    for (size_t at; (at = term.find('%')) != std::string::npos;)
      term.replace(at, 1, std::to_string(k));
    body += "    s" + std::to_string(k % shape.sums) + " += " + term + ";\n";
  }
  return "#ifndef COLUMNS\n#define COLUMNS columns\n#endif\n"
         "#define x(k) (E)m[i * COLUMNS + j + (k)]\n#define y(k) (E)v[j + (k)]\n"
         "kernel void k(global const T* m, global const T* v, global E* out, int columns) {\n"
         "  REORDER\n  int i = get_global_id(0);\n  " +
         variables + "\n  for (int j = 0; j + STEPS + AHEAD <= COLUMNS; j += STEPS) {\n" + body +
         "  }\n  out[2 * i] = " + total +
         ";\n  out[2 * i + 1] = " + (shape.showsFirst ? "s0" : "0") + ";\n}\n";
}

template <class T>
class UnrolledSums : public testing::Test {
 protected:
  using E = std::conditional_t<std::is_floating_point_v<T>, T, int32_t>;

  /// The numbers are small, so that sums in floating point are exact in any order.
  void check(const Unrolled& shape, int columns, bool isKnown) {
    SCOPED_TRACE(shape.description + std::string(", columns ") + std::to_string(columns) +
                 (isKnown ? ", known" : ""));
    std::vector<int> x(static_cast<size_t>(kItems * columns)), y(static_cast<size_t>(columns));
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * 37 % 23);
    for (size_t i = 0; i < y.size(); ++i) y[i] = static_cast<int>(i * 11 % 19);
    Guarded matrix(x.size() * sizeof(T), /*atEnd=*/true), vector(y.size() * sizeof(T), true);
    const auto fill = [](Guarded& memory, const std::vector<int>& values) {
      for (size_t i = 0; i < values.size(); ++i) {
        const T value = static_cast<T>(values[i]);
        std::memcpy(memory.data() + i * sizeof(T), &value, sizeof(T));
      }
    };
    fill(matrix, x);
    fill(vector, y);
    std::vector<E> expected(2 * kItems), out(2 * kItems);
    for (int i = 0; i < kItems; ++i)
      expectRow(shape, x.data() + i * columns, y, columns, &expected[2 * i]);

    std::string options = "-DT=" + std::string(typeName<T>()) + " -DE=" + typeName<E>() +
                          " -DSTEPS=" + std::to_string(shape.steps) +
                          " -DAHEAD=" + std::to_string(shape.ahead) +
                          " -DREORDER=" + (std::is_floating_point_v<T> ? "ANY_ORDER" : "");
    if (isKnown) options += " -DCOLUMNS=" + std::to_string(columns);
    const Program program = build(
        "#define ANY_ORDER _Pragma(\"clang fp reassociate(on)\")\n" + sourceOf(shape), options);
    Launch(program, "k")
        .range({kItems}, {kItems})
        .memory(matrix.data(), matrix.size())
        .memory(vector.data(), vector.size())
        .buffer(out)
        .value(columns)
        .formsTakeTurns()
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }

 private:
  static void expectRow(const Unrolled& shape, const int* x, const std::vector<int>& y, int columns,
                        E* results) {
    std::vector<int> sums(static_cast<size_t>(shape.sums));
    std::iota(sums.begin(), sums.end(), 1);
    for (int j = 0; j + shape.steps + shape.ahead <= columns; j += shape.steps)
      for (int k = 0; k < shape.steps; ++k)
        sums[static_cast<size_t>(k % shape.sums)] += shape.value(x + j, y.data() + j, k);
    const int all = std::accumulate(sums.begin(), sums.end(), 0);
    results[0] = static_cast<E>(shape.showsFirst ? all - sums[0] : all);
    results[1] = static_cast<E>(shape.showsFirst ? sums[0] : 0);
  }
};

using Elements = testing::Types<uint8_t, int16_t, int32_t, float, double>;
TYPED_TEST_SUITE(UnrolledSums, Elements);

TYPED_TEST(UnrolledSums, OfAnyLength) {
  for (const Unrolled& shape : kUnrolled)
    for (const int columns : {0, 5, 54, 150}) this->check(shape, columns, /*isKnown=*/false);
}

TYPED_TEST(UnrolledSums, OfKnownLength) {
  for (const Unrolled& shape : kUnrolled)
    for (const int columns : {24, 61}) this->check(shape, columns, /*isKnown=*/true);
}

}  // namespace
}  // namespace weft::test
