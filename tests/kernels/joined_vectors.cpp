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
TEST(JoinedVectors, NotOfSmallerOnes) {
  check<float>("float", 2);
  check<short>("short", 4);
}

}  // namespace
}  // namespace weft::test
