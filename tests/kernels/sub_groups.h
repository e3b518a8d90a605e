// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "harness.h"

/// What tests of sub-groups share: groups of many shapes, and kernels whose items know their place.
namespace weft::test::sub_groups {

inline constexpr uint32_t kSizes[] = {8, 16, 32, 64};

/// Rows that are multiples of sub-groups, shorter than they, and neither; ragged last sub-groups.
struct Shape {
  Sizes global, local;
};
inline const Shape kShapes[] = {
    {{256}, {64}},
    {{100}, {50}},
    {{3}, {3}},
    {{24, 10}, {4, 5}},
    {{40, 6}, {20, 3}},
    {{64, 4}, {32, 2}},
    {{6, 5, 8}, {3, 5, 4}},
    {{130, 2, 2}, {65, 1, 2}},
};

inline uint64_t itemsOf(const Sizes& sizes) {
  uint64_t items = 1;
  for (const uint64_t size : sizes) items *= size;
  return items;
}

/// Calls `each` with the first item and the number of items of every sub-group; the items of a
/// group follow each other.
template <class Function>
void forSubGroups(const Shape& shape, uint32_t size, Function each) {
  const uint64_t items = itemsOf(shape.local);
  for (uint64_t group = 0; group < itemsOf(shape.global); group += items)
    for (uint64_t first = 0; first < items; first += size)
      each(group + first, std::min<uint64_t>(size, items - first));
}

/// `body` with the item's place `i` among the items of all groups, those of a group together.
inline std::string kernelOf(uint32_t size, const std::string& parameters, const std::string& body,
                            const std::string& before = "") {
  return before + "\nkernel __attribute__((intel_reqd_sub_group_size(" + std::to_string(size) +
         "))) void k(" + parameters + R"() {
    uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    uint group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) +
                 get_group_id(0);
    uint i = group * items + get_local_linear_id();
    uint id = get_sub_group_local_id();
    )" + body +
         "}";
}

inline Program buildC30(const std::string& source, Inlining inlining = Inlining::Usual) {
  return build(source, "-cl-std=CL3.0", inlining);
}

template <class T>
std::vector<T> randomNumbers(size_t count, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<T> numbers(count);
  for (T& number : numbers) {
    if constexpr (std::is_integral_v<T>)
      number = static_cast<T>(random());
    else
      number = static_cast<T>(std::ldexp(static_cast<double>(random() % 20001) - 10000.0,
                                         static_cast<int>(random() % 40) - 20));
  }
  return numbers;
}

/// Runs kernel "k" over `shape` in every form, with `in`, if there is any, and `out` as arguments.
template <class T, class Input = std::vector<T>>
void expectInEveryForm(const Program& program, const Shape& shape, Input& in, std::vector<T>& out,
                       const std::vector<T>& expected, uint32_t size) {
  Launch launch(program, "k");
  launch.range(shape.global, shape.local);
  if (!in.empty()) launch.buffer(in);
  launch.buffer(out).inEveryForm(
      [&](const Outcome&) { EXPECT_EQ(out, expected) << "sub-groups of " << size; });
}

}  // namespace weft::test::sub_groups
