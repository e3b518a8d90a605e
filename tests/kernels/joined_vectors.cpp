// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of the program that are loaded, computed with and stored whole, which lanes keep as they
// are in memory: in places side by side and apart, for some work-items, and with components that
// somebody asks for.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

/// Where a work-item stores its mean of two vectors, as OpenCL C and as what the reference does.
enum class Store { InRow, Apart, InRowOfSome, ApartOfSome, WithAComponent };
constexpr Store kStores[] = {Store::InRow, Store::Apart, Store::InRowOfSome, Store::ApartOfSome,
                             Store::WithAComponent};

std::string textOf(Store store) {
  switch (store) {
    case Store::InRow:
      return "a[i] = mean;";
    case Store::Apart:
      return "a[at] = mean;";
    case Store::InRowOfSome:
      return "if (at % 3 != 0) a[i] = mean + b[i];";
    case Store::ApartOfSome:
      return "if (at % 3 != 0) a[at] = mean + b[places[at]];";
    case Store::WithAComponent:
      return "a[i] = mean; first[i] = mean.s0 + mean.s1;";
  }
  return "";
}

constexpr size_t kItems = 203;

int placeOf(size_t item) { return static_cast<int>(item * 89 % kItems); }

template <class T>
void check(const std::string& type, size_t components) {
  const auto number = [](size_t place, size_t component) {
    return static_cast<long>((place * 13 + component * 5) % 31);
  };
  for (const Store store : kStores) {
    const std::string vector = type + std::to_string(components);
    const Program program = build("typedef " + type + " S; typedef " + vector + " V;" + R"(
      kernel void k(global V* a, global S* first, global const V* b, global const int* places) {
        int i = get_global_id(0), at = places[i], n = )" +
                                  std::to_string(kItems) + R"(;
        V left = b[at], right = b[(at + 1) % n];
        V mean = (left + right) * (V)((S)(places[i * 7 % n] % 4)) - left * (V)((S)2);
        mean = (at & 4) != 0 ? right : mean;
        )" + textOf(store) + "}");
    const size_t count = kItems * components;
    Guarded a(count * sizeof(T), true), b(count * sizeof(T), true);
    T* const written = reinterpret_cast<T*>(a.data());
    std::vector<T> first(kItems, T{}), expectedFirst(kItems, T{});
    std::vector<int> places(kItems);
    for (size_t i = 0; i < kItems; ++i) places[i] = placeOf(i);
    for (size_t i = 0; i < count; ++i) {
      written[i] = T{55};
      reinterpret_cast<T*>(b.data())[i] = static_cast<T>(number(i / components, i % components));
    }
    std::vector<T> expected(written, written + count);
    for (size_t i = 0; i < kItems; ++i) {
      const auto at = static_cast<size_t>(places[i]);
      const bool isOfSome = store == Store::InRowOfSome || store == Store::ApartOfSome;
      const bool isApart = store == Store::Apart || store == Store::ApartOfSome;
      const auto mean = [&](size_t c) {
        const long left = number(at, c), right = number((at + 1) % kItems, c);
        if ((at & 4) != 0) return right;
        return (left + right) * (placeOf(i * 7 % kItems) % 4) - left * 2;
      };
      if (isOfSome && at % 3 == 0) continue;
      for (size_t c = 0; c < components; ++c) {
        long value = mean(c);
        if (store == Store::InRowOfSome) value += number(i, c);
        if (store == Store::ApartOfSome) value += number(static_cast<size_t>(placeOf(at)), c);
        expected[(isApart ? at : i) * components + c] = static_cast<T>(value);
      }
      if (store == Store::WithAComponent) expectedFirst[i] = static_cast<T>(mean(0) + mean(1));
    }
    Launch(program, "k")
        .range({kItems}, {kItems})
        .memory(a.data(), a.size())
        .buffer(first)
        .memory(b.data(), b.size())
        .buffer(places)
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(expected, std::vector<T>(written, written + count)) << vector;
          EXPECT_EQ(expectedFirst, first) << vector;
        });
  }
}

TEST(JoinedVectors, OfFourFloats) { check<float>("float", 4); }
TEST(JoinedVectors, OfFourInts) { check<int>("int", 4); }
TEST(JoinedVectors, OfTwoDoubles) { check<double>("double", 2); }
TEST(JoinedVectors, OfEightShorts) { check<short>("short", 8); }
TEST(JoinedVectors, OfSixteenBytes) { check<signed char>("char", 16); }
TEST(JoinedVectors, OfOtherSizes) {
  check<float>("float", 2);
  check<short>("short", 4);
  check<signed char>("char", 2);
  check<double>("double", 8);
  check<float>("float", 16);
}

/// How long each work-item stays in its loop: an expression of the place and its value.
struct Rounds {
  const char* text;
  int (*of)(int at);
};
constexpr Rounds kRounds[] = {{"3", [](int) { return 3; }},
                              {"at % 4", [](int at) { return at % 4; }}};

/// Sums that go on from iteration to iteration, of vectors whose components change places, that
/// are compared with each other, become larger and small again, and that some work-items add to.
template <class T>
void checkLoops(const std::string& type, size_t components) {
  for (const Rounds& rounds : kRounds) {
    const std::string count = std::to_string(components);
    std::string reversed = ".s";
    for (size_t c = components; c-- > 0;) reversed += "0123456789abcdef"[c];
    const Program program = build("typedef " + type + " S; typedef " + type + count +
                                  " V; typedef int" + count + " I;" + R"(
      kernel void k(global V* a, global S* first, global const V* b, global const int* places) {
        int i = get_global_id(0), at = places[i], n = )" +
                                  std::to_string(kItems) + R"(;
        V sum = b[i];
        for (int r = 0; r < )" + rounds.text +
                                  R"(; ++r) {
          V v = b[i], w = v)" + reversed +
                                  R"(;
          I larger = convert_int)" +
                                  count + R"((w) * 2 + r;
          V back = convert_)" + type +
                                  count + R"((larger);
          sum = sum > back ? sum - v : sum + w;
          if ((at + r) & 1) sum += (V)((S)1);
        }
        if (at % 5 != 2) a[i] = sum;
        first[i] = sum.s1;
      })");
    const size_t numbers = kItems * components;
    Guarded a(numbers * sizeof(T), true), b(numbers * sizeof(T), true);
    T* const written = reinterpret_cast<T*>(a.data());
    T* const read = reinterpret_cast<T*>(b.data());
    std::vector<T> first(kItems, T{}), expectedFirst(kItems, T{});
    std::vector<int> places(kItems);
    for (size_t i = 0; i < numbers; ++i) {
      written[i] = T{55};
      read[i] = static_cast<T>(i * 7 % 23);
    }
    std::vector<T> expected(written, written + numbers);
    for (size_t i = 0; i < kItems; ++i) {
      const int at = places[i] = placeOf(i);
      for (size_t c = 0; c < components; ++c) {
        const T v = read[i * components + c], w = read[i * components + components - 1 - c];
        T sum = v;
        for (int r = 0; r < rounds.of(at); ++r) {
          const T back = static_cast<T>(static_cast<int>(w) * 2 + r);
          sum = static_cast<T>(sum > back ? sum - v : sum + w);
          if (((at + r) & 1) != 0) sum = static_cast<T>(sum + T{1});
        }
        if (at % 5 != 2) expected[i * components + c] = sum;
        if (c == 1) expectedFirst[i] = sum;
      }
    }
    Launch(program, "k")
        .range({kItems}, {kItems})
        .memory(a.data(), a.size())
        .buffer(first)
        .memory(b.data(), b.size())
        .buffer(places)
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(expected, std::vector<T>(written, written + numbers)) << type << count;
          EXPECT_EQ(expectedFirst, first) << type << count;
        });
  }
}

TEST(JoinedVectors, InLoopsOfBytes) {
  checkLoops<signed char>("char", 4);
  checkLoops<signed char>("char", 16);
}
TEST(JoinedVectors, InLoopsOfShorts) {
  checkLoops<short>("short", 2);
  checkLoops<short>("short", 8);
}
TEST(JoinedVectors, InLoopsOfNumbers) {
  checkLoops<float>("float", 2);
  checkLoops<float>("float", 4);
  checkLoops<int>("int", 8);
}
TEST(JoinedVectors, InLoopsOfLargeOnes) {
  checkLoops<double>("double", 4);
  checkLoops<long>("long", 16);
}

/// Sums of vectors that are written component by component, with numbers of other vectors, with one
/// of them in between for itself, and with one component that is computed in another way.
TEST(JoinedVectors, ComponentByComponent) {
  const Program program = build(R"(
    kernel void k(global float4* a, global float* first, global const float4* b,
                  global const int* places) {
      int i = get_global_id(0), at = places[i];
      float4 sum = b[i], other = b[i];
      for (int r = 0; r < 3; ++r) {
        float4 v = b[(i + r) % 203];
        float s = b[at].y, lone;
        sum.x += v.x * s;
        sum.y += v.y * s;
        lone = sum.x + r;
        sum.z += v.z * s;
        sum.w += v.w * s;
        sum.x -= 1;
        sum.y -= 2;
        sum.z -= 3;
        sum.w -= r;
        other.x += v.x * s;
        other.y += v.z * s;
        other.z += v.z + s;
        other.w += v.w * s;
        first[i] = lone;
      }
      a[i] = sum;
      a[i + 203] = other;
    })");
  const auto number = [](size_t place, size_t c) { return float(int((place * 13 + c * 5) % 31)); };
  std::vector<float> a(8 * kItems), b(4 * kItems), first(kItems), results(8 * kItems), lone(kItems);
  std::vector<int> places(kItems);
  for (size_t i = 0; i < 4 * kItems; ++i) b[i] = number(i / 4, i % 4);
  for (size_t i = 0; i < kItems; ++i) {
    places[i] = placeOf(i);
    const float s = number(static_cast<size_t>(places[i]), 1);
    for (size_t c = 0; c < 4; ++c) {
      float sum = number(i, c), other = sum;
      for (size_t r = 0; r < 3; ++r) {
        const auto v = [&](size_t component) { return number((i + r) % kItems, component); };
        sum += v(c) * s;
        if (c == 0) lone[i] = sum + float(r);
        sum -= c == 3 ? float(r) : float(c + 1);
        other += c == 0 || c == 3 ? v(c) * s : c == 1 ? v(2) * s : v(2) + s;
      }
      results[4 * i + c] = sum;
      results[4 * (i + kItems) + c] = other;
    }
  }
  Launch(program, "k")
      .range({kItems}, {kItems})
      .buffer(a)
      .buffer(first)
      .buffer(b)
      .buffer(places)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(results, a);
        EXPECT_EQ(lone, first);
      });
}

/// Through tiles of local memory, whose rows are taken out of ids that are ints: places are known
/// in blocks of lanes. One column is read as one place for a row of work-items.
TEST(JoinedVectors, ThroughTilesOfRows) {
  constexpr size_t kColumns = 8, kRows = 16, kGroups = 3;
  for (const char* divisor : {"8", "4", "16"}) {
    SCOPED_TRACE(divisor);
    const Program program = build(std::string(R"(
      kernel void k(global int4* a, global const int4* b, int n) {
        local int4 tile[128];
        int lid = get_local_id(1) * 8 + get_local_id(0);
        int row = lid / D, column = lid % D;
        for (int k = 0; k < 2; ++k) {
          int4 v = b[(row + k) * n + column + get_group_id(0)];
          tile[row * D + column] = v * 3;
          barrier(CLK_LOCAL_MEM_FENCE);
          int4 w = tile[row * D + (column ^ 1)] + tile[row * D + 2];
          a[(get_group_id(0) * 2 + k) * 128 + row * D + column] = w;
          barrier(CLK_LOCAL_MEM_FENCE);
        }
      })"),
                                  std::string("-DD=") + divisor);
    const size_t d = std::stoul(divisor), n = 37;
    std::vector<int> a(kGroups * 2 * 128 * 4), b(n * 40 * 4), results(a.size());
    for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<int>((i * 29 + i / 7) % 1009);
    for (size_t group = 0; group < kGroups; ++group)
      for (size_t k = 0; k < 2; ++k)
        for (size_t lid = 0; lid < kColumns * kRows; ++lid)
          for (size_t c = 0; c < 4; ++c) {
            const size_t row = lid / d, column = lid % d;
            const auto read = [&](size_t at) {
              return b[4 * ((row + k) * n + at + group) + c] * 3;
            };
            results[4 * ((group * 2 + k) * 128 + lid) + c] = read(column ^ 1) + read(2);
          }
    Launch launch(program, "k");
    launch.range({kGroups * kColumns, kRows}, {kColumns, kRows})
        .buffer(a)
        .buffer(b)
        .value(static_cast<int>(n))
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(results, a); });
  }
}

/// A product of matrices whose sums are vectors that live across the barriers of its tiles.
TEST(JoinedVectors, SumsAcrossBarriers) {
  constexpr size_t kSize = 64, kTile = 8;
  const Program program = build(R"(
    kernel void k(global const int4* a, global const int* b, global int4* c, int n) {
      local int4 rows[8][8];
      local int numbers[8][16];
      int x = get_local_id(0), y = get_local_id(1);
      int column = get_global_id(0), row = get_global_id(1) * 2;
      int4 first = 0, second = 0;
      for (int tile = 0; tile < n; tile += 8) {
        rows[y][x] = a[(tile + y) * (n / 4) + column];
        numbers[x][y * 2] = b[row * n + tile + x];
        numbers[x][y * 2 + 1] = b[(row + 1) * n + tile + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; ++k) {
          first += rows[k][x] * numbers[k][y * 2];
          second += rows[k][x] * numbers[k][y * 2 + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      c[row * (n / 4) + column] = first;
      c[(row + 1) * (n / 4) + column] = second;
    })");
  std::vector<int> a(kSize * kSize), b(kSize * kSize), c(kSize * kSize), results(kSize * kSize);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<int>(i * 31 % 101);
    b[i] = static_cast<int>(i * 17 % 83) - 40;
  }
  for (size_t y = 0; y < kSize; ++y)
    for (size_t x = 0; x < kSize; ++x)
      for (size_t k = 0; k < kSize; ++k)
        results[y * kSize + x] += a[k * kSize + x] * b[y * kSize + k];
  Launch(program, "k")
      .range({kSize / 4, kSize / 2}, {kTile, kTile})
      .buffer(a)
      .buffer(b)
      .buffer(c)
      .value(static_cast<int>(kSize))
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(results, c); });
}

/// Numbers that loops add up one by one and that are put together behind them, as generators of
/// products of matrices write it; one of them is changed behind a condition too.
TEST(JoinedVectors, SumsPutTogetherBehindLoops) {
  constexpr size_t kSize = 64;
  const Program program = build(R"(
    kernel void k(global const int* a, global const int* b, global int* c, int n, int odd) {
      int column = get_global_id(0) * 4, row = get_global_id(1) * 2;
      int s0 = 0, s1 = 0, s2 = 0, s3 = 0, t0 = 1, t1 = 2, t2 = 3, t3 = 4;
      for (int outer = 0; outer < n; outer += 8)
        for (int k = outer; k < outer + 8; ++k) {
          int4 v = vload4(0, a + k * n + column);
          int first = b[row * n + k], second = b[row * n + n + k];
          s0 = first * v.x + s0; s1 = first * v.y + s1;
          s2 = first * v.z + s2; s3 = first * v.w + s3;
          t0 = second * v.x + t0; t1 = second * v.y + t1;
          t2 = second * v.z + t2; t3 = second * v.w + t3;
          if (k == odd) t2 = 5;
        }
      vstore4((int4)(s0, s1, s2, s3), 0, c + row * n + column);
      vstore4((int4)(t0, t1, t2, t3), 0, c + row * n + n + column);
    })");
  std::vector<int> a(kSize * kSize), b(kSize * kSize), c(kSize * kSize), results(kSize * kSize);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<int>(i * 31 % 101);
    b[i] = static_cast<int>(i * 17 % 83) - 40;
  }
  for (const int odd : {-1, 20}) {
    for (size_t y = 0; y < kSize; ++y)
      for (size_t x = 0; x < kSize; ++x) {
        int sum = y % 2 == 0 ? 0 : static_cast<int>(x % 4) + 1;
        for (size_t k = 0; k < kSize; ++k) {
          sum += a[k * kSize + x] * b[y * kSize + k];
          if (static_cast<int>(k) == odd && y % 2 == 1 && x % 4 == 2) sum = 5;
        }
        results[y * kSize + x] = sum;
      }
    Launch(program, "k")
        .range({kSize / 4, kSize / 2}, {8, 4})
        .buffer(a)
        .buffer(b)
        .buffer(c)
        .value(static_cast<int>(kSize))
        .value(odd)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(results, c); });
  }
}

}  // namespace
}  // namespace weft::test
