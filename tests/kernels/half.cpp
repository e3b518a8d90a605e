// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half precision as a type to compute with (cl_khr_fp16), apart from the functions of
// builtins/math.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

using Half = uint16_t;  ///< the bits

/// Programs have to ask for the extension.
Program buildHalf(const std::string& source) {
  return build("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" + source);
}

constexpr size_t kAll = 65536;  ///< values of half
constexpr Half kNan = 0x7e00;

float toFloat(Half half) { return static_cast<float>(std::bit_cast<_Float16>(half)); }
Half nearest(float value) { return std::bit_cast<Half>(static_cast<_Float16>(value)); }
bool isNan(Half half) { return (half & 0x7fff) > 0x7c00; }
/// Any NaN is as good as another.
Half canonical(Half half) { return isNan(half) ? kNan : half; }

std::vector<Half> canonical(std::vector<Half> values) {
  for (Half& value : values) value = canonical(value);
  return values;
}

std::vector<Half> everyHalf() {
  std::vector<Half> values(kAll);
  for (size_t i = 0; i < kAll; ++i) values[i] = static_cast<Half>(i);
  return values;
}

enum class Rounding { Even, Zero, Up, Down };
constexpr struct {
  const char* suffix;
  Rounding rounding;
} kModes[] = {{"_rte", Rounding::Even},
              {"_rtz", Rounding::Zero},
              {"_rtp", Rounding::Up},
              {"_rtn", Rounding::Down}};

long double rounded(long double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::Even:
      return std::nearbyint(value);
    case Rounding::Zero:
      return std::trunc(value);
    case Rounding::Up:
      return std::ceil(value);
    case Rounding::Down:
      return std::floor(value);
  }
  return value;
}

/// A number, exactly held, as the half that the mode asks for.
Half toHalf(long double value, Rounding rounding) {
  if (std::isnan(value)) return kNan;
  const Half sign = std::signbit(value) ? 0x8000 : 0;
  constexpr long double kMax = 65504;
  if (std::isinf(value)) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int unit = std::max(exponent - 11, -24);
  const long double steps = rounded(std::ldexp(value, -unit), rounding);
  const long double result = std::ldexp(steps, unit);
  if (std::abs(result) > kMax) {
    const bool toInfinity = rounding == Rounding::Even || (rounding == Rounding::Up && sign == 0) ||
                            (rounding == Rounding::Down && sign != 0);
    return sign | (toInfinity ? 0x7c00 : 0x7bff);
  }
  return sign | (nearest(static_cast<float>(std::abs(result))) & 0x7fff);
}

TEST(Half, Arithmetic) {
  std::string source;
  for (const char* n : {"", "2", "3", "4", "8", "16"}) {
    const std::string type = std::string("half") + n;
    source += "void all" + std::string(n) + "(" + type + " a, " + type + " b, private " + type +
              "* r) { r[0] = a + b; r[1] = a - b; r[2] = a * b; r[3] = a / b; r[4] = -a; r[5] = a; "
              "r[5] *= b; r[5] += a; }\n";
  }
  source += R"(
    kernel void scalars(global half* a, global half* b, global half* out) {
      size_t i = get_global_id(0);
      half r[6];
      all(a[i], b[i], r);
      for (int j = 0; j < 5; ++j) out[5 * i + j] = r[j];
    }
    kernel void vectors(global half* a, global half* b, global half* out) {
      size_t i = get_global_id(0) * 16;
      half16 r[6];
      all16(vload16(0, a + i), vload16(0, b + i), r);
      half8 r8[6];
      all8(vload8(0, a + i), vload8(0, b + i), r8);
      half3 r3[6];
      all3(vload3(0, a + i), vload3(0, b + i), r3);
      for (int j = 0; j < 5; ++j) {
        r[j].lo = r8[j];
        r[j].s012 = r3[j];
        half t[16];
        vstore16(r[j], 0, t);
        for (int l = 0; l < 16; ++l) out[5 * (i + l) + j] = t[l];
      }
    })";
  const auto program = buildHalf(source);
  std::mt19937 random(7);
  std::vector<Half> a = everyHalf(), b(kAll), out(5 * kAll), expected;
  for (Half& value : b) value = static_cast<Half>(random());
  for (size_t i = 0; i < kAll; ++i) {
    const float x = toFloat(a[i]), y = toFloat(b[i]);
    for (const float result : {x + y, x - y, x * y, x / y}) expected.push_back(nearest(result));
    expected.push_back(a[i] ^ 0x8000);
  }
  // Which NaN comes out may depend on the order of operands.
  expected = canonical(expected);
  Launch(program, "scalars")
      .range(kAll)
      .buffer(a)
      .buffer(b)
      .buffer(out)
      .unordered()
      .inEveryForm([&](const Outcome&) { EXPECT_TRUE(canonical(out) == expected); });
  Launch(program, "vectors")
      .range(kAll / 16)
      .buffer(a)
      .buffer(b)
      .buffer(out)
      .unordered()
      .inEveryForm([&](const Outcome&) { EXPECT_TRUE(canonical(out) == expected); });
}

template <class T>
void testToInteger(const std::string& type) {
  std::string source = "kernel void k(global half* in, global " + type +
                       "* out) {"
                       "size_t i = get_global_id(0); half4 x = vload4(i, in);";
  for (int mode = 0; mode < 4; ++mode)
    source += "vstore4(convert_" + type + "4_sat" + kModes[mode].suffix + "(x), " +
              std::to_string(mode) + " * get_global_size(0) + i, out);";
  source += "vstore4(convert_" + type + "4_sat(x), 4 * get_global_size(0) + i, out); }";
  auto in = everyHalf();
  std::vector<T> out(5 * kAll), expected;
  for (int mode = 0; mode < 5; ++mode) {
    const Rounding rounding = mode == 4 ? Rounding::Zero : kModes[mode].rounding;
    for (const Half half : in) {
      const long double value = rounded(toFloat(half), rounding);
      using Limits = std::numeric_limits<T>;
      expected.push_back(std::isnan(value)                     ? T{0}
                         : value <= Limits::min()              ? Limits::min()
                         : value >= (long double)Limits::max() ? Limits::max()
                                                               : static_cast<T>(value));
    }
  }
  Launch(buildHalf(source), "k")
      .range(kAll / 4)
      .buffer(in)
      .buffer(out)
      .inEveryForm([&](const Outcome&) { EXPECT_TRUE(out == expected) << type; });
}

TEST(Half, ConvertsToIntegers) {
  testToInteger<int8_t>("char");
  testToInteger<uint8_t>("uchar");
  testToInteger<int16_t>("short");
  testToInteger<uint16_t>("ushort");
  testToInteger<int32_t>("int");
  testToInteger<uint32_t>("uint");
  testToInteger<int64_t>("long");
  testToInteger<uint64_t>("ulong");
}

template <class T>
void testFrom(const std::string& type, std::vector<T> in) {
  std::string source = "kernel void k(global " + type +
                       "* in, global half* out) {"
                       "size_t i = get_global_id(0); " +
                       type + "4 x = vload4(i, in);";
  for (int mode = 0; mode < 4; ++mode)
    source += "vstore4(convert_half4" + std::string(kModes[mode].suffix) + "(x), " +
              std::to_string(mode) + " * get_global_size(0) + i, out);";
  source +=
      "vstore4((half4)(convert_half(x.x), (half)x.y, convert_half(x.z), (half)x.w),"
      "4 * get_global_size(0) + i, out); }";
  std::vector<Half> out(5 * in.size()), expected;
  for (int mode = 0; mode < 5; ++mode)
    for (const T value : in)
      expected.push_back(toHalf(static_cast<long double>(value),
                                mode == 4 ? Rounding::Even : kModes[mode].rounding));
  Launch(buildHalf(source), "k")
      .range(in.size() / 4)
      .buffer(in)
      .buffer(out)
      .inEveryForm([&](const Outcome&) { EXPECT_TRUE(canonical(out) == expected) << type; });
}

template <class T>
std::vector<T> numbersNearHalves() {
  std::mt19937_64 random(11);
  std::vector<T> values;
  for (int i = 0; i < 4096; ++i) {
    const T value = static_cast<T>(toFloat(static_cast<Half>(random())));
    const T factor = T{1} + static_cast<T>(static_cast<int>(random() % 65) - 32) / T{32768};
    values.insert(values.end(), {value, value * factor, std::nextafter(value, T{0}),
                                 static_cast<T>(std::ldexp(value, -14))});
  }
  for (const double value :
       {65504.0, 65519.9, 65520.0, 65535.0, 1e30, 0.0, -0.0, 0x1p-25, 0x1.8p-25, 0x1p-24, 0x1p-60,
        -65520.0, -1e9, std::numeric_limits<double>::infinity(), 0x1.002p0, 0x1.006p0})
    values.push_back(static_cast<T>(value));
  return values;
}

template <class T>
std::vector<T> integersOfEverySize() {
  std::mt19937_64 random(12);
  std::vector<T> values;
  for (int i = 0; i < 8192; ++i) values.push_back(static_cast<T>(random() >> random() % 64));
  return values;
}

TEST(Half, ConvertsFromEveryType) {
  testFrom<float>("float", numbersNearHalves<float>());
  testFrom<double>("double", numbersNearHalves<double>());
  testFrom<int8_t>("char", integersOfEverySize<int8_t>());
  testFrom<uint8_t>("uchar", integersOfEverySize<uint8_t>());
  testFrom<int16_t>("short", integersOfEverySize<int16_t>());
  testFrom<uint16_t>("ushort", integersOfEverySize<uint16_t>());
  testFrom<int32_t>("int", integersOfEverySize<int32_t>());
  testFrom<uint32_t>("uint", integersOfEverySize<uint32_t>());
  testFrom<int64_t>("long", integersOfEverySize<int64_t>());
  testFrom<uint64_t>("ulong", integersOfEverySize<uint64_t>());
}

TEST(Half, ConvertsToFloatingPoint) {
  const auto program = buildHalf(R"(
    kernel void k(global half* in, global float* f, global double* d) {
      size_t i = get_global_id(0);
      f[i] = convert_float(in[i]);
      d[i] = i % 2 ? (double)in[i] : convert_double_rtn(in[i]);
    })");
  auto in = everyHalf();
  std::vector<float> f(kAll);
  std::vector<double> d(kAll);
  Launch(program, "k")
      .range(kAll)
      .buffer(in)
      .buffer(f)
      .buffer(d)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        for (size_t i = 0; i < kAll; ++i) {
          const float value = toFloat(in[i]);
          if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(f[i]) && std::isnan(d[i]));
          } else {
            ASSERT_EQ(std::bit_cast<uint32_t>(f[i]), std::bit_cast<uint32_t>(value));
            ASSERT_EQ(std::bit_cast<uint64_t>(d[i]), std::bit_cast<uint64_t>(double{value}));
          }
        }
      });
}

TEST(Half, RelationsSelectionAndShuffles) {
  const auto program = buildHalf(R"(
    kernel void k(global half4* a, global half4* b, global int* out, global half4* moved) {
      size_t i = get_global_id(0);
      half4 x = a[i], y = b[i];
      int r = 0;
      r |= isequal(x.x, y.x) ? 1 : 0;
      r |= isless(x.x, y.x) ? 2 : 0;
      r |= isunordered(x.x, y.x) ? 4 : 0;
      r |= isnan(x.x) ? 8 : 0;
      r |= isinf(x.x) ? 16 : 0;
      r |= isnormal(x.x) ? 32 : 0;
      r |= signbit(x.x) ? 64 : 0;
      r |= any(isgreater(x, y)) ? 128 : 0;
      r |= all(isfinite(x)) ? 256 : 0;
      r |= x.x != y.x ? 512 : 0;
      out[i] = r;
      half4 chosen = select(x, y, (short4)(0, -1, 1, (short)0x8000));
      moved[4 * i] = chosen;
      moved[4 * i + 1] = shuffle(x, (ushort4)(3, 2, 1, 0));
      moved[4 * i + 2] = shuffle2(x, y, (ushort4)(0, 4, 7, 3));
      moved[4 * i + 3] = bitselect(x, y, as_half4((ushort4)(0xff)));
    })");
  std::mt19937 random(3);
  const Half special[] = {0, 0x8000, 0x7c00, 0xfc00, kNan, 1, 0x03ff, 0x0400, 0x3c00, 0xbc00};
  constexpr size_t kCount = 4096;
  std::vector<Half> a(4 * kCount), b(4 * kCount), moved(16 * kCount), wantMoved;
  for (auto* list : {&a, &b})
    for (Half& value : *list)
      value = random() % 2 ? special[random() % 10] : static_cast<Half>(random());
  std::vector<int> out(kCount), want;
  for (size_t i = 0; i < kCount; ++i) {
    const Half* x = &a[4 * i];
    const Half* y = &b[4 * i];
    const float fx = toFloat(x[0]), fy = toFloat(y[0]);
    int r = (fx == fy ? 1 : 0) | (fx < fy ? 2 : 0) | (isNan(x[0]) || isNan(y[0]) ? 4 : 0);
    r |= (isNan(x[0]) ? 8 : 0) | ((x[0] & 0x7fff) == 0x7c00 ? 16 : 0) | (x[0] & 0x8000 ? 64 : 0);
    const int exponent = x[0] >> 10 & 31;
    r |= exponent != 0 && exponent != 31 ? 32 : 0;
    bool greater = false, finite = true;
    for (int l = 0; l < 4; ++l) {
      greater |= toFloat(x[l]) > toFloat(y[l]);
      finite &= (x[l] & 0x7c00) != 0x7c00;
    }
    r |= (greater ? 128 : 0) | (finite ? 256 : 0) | (fx != fy ? 512 : 0);
    want.push_back(r);
    wantMoved.insert(wantMoved.end(), {x[0], y[1], x[2], y[3]});
    wantMoved.insert(wantMoved.end(), {x[3], x[2], x[1], x[0]});
    wantMoved.insert(wantMoved.end(), {x[0], y[0], y[3], x[3]});
    for (int l = 0; l < 4; ++l)
      wantMoved.push_back(static_cast<Half>((x[l] & 0xff00) | (y[l] & 0xff)));
  }
  Launch(program, "k")
      .range(kCount)
      .buffer(a)
      .buffer(b)
      .buffer(out)
      .buffer(moved)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, want);
        EXPECT_TRUE(moved == wantMoved);
      });
}

// Code generation makes calls of the C library of such choices where it knows that there is no NaN.
TEST(Half, ChoicesBetweenNumbers) {
  const auto program = buildHalf(R"(
    kernel void k(global const ushort* in, global half* out, global half2* pairs) {
      size_t i = get_global_id(0);
      half x = in[i];
      x = x > 21.25h ? x : 21.25h;
      out[i] = x < 40.0h ? x : 40.0h;
      half2 y = convert_half2((ushort2)(in[i], 60 - in[i]));
      pairs[i] = fmin(y, (half2)(30.0h));
    })");
  std::vector<uint16_t> in(60);
  std::vector<Half> out(60), pairs(120), wanted(60), wantedPairs(120);
  for (uint16_t i = 0; i < 60; ++i) {
    in[i] = i;
    wanted[i] = nearest(std::min(std::max(static_cast<float>(i), 21.25f), 40.0f));
    wantedPairs[2 * i] = nearest(std::min(static_cast<float>(i), 30.0f));
    wantedPairs[2 * i + 1] = nearest(std::min(60.0f - static_cast<float>(i), 30.0f));
  }
  Launch(program, "k")
      .range(60)
      .buffer(in)
      .buffer(out)
      .buffer(pairs)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, wanted);
        EXPECT_EQ(pairs, wantedPairs);
      });
}

TEST(Half, LiteralsArgumentsAndCopies) {
  const auto program = buildHalf(R"(
    constant half table[3] = {1.5h, -2.0h, 0x1p-24h};
    typedef struct { half a; half3 v; } Pair;
    kernel void k(global half* in, global half* out, local half* block, half by, half4 vector,
                  Pair pair) {
      size_t l = get_local_id(0), g = get_group_id(0) * 16;
      event_t event = async_work_group_copy(block, in + g, 16, 0);
      wait_group_events(1, &event);
      half x = block[15 - l] * by + vector.w;
      x += table[l % 3] + pair.a + pair.v.z;
      barrier(CLK_LOCAL_MEM_FENCE);
      block[l] = x;
      barrier(CLK_LOCAL_MEM_FENCE);
      event = async_work_group_strided_copy(out + g, block, 16, 1, 0);
      wait_group_events(1, &event);
    })");
  struct alignas(8) Vector {
    Half v[4];
  };
  struct alignas(8) Pair {
    Half a;
    alignas(8) Half v[4];
  };
  std::vector<Half> in(64), out(64), expected(64);
  for (int i = 0; i < 64; ++i) in[i] = nearest(static_cast<float>(i));
  const float table[] = {1.5f, -2.0f, 0x1p-24f};
  for (int i = 0; i < 64; ++i) {
    const int l = i % 16;
    const float product = toFloat(in[i - l + 15 - l]) * 2 + 4;
    const float more = toFloat(nearest(toFloat(nearest(table[l % 3] + 1)) + 8));
    expected[i] = nearest(product + more);
  }
  Launch(program, "k")
      .range({64}, {16})
      .buffer(in)
      .buffer(out)
      .local(32)
      .value(nearest(2))
      .value(Vector{{nearest(1), nearest(2), nearest(3), nearest(4)}})
      .value(Pair{nearest(1), {nearest(6), nearest(7), nearest(8), 0}})
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

// Hosts without arithmetic on halves would have the C library called for these.
TEST(Half, MinimaAreCodeWithoutOptimisationToo) {
  std::vector<Half> in(256), out(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = nearest(static_cast<float>(i) - 100.0f);
  for (const char* options : {"", "-cl-opt-disable"}) {
    const auto program = build(
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "kernel void k(global half* out, global const half* in) { size_t i = get_global_id(0); "
        "out[i] = fmin(fmax(in[i], (half)3), (half)50) + (in[i] > (half)60 ? (half)1 : (half)0); }",
        options);
    Launch(program, "k")
        .range({in.size()}, {64})
        .buffer(out)
        .buffer(in)
        .inEveryForm([&](const Outcome&) {
          for (size_t i = 0; i < in.size(); ++i) {
            const float x = toFloat(in[i]);
            EXPECT_EQ(out[i], nearest(std::min(std::max(x, 3.0f), 50.0f) + (x > 60 ? 1.0f : 0.0f)))
                << x;
          }
        });
  }
}

}  // namespace
}  // namespace weft::test
