// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of a work-item that lie side by side in memory and are computed alike, which lanes keep
// side by side as vectors: sums of neighbours, fields of structures, channels of pixels, and what
// looks like them but is not.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

constexpr size_t kItems = 203;
constexpr int kRows = 5;

/// What a kernel computes of a work-item's numbers in each row of `b` and stores in its numbers of
/// `a`, and the same of these alone; `scale` is 3.
template <class T>
struct Body {
  const char* text;
  std::function<void(const std::vector<std::vector<T>>& b, int at, std::vector<T>& a)> reference;
};

template <class T>
std::vector<Body<T>> bodies() {
  using Rows = std::vector<std::vector<T>>;
  return {
      {"S sum[N]; for (int q = 0; q < N; ++q) sum[q] = scale;"
       "for (int r = 0; r < R; ++r) for (int q = 0; q < N; ++q) sum[q] += b[r * W + (i * N + q)] * "
       "scale;"
       "for (int q = 0; q < N; ++q) a[i * N + q] = sum[q];",
       [](const Rows& b, int, std::vector<T>& a) {
         for (size_t q = 0; q < a.size(); ++q) {
           a[q] = T{3};
           for (const auto& r : b) a[q] = static_cast<T>(a[q] + r[q] * 3);
         }
       }},
      {"S sum[N]; for (int q = 0; q < N; ++q) sum[q] = b[i * N + q];"
       "for (int r = 1; r < 1 + at % 4; ++r) for (int q = 0; q < N; ++q)"
       "  sum[q] = sum[q] > b[r * W + i * N + q] ? sum[q] - scale : b[r * W + i * N + q];"
       "if (at % 5 != 1) for (int q = 0; q < N; ++q) a[i * N + q] = sum[q];",
       [](const Rows& b, int at, std::vector<T>& a) {
         for (size_t q = 0; q < a.size(); ++q) {
           T sum = b[0][q];
           for (size_t r = 1; r < 1 + static_cast<size_t>(at % 4); ++r)
             sum = sum > b[r][q] ? static_cast<T>(sum - 3) : b[r][q];
           if (at % 5 != 1) a[q] = sum;
         }
       }},
      // Numbers change places; one is another's as well.
      {"S x[N]; for (int q = 0; q < N; ++q) x[q] = b[i * N + q];"
       "for (int q = 0; q < N; ++q) a[i * N + q] = x[N - 1 - q] + (S)2;",
       [](const Rows& b, int, std::vector<T>& a) {
         for (size_t q = 0; q < a.size(); ++q) a[q] = static_cast<T>(b[0][a.size() - 1 - q] + 2);
       }},
      {"S x[N]; for (int q = 0; q < N; ++q) x[q] = b[i * N + q];"
       "for (int q = 0; q < N; ++q) a[i * N + q] = x[q] + x[q / 2];",
       [](const Rows& b, int, std::vector<T>& a) {
         for (size_t q = 0; q < a.size(); ++q) a[q] = static_cast<T>(b[0][q] + b[0][q / 2]);
       }},
      // One of them is computed in another way, and one is asked for by others.
      {"for (int q = 0; q < N; ++q) {"
       "  S x = b[i * N + q] * scale; a[i * N + q] = q == 1 ? x - scale : x + b[W + i * N + q]; }",
       [](const Rows& b, int, std::vector<T>& a) {
         for (size_t q = 0; q < a.size(); ++q) {
           const T x = static_cast<T>(b[0][q] * 3);
           a[q] = static_cast<T>(q == 1 ? x - 3 : x + b[1][q]);
         }
       }},
      {"S x[N], all = 0; for (int q = 0; q < N; ++q) { x[q] = b[i * N + q] * scale; all += x[q]; }"
       "for (int q = 0; q < N; ++q) a[i * N + q] = x[q] + all;",
       [](const Rows& b, int, std::vector<T>& a) {
         T all{};
         for (const T x : b[0]) all = static_cast<T>(all + x * 3);
         for (size_t q = 0; q < a.size(); ++q) a[q] = static_cast<T>(b[0][q] * 3 + all);
       }},
      // Stores between the loads, which they must not pass.
      {"for (int r = 0; r < 2; ++r) for (int q = 0; q < N; ++q)"
       "  a[i * N + q] = a[i * N + (q + 1) % N] + b[r * W + i * N + q];",
       [](const Rows& b, int, std::vector<T>& a) {
         for (size_t r = 0; r < 2; ++r)
           for (size_t q = 0; q < a.size(); ++q)
             a[q] = static_cast<T>(a[(q + 1) % a.size()] + b[r][q]);
       }},
  };
}

template <class T>
void check(const std::string& type, size_t n) {
  const size_t width = kItems * n;
  for (const Body<T>& body : bodies<T>()) {
    const Program program = build("typedef " + type + " S;\n#define N " + std::to_string(n) +
                                  "\n#define R " + std::to_string(kRows) + "\n#define W " +
                                  std::to_string(width) + R"(
      kernel void k(global S* restrict a, global const S* restrict b, global const int* places,
                    S scale) {
        int i = get_global_id(0), at = places[i];
        )" + body.text + "}");
    Guarded a(width * sizeof(T), true), b(width * kRows * sizeof(T), true);
    T* const written = reinterpret_cast<T*>(a.data());
    T* const read = reinterpret_cast<T*>(b.data());
    for (size_t i = 0; i < width * kRows; ++i) read[i] = static_cast<T>(i * 11 % 13);
    std::vector<int> places(kItems);
    std::vector<T> expected(width);
    for (size_t i = 0; i < width; ++i) written[i] = static_cast<T>(i % 7);
    for (size_t i = 0; i < kItems; ++i) {
      places[i] = static_cast<int>(i * 89 % kItems);
      std::vector<T> mine(written + i * n, written + (i + 1) * n);
      std::vector<std::vector<T>> rows;
      for (int r = 0; r < kRows; ++r) {
        const T* first = read + static_cast<size_t>(r) * width + i * n;
        rows.emplace_back(first, first + n);
      }
      body.reference(rows, places[i], mine);
      std::copy(mine.begin(), mine.end(), expected.begin() + static_cast<ptrdiff_t>(i * n));
    }
    Launch(program, "k")
        .range({kItems}, {kItems})
        .memory(a.data(), a.size())
        .memory(b.data(), b.size())
        .buffer(places)
        .value(T{3})
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(expected, std::vector<T>(written, written + width))
              << type << n << ": " << body.text;
        });
  }
}

TEST(JoinedScalars, OfFloats) {
  check<float>("float", 2);
  check<float>("float", 4);
  check<float>("float", 8);
}
TEST(JoinedScalars, OfDoubles) {
  check<double>("double", 2);
  check<double>("double", 4);
}
TEST(JoinedScalars, OfIntegers) {
  check<int>("int", 4);
  check<long>("long", 4);
}
TEST(JoinedScalars, OfBytesAndShorts) {
  check<unsigned char>("uchar", 4);
  check<short>("short", 4);
}
TEST(JoinedScalars, OfThreeThatAreNoVector) { check<float>("float", 3); }

}  // namespace
}  // namespace weft::test
