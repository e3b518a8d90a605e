// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to as many places as there are work-items: scalars and vectors of all sizes, for all
// work-items and for some of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "guarded.h"
#include "harness.h"

namespace weft::test {
namespace {

struct Element {
  const char* name;
  size_t bytes;
};

std::vector<Element> elements() {
  return {{"uchar", 1}, {"ushort", 2}, {"int", 4}, {"float", 4}, {"ulong", 8}, {"double", 8}};
}

std::string vectorOf(const Element& element, size_t components) {
  return components == 1 ? element.name : element.name + std::to_string(components);
}

/// What has the components of `v` in reverse.
std::string reversed(size_t components) {
  if (components == 1) return "v";
  return "v.s" + std::string("fedcba9876543210").substr(16 - components);
}

void reverseComponents(std::byte* vector, size_t components, size_t bytes) {
  for (size_t k = 0; k < components / 2; ++k)
    std::swap_ranges(vector + k * bytes, vector + (k + 1) * bytes,
                     vector + (components - 1 - k) * bytes);
}

/// A permutation.
std::vector<int> placesOf(size_t items) {
  std::vector<int> places(items);
  for (size_t i = 0; i < items; ++i) places[i] = static_cast<int>(i);
  for (size_t i = items; i > 1; --i) std::swap(places[i - 1], places[(i * 7919 + 13) % i]);
  return places;
}

struct Case {
  size_t items, bytes, components;
  bool atEnd;
  size_t vectorBytes() const { return bytes * components; }
};

/// Runs `kernel void k(global T* a, global const T* b, global const int* places)` between guards.
/// A work-item with a place moves what is there, reversed, to the place as far from the end.
void moveBetweenGuards(const Program& program, const Case& what, const std::vector<int>& places,
                       const std::function<bool(int place)>& isMoved) {
  const size_t size = what.vectorBytes();
  Guarded a(what.items * size, what.atEnd), b(what.items * size, what.atEnd);
  for (size_t i = 0; i < b.size(); ++i) {
    a.data()[i] = std::byte{0x55};
    b.data()[i] = static_cast<std::byte>((i * 13 + i / 3 + i / 251) % 250);
  }
  std::vector<std::byte> expected(a.data(), a.data() + a.size());
  for (size_t i = 0; i < what.items; ++i) {
    const int place = places[i];
    if (!isMoved(place)) continue;
    std::byte* to = expected.data() + (what.items - 1 - static_cast<size_t>(place)) * size;
    std::memcpy(to, b.data() + static_cast<size_t>(place) * size, size);
    reverseComponents(to, what.components, what.bytes);
  }
  std::vector<int> given = places;
  Launch(program, "k")
      .range({what.items}, {what.items})
      .memory(a.data(), a.size())
      .memory(b.data(), b.size())
      .buffer(given)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(std::memcmp(expected.data(), a.data(), a.size()), 0)
            << what.components << " of " << what.bytes << " bytes, " << what.items << " items";
      });
}

void moveAll(const std::string& condition, const std::function<bool(int)>& isMoved) {
  for (const Element& element : elements())
    for (const size_t components : {1, 2, 4, 8, 16}) {
      const std::string type = vectorOf(element, components);
      const auto program = build("kernel void k(global " + type + "* a, global const " + type +
                                 "* b, global const int* places) { size_t i = get_global_id(0);"
                                 "int place = places[i]; int last = (int)get_global_size(0) - 1;" +
                                 condition + " { " + type + " v = b[place]; a[last - place] = " +
                                 reversed(components) + "; } }");
      for (const size_t items : {1, 7, 33, 200})
        for (const bool atEnd : {true, false}) {
          std::vector<int> places = placesOf(items);
          // Whoever is left out has no place at all.
          for (int& place : places)
            if (!isMoved(place)) place = INT_MIN + 3 * place;
          moveBetweenGuards(program, {items, element.bytes, components, atEnd}, places,
                            [](int place) { return place >= 0; });
        }
    }
}

TEST(Scattered, MoveVectorsOfAllSizes) {
  moveAll("", [](int) { return true; });
}

TEST(Scattered, TouchNothingForThoseLeftOut) {
  moveAll("if (place >= 0)", [](int place) { return place % 3 != 1; });
}

TEST(Scattered, DoNothingForNobody) {
  moveAll("if (place >= 0)", [](int place) { return place % 64 == 5; });
}

TEST(Scattered, StayWithinTheirComponents) {
  // Components that were never given a value are anyone's guess; the others are not.
  const auto program = build(R"(
    kernel void k(global uchar4* a, global ushort2* b, global const int* places, global int* out) {
      size_t i = get_global_id(0);
      int place = places[i];
      uchar4 v; v.x = i; v.y = i * 3; v.w = 7;
      ushort2 w; w.y = i * 5;
      if (place % 5 != 2) { a[place] = v; b[place] = w; }
      out[i] = place % 5 != 2 ? a[place].x + a[place].y * 256 + a[place].w * 65536 + b[place].y : -1;
    })");
  const size_t items = 100;
  std::vector<int> places = placesOf(items), out(items), a(items), b(items);
  Launch(program, "k")
      .range(items)
      .buffer(a)
      .buffer(b)
      .buffer(places)
      .buffer(out)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        for (size_t i = 0; i < items; ++i) {
          const int n = static_cast<int>(i);
          const int sum = (n & 255) + (n * 3 & 255) * 256 + 7 * 65536 + n * 5;
          EXPECT_EQ(out[i], places[i] % 5 != 2 ? sum : -1);
        }
      });
}

TEST(Scattered, ReadAndWriteEveryMemory) {
  const auto program = build(R"(
    constant float4 table[5] = {(float4)(1, 2, 3, 4), (float4)(5, 6, 7, 8), (float4)(9, 10, 11, 12),
                                (float4)(13, 14, 15, 16), (float4)(17, 18, 19, 20)};
    kernel void k(global const int* places, global float4* out, local float4* shared) {
      size_t i = get_global_id(0), l = get_local_id(0);
      int place = places[i];
      float4 own[4];
      for (int j = 0; j < 4; ++j) own[(place + j) & 3] = (float4)(j, place, l, 0.5f);
      shared[(l * 5 + 3) & 15] = table[place % 5];
      barrier(CLK_LOCAL_MEM_FENCE);
      float4 sum = own[place & 3].wzyx;
      if (place & 2) sum += shared[place & 15];
      for (int j = 0; j < place % 4; ++j) sum += table[(place + j) % 5].yxwz * own[j & 3];
      out[place] = sum;
    })");
  const size_t items = 96;
  std::vector<int> places = placesOf(items);
  std::vector<float> out(4 * items);
  const auto rowOf = [](int i, int k) { return static_cast<float>(4 * (i % 5) + k + 1); };
  Launch(program, "k")
      .range({items}, {16})
      .buffer(places)
      .buffer(out)
      .local(16 * 16)
      .inEveryForm([&](const Outcome&) {
        for (size_t i = 0; i < items; ++i) {
          const int place = places[i], l = static_cast<int>(i % 16),
                    group = static_cast<int>(i - i % 16);
          const auto own = [&](int at, int k) {
            const float row[] = {static_cast<float>((at - place) & 3), static_cast<float>(place),
                                 static_cast<float>(l), 0.5f};
            return row[k];
          };
          for (int k = 0; k < 4; ++k) {
            float sum = own(place & 3, 3 - k);
            if (place & 2) {
              int writer = 0;
              while (((writer * 5 + 3) & 15) != (place & 15)) ++writer;
              sum += rowOf(places[static_cast<size_t>(group + writer)], k);
            }
            for (int j = 0; j < place % 4; ++j) sum += rowOf(place + j, k ^ 1) * own(j & 3, k);
            EXPECT_EQ(out[static_cast<size_t>(4 * place + k)], sum) << i << " " << k;
          }
        }
      });
}

}  // namespace
}  // namespace weft::test
