// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items of several rows that write or read what lies side by side: transposes and the like,
// between memory that nobody may touch.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "function_table.h"
#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

/// A kernel of the arguments below, and what its work-item (x, y) does.
template <class T>
struct Case {
  const char* body;
  std::function<void(T* in, T* out, int x, int y, int w, int h)> item;
  const char* type = nullptr;  ///< the program's, of as many bytes; null for T
};

struct Range {
  int extraX = 0, extraY = 0;  ///< work-items beyond the matrix
  Sizes local = {};
};

template <class T>
void check(const Case<T>& what, int width, int height, const Range& range = {}) {
  SCOPED_TRACE(std::string(what.body) + ": " + std::to_string(width) + " x " +
               std::to_string(height));
  const Program program = build(
      "kernel void k(global T* in, global T* out, int w, int h) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n  " +
          std::string(what.body) + "\n}\n",
      std::string("-cl-std=CL3.0 -DT=") + (what.type ? what.type : typeName<T>()));
  const auto items = static_cast<size_t>(width) * height;
  for (const bool atEnd : {false, true}) {
    Guarded in(items * sizeof(T), atEnd), out(items * sizeof(T), atEnd);
    std::vector<T> a(items), b(items, static_cast<T>(99));
    for (size_t k = 0; k < items; ++k) a[k] = static_cast<T>(k * 7 + k / 50);
    std::memcpy(in.data(), a.data(), in.size());
    std::memcpy(out.data(), b.data(), out.size());
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) what.item(a.data(), b.data(), x, y, width, height);
    Launch(program, "k")
        .range({static_cast<uint64_t>(width + range.extraX),
                static_cast<uint64_t>(height + range.extraY)},
               range.local)
        .memory(in.data(), in.size())
        .memory(out.data(), out.size())
        .value(width)
        .value(height)
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(std::memcmp(in.data(), a.data(), in.size()), 0);
          EXPECT_EQ(std::memcmp(out.data(), b.data(), out.size()), 0);
        });
  }
}

template <class T>
class Tiles : public testing::Test {};
using Types = testing::Types<uint8_t, int16_t, float, int64_t>;
TYPED_TEST_SUITE(Tiles, Types);

TYPED_TEST(Tiles, Transposes) {
  using T = TypeParam;
  const Case<T> writes{
      "out[x * h + y] = in[y * w + x];",
      [](T* in, T* out, int x, int y, int w, int h) { out[x * h + y] = in[y * w + x]; }};
  const Case<T> reads{"out[y * w + x] = in[x * h + y] + (T)y;",
                      [](T* in, T* out, int x, int y, int w, int h) {
                        out[y * w + x] = static_cast<T>(in[x * h + y] + static_cast<T>(y));
                      }};
  for (const auto& [width, height] : {std::pair{64, 8}, {37, 23}, {130, 3}, {5, 41}, {19, 150}}) {
    check(writes, width, height);
    check(reads, width, height);
  }
}

/// Vectors are numbers to lanes where they have their sizes, and else go one by one.
template <class T>
void transposeVectors(const char* type) {
  const Case<T> writes{
      "out[x * h + y] = in[y * w + x];",
      [](T* in, T* out, int x, int y, int w, int h) { out[x * h + y] = in[y * w + x]; }, type};
  const Case<T> reads{
      "if (x < w) out[y * w + x] = in[x * h + y];",
      [](T* in, T* out, int x, int y, int w, int h) { out[y * w + x] = in[x * h + y]; }, type};
  for (const auto& [width, height] : {std::pair{37, 23}, {19, 70}}) {
    check(writes, width, height);
    check(reads, width, height, {.extraX = 5});
  }
}

TEST(TilesOfVectors, Transpose) {
  transposeVectors<uint32_t>("uchar4");
  transposeVectors<uint64_t>("float2");
  transposeVectors<__uint128_t>("float4");
  transposeVectors<__uint128_t>("short8");
}

/// Rows and columns that the limits leave out, of which some lie in the middle of a tile.
TYPED_TEST(Tiles, WithLimits) {
  using T = TypeParam;
  for (const char* body :
       {"if (x >= w || y >= h) return; out[x * h + y] = in[y * w + x];",
        "if (y >= h) return; if (x >= w) return; out[x * h + y] = in[y * w + x];"})
    check(Case<T>{body, [](T* in, T* out, int x, int y, int w,
                           int h) { out[x * h + y] = in[y * w + x]; }},
          61, 83, {.extraX = 3, .extraY = 11});
}

/// Places within the group, which loops over work-items and rows count through themselves.
TYPED_TEST(Tiles, WithIdsInTheGroup) {
  using T = TypeParam;
  for (const char* id :
       {"get_local_linear_id()", "get_local_id(1) * get_local_size(0) + get_local_id(0)"}) {
    const auto place = [](int x, int y) { return y % 16 * 8 + x % 8; };
    const std::string body = "out[x * h + y] = in[y * w + x] + (T)(" + std::string(id) + ");";
    check(Case<T>{body.c_str(),
                  [&](T* in, T* out, int x, int y, int w, int h) {
                    out[x * h + y] = static_cast<T>(in[y * w + x] + static_cast<T>(place(x, y)));
                  }},
          24, 32, {.local = {8, 16}});
    const std::string guarded = "int l = " + std::string(id) + "; if (l / 16 % 2 == 0) " + body;
    check(Case<T>{guarded.c_str(),
                  [&](T* in, T* out, int x, int y, int w, int h) {
                    if (place(x, y) / 16 % 2 == 0)
                      out[x * h + y] = static_cast<T>(in[y * w + x] + static_cast<T>(place(x, y)));
                  }},
          24, 32, {.local = {8, 16}});
  }
}

/// The same behind a barrier, where a work-item looks at its neighbours' ids.
TYPED_TEST(Tiles, BehindABarrier) {
  using T = TypeParam;
  check(Case<T>{"local T tile[16][9]; int i = get_local_id(0), j = get_local_id(1);"
                " tile[j][i] = in[y * w + x]; barrier(CLK_LOCAL_MEM_FENCE);"
                " out[x * h + y] = tile[j][i] + (T)((i + 1) * 3 + (j + 1))"
                " + (T)(i + 1 == (int)get_local_size(0)) + (T)(j * (int)get_local_size(0) + i);",
                [](T* in, T* out, int x, int y, int w, int h) {
                  const int i = x % 8, j = y % 16;
                  out[x * h + y] =
                      static_cast<T>(in[y * w + x] + static_cast<T>((i + 1) * 3 + (j + 1)) +
                                     static_cast<T>(i == 7) + static_cast<T>(j * 8 + i));
                }},
        24, 32, {.local = {8, 16}});
}

/// Every third row, and none of the others.
TYPED_TEST(Tiles, WhereRowsDiffer) {
  using T = TypeParam;
  check(Case<T>{"if (y % 3 != 1) out[x * h + y] = in[y * w + x];",
                [](T* in, T* out, int x, int y, int w, int h) {
                  if (y % 3 != 1) out[x * h + y] = in[y * w + x];
                }},
        67, 26);
}

/// What a work-item has written it reads again, and what it has read it writes over.
TYPED_TEST(Tiles, InTheOrderOfAWorkItem) {
  using T = TypeParam;
  check(Case<T>{"T v = in[x * h + y]; in[x * h + y] = v + (T)1; out[x * h + y] = in[x * h + y];"
                " in[x * h + y] = out[x * h + y] - v;",
                [](T* in, T* out, int x, int y, int, int h) {
                  const T v = in[x * h + y];
                  in[x * h + y] = static_cast<T>(v + T{1});
                  out[x * h + y] = in[x * h + y];
                  in[x * h + y] = static_cast<T>(out[x * h + y] - v);
                }},
        66, 13);
}

/// Neighbours in a column lie two elements apart, backwards, or nowhere in particular.
TYPED_TEST(Tiles, OfOtherSteps) {
  using T = TypeParam;
  check(Case<T>{"out[x * h + (h - 1 - y)] = in[y * w + x];",
                [](T* in, T* out, int x, int y, int w, int h) {
                  out[x * h + (h - 1 - y)] = in[y * w + x];
                }},
        65, 12);
  check(Case<T>{"if (2 * y < h) out[x * h + 2 * y] = in[y * w + x];",
                [](T* in, T* out, int x, int y, int w, int h) {
                  if (2 * y < h) out[x * h + 2 * y] = in[y * w + x];
                }},
        65, 24);
  check(Case<T>{"out[x * h + (y ^ 1)] = in[y * w + x];",
                [](T* in, T* out, int x, int y, int w, int h) {
                  out[x * h + (y ^ 1)] = in[y * w + x];
                }},
        65, 24);
}

}  // namespace
}  // namespace weft::test
