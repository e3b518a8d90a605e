// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that combine what the work-items of a group bring along.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "harness.h"
#include "support/test_day.h"

namespace weft::test {
namespace {

constexpr const char* kOptions = "-cl-std=CL3.0";
constexpr const char* kHalves = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";

struct Shape {
  Sizes global, local;
};

const Shape kShapes[] = {
    {{3}, {1}},
    {{14}, {7}},
    {{128}, {64}},
    {{200}, {100}},
    {{1024}, {1024}},
    {{250}, {64}},
    {{16, 12}, {8, 4}},
    {{19, 7}, {8, 4}},
    {{3, 4, 10}, {3, 4, 5}},
    {{33, 5, 5}, {16, 2, 3}},
};
/// Enough for what does not depend on the shape.
const Shape kFewShapes[] = {{{128}, {64}}, {{250}, {100}}, {{9, 7}, {4, 4}}};

/// A third of `shapes` each day, others for each `turn`.
std::vector<Shape> shapesOfToday(std::span<const Shape> shapes, uint64_t turn = 0) {
  std::vector<Shape> chosen;
  for (const Shape& shape : shapes)
    if (isOfDay(turn++, 3)) chosen.push_back(shape);
  return chosen;
}

uint64_t at(const Sizes& sizes, size_t d) { return d < sizes.size() ? sizes[d] : 1; }

size_t itemsOf(const Shape& shape) {
  return at(shape.global, 0) * at(shape.global, 1) * at(shape.global, 2);
}

/// Linear global ids of the work-items of each group, in the order of their linear local ids.
std::vector<std::vector<size_t>> groupsOf(const Shape& shape) {
  std::vector<std::vector<size_t>> groups;
  std::array<uint64_t, 3> first{};
  const auto begin = [&](size_t d, auto&& next) {
    for (first[d] = 0; first[d] < at(shape.global, d); first[d] += at(shape.local, d)) next();
  };
  const auto end = [&](size_t d) {
    return std::min(first[d] + at(shape.local, d), at(shape.global, d));
  };
  const auto addGroup = [&] {
    groups.emplace_back();
    for (uint64_t z = first[2]; z < end(2); ++z)
      for (uint64_t y = first[1]; y < end(1); ++y)
        for (uint64_t x = first[0]; x < end(0); ++x)
          groups.back().push_back((z * at(shape.global, 1) + y) * at(shape.global, 0) + x);
  };
  begin(2, [&] { begin(1, [&] { begin(0, addGroup); }); });
  return groups;
}

template <class T>
using Operation = std::function<T(T, T)>;

/// Columns of 32 from the first row down, then halves of the columns.
template <class T>
T reduced(std::vector<T> values, const Operation<T>& combine, T neutral) {
  while (values.size() % 32 != 0) values.push_back(neutral);
  std::vector<T> columns(values.begin(), values.begin() + 32);
  for (size_t i = 32; i < values.size(); ++i) columns[i % 32] = combine(columns[i % 32], values[i]);
  for (size_t half = 16; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i) columns[i] = combine(columns[i], columns[i + half]);
  return columns[0];
}

/// Blocks of 16, each by steps that double.
template <class T>
std::vector<T> scanned(std::vector<T> values, const Operation<T>& combine, T neutral) {
  const size_t items = values.size();
  while (values.size() % 16 != 0) values.push_back(neutral);
  T before = neutral;
  for (size_t block = 0; block < values.size(); block += 16) {
    for (size_t step = 1; step < 16; step *= 2)
      for (size_t i = 16; i-- > 0;)
        values[block + i] =
            combine(i >= step ? values[block + i - step] : neutral, values[block + i]);
    for (size_t i = 0; i < 16; ++i) values[block + i] = combine(before, values[block + i]);
    before = values[block + 15];
  }
  values.resize(items);
  return values;
}

template <class T>
struct Function {
  const char* name;
  Operation<T> combine;
  T neutral;
  T start;  ///< of an exclusive scan
};

/// What each work-item writes for one function: reduction, inclusive and exclusive scan.
template <class T>
void expect(const Function<T>& function, const std::vector<T>& in, const Shape& shape,
            size_t stride, size_t place, std::vector<T>& expected) {
  for (const std::vector<size_t>& group : groupsOf(shape)) {
    std::vector<T> values;
    for (const size_t item : group) values.push_back(in[item]);
    const T whole = reduced(values, function.combine, function.neutral);
    const std::vector<T> scan = scanned(values, function.combine, function.neutral);
    for (size_t i = 0; i < group.size(); ++i) {
      T* out = &expected[group[i] * stride + place];
      out[0] = whole;
      out[1] = scan[i];
      out[2] = i == 0 ? function.start : scan[i - 1];
    }
  }
}

template <class T>
T fromBits(uint64_t bits) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(bits);
  else  // of many magnitudes, so that each order of a sum gives other bits
    return static_cast<T>((static_cast<double>(bits % 2001) - 1000.0) *
                          std::ldexp(1.0, static_cast<int>(bits >> 32) % 12) / 7.0);
}

template <class T>
std::vector<T> randomValues(size_t count) {
  std::mt19937_64 random(count);
  std::vector<T> values(count);
  for (T& value : values) value = fromBits<T>(random());
  return values;
}

/// One kernel that calls all `functions` one after the other.
template <class T>
std::string sourceOf(const std::string& type, const std::vector<Function<T>>& functions) {
  std::string body;
  size_t place = 0;
  for (const Function<T>& function : functions)
    for (const char* kind : {"reduce_", "scan_inclusive_", "scan_exclusive_"})
      body +=
          "  to[" + std::to_string(place++) + "] = work_group_" + kind + function.name + "(x);\n";
  return kHalves + std::string("kernel void k(global const ") + type + "* in, global " + type +
         "* out) {\n  size_t i = get_global_linear_id();\n  " + type + " x = in[i];\n  global " +
         type + "* to = out + i * " + std::to_string(place) + ";\n" + body + "}\n";
}

template <class T>
void check(const std::string& type, const std::vector<Function<T>>& functions,
           std::span<const Shape> shapes) {
  const auto program = build(sourceOf(type, functions), kOptions);
  ASSERT_TRUE(kernelInfo(program, "k")->barrierLoops);
  const size_t stride = 3 * functions.size();
  for (const Shape& shape : shapesOfToday(shapes, type.size())) {
    std::vector<T> in = randomValues<T>(itemsOf(shape));
    std::vector<T> out(in.size() * stride), expected(out.size());
    for (size_t f = 0; f < functions.size(); ++f)
      expect(functions[f], in, shape, stride, 3 * f, expected);
    Launch(program, "k")
        .range(shape.global, shape.local)
        .buffer(in)
        .buffer(out)
        .inEveryForm([&](const Outcome&) {
          ASSERT_EQ(std::memcmp(out.data(), expected.data(), out.size() * sizeof(T)), 0)
              << type << ", groups of " << at(shape.local, 0) << " x " << at(shape.local, 1)
              << ", first difference at "
              << std::mismatch(out.begin(), out.end(), expected.begin()).first - out.begin();
        });
  }
}

template <class T>
std::vector<Function<T>> arithmetic() {
  using Limits = std::numeric_limits<T>;
  constexpr bool isFloat = std::is_floating_point_v<T>;
  const T most = isFloat ? Limits::infinity() : Limits::max();
  const T least = isFloat ? -Limits::infinity() : Limits::lowest();
  const T zero = isFloat ? -T{0} : T{0};
  using Bits =
      std::conditional_t<isFloat, T, std::make_unsigned_t<std::conditional_t<isFloat, int, T>>>;
  return {
      {"add", [](T a, T b) { return static_cast<T>(static_cast<Bits>(a) + static_cast<Bits>(b)); },
       zero, 0},
      {"mul", [](T a, T b) { return static_cast<T>(static_cast<Bits>(a) * static_cast<Bits>(b)); },
       1, 1},
      {"min", [](T a, T b) { return a <= b ? a : b; }, most, most},
      {"max", [](T a, T b) { return a >= b ? a : b; }, least, least}};
}

template <class T>
std::vector<Function<T>> bitwise() {
  return {{"and", [](T a, T b) { return static_cast<T>(a & b); }, static_cast<T>(-1),
           static_cast<T>(-1)},
          {"or", [](T a, T b) { return static_cast<T>(a | b); }, 0, 0},
          {"xor", [](T a, T b) { return static_cast<T>(a ^ b); }, 0, 0}};
}

TEST(Collectives, Int) { check("int", arithmetic<int32_t>(), kShapes); }
TEST(Collectives, Float) { check("float", arithmetic<float>(), kShapes); }
TEST(Collectives, UInt) { check("uint", arithmetic<uint32_t>(), kFewShapes); }
TEST(Collectives, Long) { check("long", arithmetic<int64_t>(), kFewShapes); }
TEST(Collectives, ULong) { check("ulong", arithmetic<uint64_t>(), kFewShapes); }
TEST(Collectives, Double) { check("double", arithmetic<double>(), kFewShapes); }
TEST(Collectives, IntBits) { check("int", bitwise<int32_t>(), kFewShapes); }
TEST(Collectives, ULongBits) { check("ulong", bitwise<uint64_t>(), kFewShapes); }

/// Rounded to half after each operation.
TEST(Collectives, Half) {
  using Half = uint16_t;
  const auto number = [](Half half) { return static_cast<float>(std::bit_cast<_Float16>(half)); };
  const auto nearest = [](float value) {
    return std::bit_cast<Half>(static_cast<_Float16>(value));
  };
  const std::vector<Function<Half>> functions{
      {"add", [=](Half a, Half b) { return nearest(number(a) + number(b)); }, 0x8000, 0},
      {"min", [=](Half a, Half b) { return number(a) <= number(b) ? a : b; }, 0x7c00, 0x7c00},
      {"max", [=](Half a, Half b) { return number(a) >= number(b) ? a : b; }, 0xfc00, 0xfc00}};
  const auto program = build(sourceOf("half", functions), kOptions);
  for (const Shape& shape : kFewShapes) {
    std::vector<Half> in(itemsOf(shape));
    std::mt19937 random(1);
    for (Half& half : in) half = nearest((static_cast<float>(random() % 2001) - 1000.0F) / 64.0F);
    std::vector<Half> out(in.size() * 9), expected(out.size());
    for (size_t f = 0; f < functions.size(); ++f)
      expect(functions[f], in, shape, 9, 3 * f, expected);
    Launch(program, "k")
        .range(shape.global, shape.local)
        .buffer(in)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

TEST(Collectives, Logical) {
  const std::vector<Function<int32_t>> functions{
      {"logical_and", [](int a, int b) { return a && b ? 1 : 0; }, 1, 1},
      {"logical_or", [](int a, int b) { return a || b ? 1 : 0; }, 0, 0},
      {"logical_xor", [](int a, int b) { return (a != 0) != (b != 0) ? 1 : 0; }, 0, 0}};
  const auto program = build(sourceOf("int", functions), kOptions);
  for (const Shape& shape : kFewShapes)
    for (const unsigned zeros : {1u, 20u, 1000000u}) {
      std::mt19937 random(zeros);
      std::vector<int32_t> in(itemsOf(shape));
      for (int32_t& value : in) value = random() % zeros == 1 % zeros ? 0 : 1 << (random() % 31);
      std::vector<int32_t> truths(in.size()), out(in.size() * 9), expected(out.size());
      std::ranges::transform(in, truths.begin(), [](int value) { return value != 0 ? 1 : 0; });
      for (size_t f = 0; f < functions.size(); ++f)
        expect(functions[f], truths, shape, 9, 3 * f, expected);
      Launch(program, "k")
          .range(shape.global, shape.local)
          .buffer(in)
          .buffer(out)
          .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
    }
}

TEST(Collectives, AllAndAny) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out) {
      size_t i = get_global_linear_id();
      out[2 * i] = work_group_all(in[i]);
      out[2 * i + 1] = work_group_any(in[i]);
    })",
                             kOptions);
  for (const Shape& shape : shapesOfToday(kShapes))
    for (const int except : {-1, 0, 1, 2}) {  // which group has one that differs, and from what
      std::vector<int> in(itemsOf(shape), except < 1 ? 0 : 1024);
      const auto groups = groupsOf(shape);
      if (except >= 0) in[groups.back().back()] = except < 1 ? -1 : 0;
      std::vector<int> out(2 * in.size()), expected(out.size());
      for (const auto& group : groups) {
        const auto isSet = [&](size_t i) { return in[i] != 0; };
        for (const size_t i : group) {
          expected[2 * i] = std::ranges::all_of(group, isSet) ? 1 : 0;
          expected[2 * i + 1] = std::ranges::any_of(group, isSet) ? 1 : 0;
        }
      }
      Launch(program, "k")
          .range(shape.global, shape.local)
          .buffer(in)
          .buffer(out)
          .inEveryForm([&](const Outcome&) {
            std::vector<int> truths(out);
            for (int& value : truths) value = value != 0 ? 1 : 0;
            EXPECT_EQ(truths, expected);
          });
    }
}

TEST(Collectives, Broadcast) {
  uint64_t turn = 0;
  for (const char* type : {"int", "ulong", "float", "double", "half"}) {
    const std::string text = type;
    const auto program = build(kHalves + ("kernel void k(global const " + text + "* in, global " +
                                          text + R"(* out, uint4 at) {
        size_t i = get_global_linear_id();
        switch (get_work_dim()) {
          case 1: out[i] = work_group_broadcast(in[i], at.x); break;
          case 2: out[i] = work_group_broadcast(in[i], at.x, at.y); break;
          default: out[i] = work_group_broadcast(in[i], at.x, at.y, at.z); break;
        }
      })"),
                               kOptions);
    const size_t bytes = text == "half" ? 2 : text == "ulong" || text == "double" ? 8 : 4;
    for (const Shape& shape : shapesOfToday(kShapes, turn++)) {
      std::vector<uint8_t> in(itemsOf(shape) * bytes), out(in.size()), expected(in.size());
      for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i * 37 % 113);
      // The last that all groups have.
      std::array<uint32_t, 4> source{};
      for (size_t d = 0; d < 3; ++d) {
        const uint64_t rest = at(shape.global, d) % at(shape.local, d);
        source[d] = static_cast<uint32_t>((rest == 0 ? at(shape.local, d) : rest) - 1);
      }
      for (const auto& group : groupsOf(shape)) {
        const size_t first = group.front();
        const size_t from =
            first + (source[2] * at(shape.global, 1) + source[1]) * at(shape.global, 0) + source[0];
        for (const size_t i : group) std::copy_n(&in[from * bytes], bytes, &expected[i * bytes]);
      }
      Launch(program, "k")
          .range(shape.global, shape.local)
          .buffer(in)
          .buffer(out)
          .value(source)
          .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected) << text; });
    }
  }
}

// What all get is equal for the group, so barriers may depend on it.
TEST(Collectives, DecideOverBarriers) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out, local int* l) {
      size_t i = get_global_id(0), li = get_local_id(0), n = get_local_size(0);
      int x = in[i], rounds = 0;
      while (work_group_any(x > 0)) {
        if (work_group_all(x % 2 == 0)) {
          l[li] = x;
          barrier(CLK_LOCAL_MEM_FENCE);
          x = min(x, l[n - 1 - li]) / 2;
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        x -= work_group_reduce_min(abs(x)) + 1;
        rounds += work_group_broadcast(x, n - 1) & 3;
      }
      out[i] = rounds * 1000 + x;
    })",
                             kOptions);
  const compiler::KernelInfo& kernel = *kernelInfo(program, "k");
  EXPECT_TRUE(kernel.usesBarrier);
  EXPECT_TRUE(kernel.barrierLoops);
  EXPECT_EQ(kernel.staticLocalBytes, 0u);
  constexpr size_t kGroup = 48, kItems = 4 * kGroup + 5;
  std::vector<int> in(kItems), out(kItems), expected(kItems);
  for (size_t i = 0; i < kItems; ++i)
    in[i] = static_cast<int>(i < kGroup ? 2 * (i % 7) : i * 31 % 97);
  for (size_t first = 0; first < kItems; first += kGroup) {
    std::vector<int> x(in.begin() + first, in.begin() + std::min(first + kGroup, kItems));
    const size_t n = x.size();
    int rounds = 0;
    while (std::ranges::any_of(x, [](int v) { return v > 0; })) {
      if (std::ranges::all_of(x, [](int v) { return v % 2 == 0; })) {
        const std::vector<int> l = x;
        for (size_t i = 0; i < n; ++i) x[i] = std::min(l[i], l[n - 1 - i]) / 2;
      }
      int least = std::numeric_limits<int>::max();
      for (const int v : x) least = std::min(least, std::abs(v));
      for (int& v : x) v -= least + 1;
      rounds += x[n - 1] & 3;
    }
    for (size_t i = 0; i < n; ++i) expected[first + i] = rounds * 1000 + x[i];
  }
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(in)
      .buffer(out)
      .local(kGroup * 4)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

// One after the other, of different sizes, in a loop that all go round as often as an argument
// says.
TEST(Collectives, FollowEachOther) {
  const auto program = build(R"(
    kernel void k(global const int* in, global long* out, int times) {
      size_t i = get_global_linear_id();
      long x = in[i];
      for (int t = 0; t < times; ++t) {
        int small = work_group_scan_exclusive_add((int)(x & 1023));
        long large = work_group_scan_inclusive_max(x * small);
        uint bits = work_group_reduce_add((uint)large);
        x = (large ^ bits) + work_group_reduce_min(x) + work_group_any(small == t);
      }
      out[i] = x;
    })",
                             kOptions);
  for (const Shape& shape : shapesOfToday(kShapes)) {
    const size_t items = itemsOf(shape);
    std::vector<int> in(items);
    for (size_t i = 0; i < items; ++i) in[i] = static_cast<int>(i * 7919 % 5003);
    std::vector<int64_t> out(items), expected(in.begin(), in.end());
    constexpr int kTimes = 3;
    for (const auto& group : groupsOf(shape))
      for (int t = 0; t < kTimes; ++t) {
        int64_t most = std::numeric_limits<int64_t>::min();
        int64_t least = std::numeric_limits<int64_t>::max();
        int before = 0;
        uint32_t bits = 0;
        bool any = false;
        std::vector<int64_t> large;
        for (const size_t i : group) {
          const int64_t x = expected[i];
          any |= before == t;
          most = std::max(most, static_cast<int64_t>(static_cast<uint64_t>(x) *
                                                     static_cast<uint64_t>(int64_t{before})));
          large.push_back(most);
          bits += static_cast<uint32_t>(most);
          least = std::min(least, x);
          before += static_cast<int>(x & 1023);
        }
        for (size_t i = 0; i < group.size(); ++i)
          expected[group[i]] =
              static_cast<int64_t>(static_cast<uint64_t>(large[i] ^ int64_t{bits}) +
                                   static_cast<uint64_t>(least) + (any ? 1 : 0));
      }
    Launch(program, "k")
        .range(shape.global, shape.local)
        .buffer(in)
        .buffer(out)
        .value(kTimes)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
  }
}

// Not right, but common: those that have ended count as arrived, and bring nothing along.
TEST(Collectives, AfterEarlyReturns) {
  const auto program = build(R"(
    kernel void k(global const int* in, global int* out, int limit) {
      size_t i = get_global_id(0);
      int other = work_group_reduce_add(1000 + (int)get_local_id(0));
      if (in[i] >= limit) return;
      out[3 * i] = work_group_reduce_add(in[i] + 1);
      out[3 * i + 1] = work_group_scan_inclusive_max(in[i]);
      out[3 * i + 2] = work_group_scan_exclusive_add(in[i] + 1) + other;
    })",
                             kOptions);
  EXPECT_FALSE(kernelInfo(program, "k")->barrierLoops);
  constexpr size_t kGroup = 40, kItems = 3 * kGroup;
  std::vector<int> in(kItems);
  for (size_t i = 0; i < kItems; ++i) in[i] = static_cast<int>(i * 53 % 100);
  for (const int limit : {0, 1, 50, 99, 100}) {
    std::vector<int> out(3 * kItems), expected(3 * kItems);
    for (size_t first = 0; first < kItems; first += kGroup) {
      int sum = 0, most = std::numeric_limits<int>::min(), all = 0;
      for (size_t i = 0; i < kGroup; ++i) all += 1000 + static_cast<int>(i);
      for (size_t i = first; i < first + kGroup; ++i) {
        if (in[i] >= limit) continue;
        most = std::max(most, in[i]);
        expected[3 * i + 1] = most;
        expected[3 * i + 2] = sum + all;
        sum += in[i] + 1;
      }
      for (size_t i = first; i < first + kGroup; ++i)
        if (in[i] < limit) expected[3 * i] = sum;
    }
    Launch(program, "k")
        .range({kItems}, {kGroup})
        .buffer(in)
        .buffer(out)
        .value(limit)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected) << limit; });
  }
}

TEST(Collectives, InFunctionsOutOfLine) {
  const auto program = build(R"(
    __attribute__((noinline)) float total(float x) { return work_group_reduce_add(x); }
    __attribute__((noinline)) float before(float x) {
      return work_group_scan_exclusive_add(x) + total(x);
    }
    kernel void k(global const float* in, global float* out) {
      size_t i = get_global_id(0);
      float x = in[i];
      for (int t = 0; t < 2; ++t) x = before(x) / 64 + total(x);
      out[i] = x;
    })",
                             std::string(kOptions) + " -cl-opt-disable");
  const Function<float> add = arithmetic<float>()[0];
  for (const Shape& shape : {Shape{{128}, {64}}, Shape{{75}, {20}}}) {
    std::vector<float> in = randomValues<float>(itemsOf(shape)), out(in.size()), x(in);
    std::vector<float> three(3 * in.size());
    for (int t = 0; t < 2; ++t) {
      expect(add, x, shape, 3, 0, three);
      for (size_t i = 0; i < x.size(); ++i) {
        const float both = three[3 * i + 2] + three[3 * i];
        x[i] = both / 64 + three[3 * i];
      }
    }
    Launch(program, "k")
        .range(shape.global, shape.local)
        .buffer(in)
        .buffer(out)
        .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, x); });
  }
}

// Work-items that wait for different ones are told of, as at barriers.
TEST(Collectives, DifferentOnes) {
  const auto program = build(R"(
    kernel void k(global int* out) {
      size_t i = get_global_id(0);
      if (get_local_id(0) < 5)
        out[i] = work_group_reduce_add(1);
      else
        out[i] = work_group_reduce_max(2);
    })",
                             kOptions);
  std::vector<int> out(32);
  Launch(program, "k")
      .range({32}, {16})
      .buffer(out)
      .expectFailure()
      .inEveryForm([&](const Outcome& outcome) {
        EXPECT_EQ(outcome.failure, runtime::FailureKind::BarrierDivergence);
        EXPECT_NE(outcome.message.find("different barriers"), std::string::npos);
      });
}

// Nothing that is not a number takes part in minima and maxima; the neutral value is left of
// others.
TEST(Collectives, NotANumber) {
  const auto program = build(R"(
    kernel void k(global const float* in, global float* out) {
      size_t i = get_global_id(0);
      out[4 * i] = work_group_reduce_min(in[i]);
      out[4 * i + 1] = work_group_reduce_max(in[i]);
      out[4 * i + 2] = work_group_scan_inclusive_min(in[i]);
      out[4 * i + 3] = work_group_reduce_add(in[i] != in[i] ? -0.0f : in[i]);
    })",
                             kOptions);
  constexpr size_t kGroup = 24;
  std::vector<float> in(2 * kGroup), out(4 * in.size());
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = i % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i);
  for (size_t i = 0; i < kGroup; i += 3) in[i + 1] = -0.0F, in[i + 2] = -0.0F;
  Launch(program, "k")
      .range({2 * kGroup}, {kGroup})
      .buffer(in)
      .buffer(out)
      .inEveryForm([&](const Outcome&) {
        EXPECT_TRUE(std::signbit(out[3])) << "a sum of -0 alone";
        EXPECT_EQ(out[4 * kGroup], 25.0F);
        EXPECT_EQ(out[4 * kGroup + 1], 47.0F);
        EXPECT_EQ(out[4 * (kGroup + 5) + 2], 25.0F);
      });
}

}  // namespace
}  // namespace weft::test
