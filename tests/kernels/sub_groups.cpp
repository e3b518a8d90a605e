// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sub-groups: who is in which, and what they do together.
#include <algorithm>
#include <bit>

#include "sub_groups.h"
#include "support/test_day.h"

namespace weft::test::sub_groups {
namespace {

TEST(SubGroups, AreConsecutiveItems) {
  for (const uint32_t size : kSizes)
    for (const Shape& shape : kShapes) {
      const auto program = buildC30(kernelOf(size, "global uint* out", R"(
        out[6 * i] = get_sub_group_size();
        out[6 * i + 1] = get_max_sub_group_size();
        out[6 * i + 2] = get_num_sub_groups();
        out[6 * i + 3] = get_enqueued_num_sub_groups();
        out[6 * i + 4] = get_sub_group_id();
        out[6 * i + 5] = id;)"));
      const uint64_t items = itemsOf(shape.local);
      const uint32_t count = static_cast<uint32_t>((items + size - 1) / size);
      std::vector<uint32_t> out(6 * itemsOf(shape.global)), expected(out.size());
      forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
        for (uint64_t k = 0; k < members; ++k) {
          uint32_t* facts = &expected[6 * (first + k)];
          facts[0] = static_cast<uint32_t>(members);
          facts[1] = size;
          facts[2] = facts[3] = count;
          facts[4] = static_cast<uint32_t>(first % items / size);
          facts[5] = static_cast<uint32_t>(k);
        }
      });
      Launch(program, "k")
          .range(shape.global, shape.local)
          .buffer(out)
          .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
    }
}

TEST(SubGroups, MoveValues) {
  for (const uint32_t size : kSizes)
    for (const Shape& shape : kShapes) {
      const auto program = buildC30(kernelOf(size, "global const int* in, global int* out", R"(
        uint members = get_sub_group_size();
        int x = in[i];
        out += 8 * i;
        out[0] = sub_group_broadcast(x, members - 1);
        out[1] = sub_group_shuffle(x, (uint)x % members);
        out[2] = (id ^ 3) < members ? sub_group_shuffle_xor(x, 3) : 0;
        int up = sub_group_shuffle_up(x, 2), down = sub_group_shuffle_down(x, 5);
        out[3] = id >= 2 ? up : 0;
        out[4] = id + 5 < members ? down : 0;
        int turned = sub_group_rotate(x, 3), within = sub_group_clustered_rotate(x, -1, 4);
        out[5] = members == get_max_sub_group_size() ? turned : 0;
        out[6] = (id | 3) < members ? within : 0;
        out[7] = sub_group_broadcast_first(x);)"));
      std::vector<int> in = randomNumbers<int>(itemsOf(shape.global));
      std::vector<int> out(8 * in.size()), expected(out.size());
      forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
        const int* x = &in[first];
        for (uint64_t k = 0; k < members; ++k) {
          int* r = &expected[8 * (first + k)];
          const bool hasFour = (k | 3) < members;
          r[0] = x[members - 1];
          r[1] = x[static_cast<uint32_t>(x[k]) % members];
          // A lane that asks another under a condition is alone with those who do too.
          r[2] = (k ^ 3) < members ? x[k ^ 3] : 0;
          r[3] = k >= 2 ? x[k - 2] : 0;
          r[4] = k + 5 < members ? x[k + 5] : 0;
          r[5] = members == size ? x[(k + 3) % size] : 0;
          r[6] = hasFour ? x[(k & ~uint64_t{3}) + ((k + 3) & 3)] : 0;
          r[7] = x[0];
        }
      });
      expectInEveryForm(program, shape, in, out, expected, size);
    }
}

TEST(SubGroups, MoveValuesOfAllTypes) {
  for (const char* type :
       {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"}) {
    const auto program =
        buildC30(kernelOf(16, "global const int* in, global int* out", std::string(R"(
        T x = (T)(in[i] & 127);
        out[4 * i] = (int)sub_group_shuffle(x, id ^ 1);
        out[4 * i + 1] = (int)sub_group_broadcast(x, 3);
        out[4 * i + 2] = (int)sub_group_shuffle(x, (uint)in[i] & 15);
        T4 v = (T4)(x, x + 1, x + 2, x + 3), w = sub_group_broadcast(v, 5);
        out[4 * i + 3] = (int)(w.x + w.y * 2 + w.z * 3 + w.w * 4) & 127;)"),
                          std::string("#define T ") + type + "\n#define T4 " + type + "4"));
    std::vector<int> in = randomNumbers<int>(128), out(4 * in.size()), expected(out.size());
    for (size_t i = 0; i < in.size(); ++i) {
      const size_t first = i & ~size_t{15};
      const int five = in[first + 5] & 127;
      const int sum = five + (five + 1) * 2 + (five + 2) * 3 + (five + 3) * 4;
      expected[4 * i] = in[i ^ 1] & 127;
      expected[4 * i + 1] = in[first + 3] & 127;
      expected[4 * i + 2] = in[first + (in[i] & 15)] & 127;
      expected[4 * i + 3] = sum & 127;
    }
    expectInEveryForm(program, {{128}, {64}}, in, out, expected, 16);
  }
}

/// The order in which values are combined: items k and k + size / 2 first.
template <class T, class Function>
T tree(std::vector<T> values, T neutral, uint32_t size, Function combine) {
  values.resize(size, neutral);
  for (uint32_t half = size / 2; half >= 1; half /= 2)
    for (uint32_t k = 0; k < half; ++k) values[k] = combine(values[k], values[k + half]);
  return values[0];
}

template <class T, class Function>
std::vector<T> scan(std::vector<T> values, T neutral, uint32_t size, Function combine) {
  values.resize(size, neutral);
  for (uint32_t distance = 1; distance < size; distance *= 2)
    for (uint32_t k = size; k-- > 0;)
      values[k] = combine(k < distance ? neutral : values[k - distance], values[k]);
  return values;
}

/// In a third of the shapes each day: the type decides on nothing there.
template <class T>
void expectReductions(const char* type, T zero, T lowest, T highest) {
  uint64_t turn = sizeof(T) + std::is_signed_v<T>;
  for (const uint32_t size : kSizes)
    for (const Shape& shape : kShapes) {
      if (!isOfDay(turn++, 3)) continue;
      const auto program = buildC30(kernelOf(size, "global const T* in, global T* out", R"(
        T x = in[i];
        out += 9 * i;
        out[0] = sub_group_reduce_add(x);
        out[1] = sub_group_reduce_min(x);
        out[2] = sub_group_reduce_max(x);
        out[3] = sub_group_scan_inclusive_add(x);
        out[4] = sub_group_scan_inclusive_min(x);
        out[5] = sub_group_scan_inclusive_max(x);
        out[6] = sub_group_scan_exclusive_add(x);
        out[7] = sub_group_scan_exclusive_min(x);
        out[8] = sub_group_scan_exclusive_max(x);)",
                                             std::string("#define T ") + type));
      std::vector<T> in = randomNumbers<T>(itemsOf(shape.global));
      std::vector<T> out(9 * in.size()), expected(out.size());
      const auto add = [](T a, T b) {
        if constexpr (std::is_integral_v<T>)
          return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
        else
          return static_cast<T>(a + b);
      };
      const auto least = [](T a, T b) { return std::min(a, b); };
      const auto most = [](T a, T b) { return std::max(a, b); };
      const T negative = std::is_floating_point_v<T> ? static_cast<T>(-0.0) : zero;
      forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
        const std::vector<T> x(&in[first], &in[first] + members);
        const auto put = [&](size_t column, T neutral, T before, auto combine) {
          const T all = tree(x, neutral, size, combine);
          const std::vector<T> inclusive = scan(x, neutral, size, combine);
          std::vector<T> moved = x;
          moved.insert(moved.begin(), before);
          moved.resize(members);
          const std::vector<T> exclusive = scan(moved, before, size, combine);
          for (uint64_t k = 0; k < members; ++k) {
            expected[9 * (first + k) + column] = all;
            expected[9 * (first + k) + column + 3] = inclusive[k];
            expected[9 * (first + k) + column + 6] = exclusive[k];
          }
        };
        put(0, negative, zero, add);
        put(1, highest, highest, least);
        put(2, lowest, lowest, most);
      });
      Launch(program, "k")
          .range(shape.global, shape.local)
          .buffer(in)
          .buffer(out)
          .inEveryForm([&](const Outcome&) {
            EXPECT_EQ(std::memcmp(out.data(), expected.data(), out.size() * sizeof(T)), 0)
                << type << ", sub-groups of " << size;
          });
    }
}

template <class T>
void expectIntegerReductions(const char* type) {
  expectReductions<T>(type, 0, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

TEST(SubGroups, ReduceAndScanIntegers) {
  expectIntegerReductions<int8_t>("char");
  expectIntegerReductions<uint16_t>("ushort");
  expectIntegerReductions<int32_t>("int");
  expectIntegerReductions<uint32_t>("uint");
  expectIntegerReductions<int64_t>("long");
}

// Bit by bit: in which order numbers are added is the same everywhere.
TEST(SubGroups, ReduceAndScanFloats) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  expectReductions<float>("float", 0.0f, -kInfinity, kInfinity);
  expectReductions<double>("double", 0.0, -kInfinity, kInfinity);
}

TEST(SubGroups, ReduceHalves) {
  const auto program = buildC30(kernelOf(16, "global const int* in, global int* out", R"(
    half x = (half)(in[i] & 63);
    out[4 * i] = (int)sub_group_reduce_add(x);
    out[4 * i + 1] = (int)sub_group_reduce_max(x);
    out[4 * i + 2] = (int)sub_group_scan_exclusive_add(x);
    out[4 * i + 3] = (int)sub_group_clustered_reduce_min(x, 4);)",
                                         "#pragma OPENCL EXTENSION cl_khr_fp16 : enable"));
  std::vector<int> in = randomNumbers<int>(128), out(4 * in.size()), expected(out.size());
  for (size_t i = 0; i < in.size(); ++i) {
    const size_t first = i & ~size_t{15};
    int sum = 0, most = 0, before = 0, least = 64;
    for (size_t k = first; k < first + 16; ++k) {
      const int x = in[k] & 63;
      if (k < i) before += x;
      if ((k & ~size_t{3}) == (i & ~size_t{3})) least = std::min(least, x);
      sum += x;
      most = std::max(most, x);
    }
    expected[4 * i] = sum;
    expected[4 * i + 1] = most;
    expected[4 * i + 2] = before;
    expected[4 * i + 3] = least;
  }
  expectInEveryForm(program, {{128}, {64}}, in, out, expected, 16);
}

TEST(SubGroups, CombineInClusters) {
  for (const uint32_t size : kSizes)
    for (const Shape& shape : kShapes) {
      const auto program = buildC30(kernelOf(size, "global const int* in, global int* out", R"(
        int x = in[i];
        out[4 * i] = sub_group_clustered_reduce_add(x, 1);
        out[4 * i + 1] = sub_group_clustered_reduce_max(x, 4);
        out[4 * i + 2] = sub_group_clustered_reduce_xor(x, 8);
        out[4 * i + 3] = sub_group_clustered_reduce_logical_and(x & 1, 2);)"));
      std::vector<int> in = randomNumbers<int>(itemsOf(shape.global));
      std::vector<int> out(4 * in.size()), expected(out.size());
      forSubGroups(shape, size, [&](uint64_t first, uint64_t members) {
        for (uint64_t k = 0; k < members; ++k) {
          int* r = &expected[4 * (first + k)];
          r[0] = in[first + k];
          r[1] = std::numeric_limits<int>::min();
          r[3] = 1;
          for (uint64_t other = 0; other < members; ++other) {
            const int x = in[first + other];
            if (other / 4 == k / 4) r[1] = std::max(r[1], x);
            if (other / 8 == k / 8) r[2] ^= x;
            if (other / 2 == k / 2) r[3] &= x & 1;
          }
        }
      });
      expectInEveryForm(program, shape, in, out, expected, size);
    }
}

TEST(SubGroups, TellMasksOfItems) {
  for (const uint32_t size : kSizes) {
    const auto program = buildC30(kernelOf(size, "global ulong* out", R"(
      uint4 masks[5] = {get_sub_group_eq_mask(), get_sub_group_ge_mask(), get_sub_group_gt_mask(),
                        get_sub_group_le_mask(), get_sub_group_lt_mask()};
      for (int m = 0; m < 5; ++m) out[6 * i + m] = upsample(masks[m].y, masks[m].x);
      uint4 bits = (uint4)(0xfff0f0f1u, 0x80000001u, 7, 7);
      out[6 * i + 5] = sub_group_ballot_bit_extract(bits, id) +
                       100 * sub_group_ballot_inclusive_scan(bits) +
                       10000 * sub_group_ballot_find_lsb(bits & 0xfffffff0u) +
                       1000000 * sub_group_ballot_find_msb(bits);)"));
    std::vector<uint64_t> out(6 * 128), expected(out.size());
    const uint64_t all = ~uint64_t{0} >> (64 - size), bits = 0x80000001fff0f0f1u & all;
    for (uint64_t i = 0; i < 128; ++i) {
      const uint64_t own = uint64_t{1} << (i % size);
      uint64_t* r = &expected[6 * i];
      r[0] = own;
      r[1] = all & ~(own - 1);
      r[2] = all & ~(own - 1) & ~own;
      r[3] = own | (own - 1);
      r[4] = own - 1;
      r[5] = ((bits & own) != 0) +
             100 * static_cast<uint64_t>(std::popcount(bits & (own | (own - 1)))) +
             10000 * static_cast<uint64_t>(std::countr_zero(bits & ~uint64_t{15})) +
             1000000 * (63 - static_cast<uint64_t>(std::countl_zero(bits)));
    }
    Launch(program, "k").range({128}, {64}).buffer(out).inEveryForm([&](const Outcome&) {
      EXPECT_EQ(out, expected) << "sub-groups of " << size;
    });
  }
}

}  // namespace
}  // namespace weft::test::sub_groups
