// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "kernels/function_table.h"
#include "support/test_day.h"

// vload and vstore in every address space, shuffles, and the loads and stores of half
// (OpenCL C 6.15.7 and 6.15.13).
namespace weft::test {
namespace {

template <class T>
class BuiltinsVector : public testing::Test {
 protected:
  void SetUp() override { WEFT_TAKES_TURNS(); }
};
using AllTypes = testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t,
                                uint64_t, float, double>;
TYPED_TEST_SUITE(BuiltinsVector, AllTypes);

template <class T>
std::vector<T> countUp(size_t count) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = T(i * 7 + 3);
  return values;
}

// Vectors travel through all address spaces, one element off their natural alignment.
TYPED_TEST(BuiltinsVector, LoadAndStoreTouchExactlyTheirElements) {
  using T = TypeParam;
  constexpr size_t kItems = 32, kGroup = 16;
  for (unsigned n : {2u, 3u, 4u, 8u, 16u}) {
    SCOPED_TRACE(n);
    const std::string size = std::to_string(n), type = typeName<T>();
    Program program = build(
        "kernel void run(global const T* in, constant T* table, global T* out, local T* group) {\n"
        "  size_t i = get_global_id(0), l = get_local_id(0);\n"
        "  T own[2 * N + 2];\n"
        "  for (int k = 0; k < 2 * N + 2; ++k) own[k] = (T)k;\n"
        "  vstoreN(vloadN(i, in + 1), 1, own + 1);\n"
        "  vstoreN(vloadN(1, own + 1), l, group + 1);\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  vstoreN(vloadN(l ^ 1, group + 1), i, out + 1);\n"
        "  if (own[N] != (T)N || own[2 * N + 1] != (T)(2 * N + 1)) out[0] = (T)99;\n"
        "  vstoreN(vloadN(i, table + 1), i, out + 1 + get_global_size(0) * N);\n"
        "}\n",
        "-DT=" + type + " -DN=" + size + " -DvloadN=vload" + size + " -DvstoreN=vstore" + size);
    std::vector<T> in = countUp<T>(kItems * n + 2), table = countUp<T>(kItems * n + 2);
    std::vector<T> out(2 * kItems * n + 2, T(77));
    Launch(program, "run")
        .range({kItems}, {kGroup})
        .buffer(in)
        .buffer(table)
        .buffer(out)
        .local((kGroup * n + 2) * sizeof(T))
        .inEveryForm([&](const Outcome&) {
          EXPECT_EQ(out.front(), T(77));
          EXPECT_EQ(out.back(), T(77));
          for (size_t i = 0; i < kItems * n; ++i) {
            ASSERT_EQ(out[1 + i], in[1 + ((i / n) ^ 1) * n + i % n]) << i;
            ASSERT_EQ(out[1 + kItems * n + i], table[1 + i]) << i;
          }
        });
  }
}

TYPED_TEST(BuiltinsVector, ShuffleByMasksOfTheData) {
  using T = TypeParam;
  constexpr size_t kItems = 64;
  const std::string type = typeName<T>();
  const std::string mask = sizeof(T) == 1   ? "uchar"
                           : sizeof(T) == 2 ? "ushort"
                           : sizeof(T) == 4 ? "uint"
                                            : "ulong";
  for (unsigned m : {2u, 4u, 8u, 16u}) {
    for (unsigned n : {2u, 4u, 8u, 16u}) {
      SCOPED_TRACE(std::to_string(m) + " to " + std::to_string(n));
      const std::string from = std::to_string(m), to = std::to_string(n);
      Program program =
          build("kernel void run(global const " + type + "* in, global const " + mask +
                "* masks, global " + type + "* out) {\n" + "  size_t i = get_global_id(0);\n  " +
                mask + to + " w = vload" + to + "(i, masks);\n  " + type + from + " x = vload" +
                from + "(2 * i, in), y = vload" + from + "(2 * i + 1, in);\n" + "  vstore" + to +
                "(shuffle(x, w), 2 * i, out);\n" + "  vstore" + to +
                "(shuffle2(x, y, w), 2 * i + 1, out);\n}\n");
      using M = decltype(bitsOf(T{}));
      std::vector<T> in = countUp<T>(kItems * 2 * m), out(kItems * 2 * n);
      std::vector<M> masks(kItems * n);
      std::mt19937_64 random(m * n);
      for (M& w : masks) w = M(random());  // bits beyond the size do not count
      Launch(program, "run")
          .range(kItems)
          .buffer(in)
          .buffer(masks)
          .buffer(out)
          .formsTakeTurns()
          .inEveryForm([&](const Outcome&) {
            for (size_t i = 0; i < kItems; ++i) {
              for (size_t k = 0; k < n; ++k) {
                const M w = masks[i * n + k];
                ASSERT_EQ(out[2 * i * n + k], in[2 * i * m + w % m]);
                ASSERT_EQ(out[(2 * i + 1) * n + k], in[2 * i * m + w % (2 * m)]);
              }
            }
          });
    }
  }
}

double halfValue(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 31  ? (fraction ? NAN : INFINITY)
                 : exponent == 0 ? std::ldexp(fraction, -24)
                                 : std::ldexp(fraction + 1024, exponent - 25);
  return bits >> 15 ? -value : value;
}

enum class Mode16 { Nearest, Zero, Up, Down };

/// The half that a mode gives, from the definition: count the units of the last place.
uint16_t roundToHalf(double value, Mode16 mode) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isinf(value)) return sign | 0x7c00;
  const double magnitude = std::abs(value);
  int exponent = std::max(magnitude == 0 ? -14 : std::ilogb(magnitude), -14);
  double units = std::ldexp(magnitude, 10 - exponent);
  const bool grows = mode == Mode16::Up ? !sign : mode == Mode16::Down && sign;
  double rounded = mode == Mode16::Nearest ? std::nearbyint(units)
                   : grows                 ? std::ceil(units)
                                           : std::floor(units);
  if (rounded == 2048) {
    rounded = 1024;
    ++exponent;
  }
  if (exponent > 15) return sign | (grows || mode == Mode16::Nearest ? 0x7c00 : 0x7bff);
  if (rounded < 1024) return sign | uint16_t(rounded);
  return sign | uint16_t((exponent + 15) << 10 | (int(rounded) - 1024));
}

/// Every half and what lies just beside and halfway between two of them, and numbers far away.
template <class T>
std::vector<T> valuesNearHalfs() {
  std::vector<T> values;
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const double low = halfValue(uint16_t(bits));
    const double high = bits == 0x7bff ? 65536 : halfValue(uint16_t(bits + 1));
    const T middle = T(low + (high - low) / 2);
    for (T v : {T(low), std::nextafter(T(low), T(1e6)), middle, std::nextafter(middle, T(0)),
                std::nextafter(middle, T(1e6))}) {
      values.push_back(bits % 2 ? -v : v);
    }
  }
  for (T v : edgeValues<T>()) values.push_back(v);
  for (double v : {1e-300, -1e-300, 1e300, -1e300, 65519.99, 65520.0, 65536.0, 1e-40, -1e-40}) {
    values.push_back(T(v));
  }
  while (values.size() % 48) values.push_back(T(1));
  return values;
}

template <class T>
class BuiltinsHalf : public testing::Test {
 protected:
  void SetUp() override { WEFT_TAKES_TURNS(); }
};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(BuiltinsHalf, FloatTypes);

TYPED_TEST(BuiltinsHalf, StoreRoundsInEveryMode) {
  using T = TypeParam;
  std::vector<T> in = valuesNearHalfs<T>();
  const std::string type = typeName<T>();
  struct Case {
    const char* suffix;
    Mode16 mode;
  };
  for (Case c :
       {Case{"", Mode16::Nearest}, Case{"_rte", Mode16::Nearest}, Case{"_rtz", Mode16::Zero},
        Case{"_rtp", Mode16::Up}, Case{"_rtn", Mode16::Down}}) {
    for (unsigned n : {1u, 2u, 3u, 4u, 8u, 16u}) {
      SCOPED_TRACE(std::string(c.suffix) + " size " + std::to_string(n));
      const std::string size = n == 1 ? "" : std::to_string(n);
      Program program =
          build("kernel void run(global const " + type + "* in, global half* out) " +
                "{\n  size_t i = get_global_id(0);\n  vstore_half" + size + c.suffix + "(" +
                (n == 1 ? "in[i]" : "vload" + size + "(i, in)") + ", i, out + 1);\n}\n");
      std::vector<uint16_t> out(in.size() + 2, 0x5555);
      Launch(program, "run")
          .range(in.size() / n)
          .buffer(in)
          .buffer(out)
          .formsTakeTurns()
          .inEveryForm([&](const Outcome&) {
            EXPECT_EQ(out.front(), 0x5555);
            EXPECT_EQ(out.back(), 0x5555);
            for (size_t i = 0; i < in.size(); ++i) {
              const uint16_t got = out[i + 1];
              if (std::isnan(in[i])) {
                ASSERT_GT(got & 0x7fff, 0x7c00);
              } else {
                ASSERT_EQ(got, roundToHalf(in[i], c.mode)) << std::hexfloat << in[i];
              }
            }
          });
    }
  }
}

// Aligned vectors of three stand four apart, and the fourth is not touched.
TYPED_TEST(BuiltinsHalf, StoreAligned) {
  using T = TypeParam;
  constexpr size_t kItems = 32;
  const std::string type = typeName<T>();
  for (const char* suffix : {"", "_rte", "_rtz", "_rtp", "_rtn"}) {
    for (unsigned n : {2u, 3u, 4u, 8u, 16u}) {
      SCOPED_TRACE(std::string(suffix) + " size " + std::to_string(n));
      const std::string size = std::to_string(n);
      const unsigned stride = n == 3 ? 4 : n;
      Program program =
          build("kernel void run(global const " + type + "* in, global half* out) {\n" +
                "  size_t i = get_global_id(0);\n  vstorea_half" + size + suffix + "(vload" + size +
                "(i, in), i, out);\n}\n");
      std::vector<T> in(kItems * n);
      std::iota(in.begin(), in.end(), T(0));
      std::vector<uint16_t> out(kItems * stride, 0x5555);
      Launch(program, "run")
          .range(kItems)
          .buffer(in)
          .buffer(out)
          .formsTakeTurns()
          .inEveryForm([&](const Outcome&) {
            for (size_t i = 0; i < out.size(); ++i) {
              const size_t item = i / stride, lane = i % stride;
              ASSERT_EQ(out[i],
                        lane < n ? roundToHalf(in[item * n + lane], Mode16::Nearest) : 0x5555);
            }
          });
    }
  }
}

TEST(BuiltinsLoadHalf, EveryPattern) {
  std::vector<uint16_t> in(0x10000 + 48);
  for (size_t i = 0; i < in.size(); ++i) in[i] = uint16_t(i);
  for (const char* name : {"vload_half", "vloada_half"}) {
    for (unsigned n : {1u, 2u, 3u, 4u, 8u, 16u}) {
      const bool aligned = name[5] == 'a';
      if (aligned && n == 1) continue;
      SCOPED_TRACE(std::string(name) + std::to_string(n));
      const std::string size = n == 1 ? "" : std::to_string(n);
      const unsigned stride = aligned && n == 3 ? 4 : n;
      std::string source =
          "kernel void run(global const half* in, constant half* table, global float* out) {\n"
          "  size_t i = get_global_id(0);\n  float" +
          size + " v = " + name + size + "(i, in);\n  float" + size + " w = " + name + size +
          "(i, table);\n  v = as_uint@(v) == as_uint@(w) ? v : 0;\n  " +
          (n == 1 ? "out[i] = v" : "vstore" + size + "(v, i, out)") + ";\n}\n";
      for (size_t at; (at = source.find('@')) != std::string::npos;) source.replace(at, 1, size);
      Program program = build(source);
      const size_t items = 0x10000 / stride;
      std::vector<uint16_t> table = in;
      std::vector<float> out(items * n);
      Launch(program, "run")
          .range(items)
          .buffer(in)
          .buffer(table)
          .buffer(out)
          .formsTakeTurns()
          .inEveryForm([&](const Outcome&) {
            for (size_t i = 0; i < out.size(); ++i) {
              const double wanted = halfValue(in[i / n * stride + i % n]);
              if (std::isnan(wanted)) {
                ASSERT_TRUE(std::isnan(out[i])) << i;
              } else {
                ASSERT_EQ(bitsOf(out[i]), bitsOf(float(wanted))) << i;
              }
            }
          });
    }
  }
}

}  // namespace
}  // namespace weft::test
