// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "harness.h"
#include "math_inputs.h"
#include "math_reference.h"
#include "support/test_day.h"

// Every math function against MPFR: the scalar form in every execution form within the accuracy
// that OpenCL C asks for, and every vector width equal to the scalar form bit for bit. Each test
// prints its worst error; docs/maths.md records them.
namespace weft::test {
namespace {

constexpr unsigned kWidths[] = {1, 2, 3, 4, 8, 16};

/// Random inputs of each function; WEFT_TEST_MATH_INPUTS asks for more than a quick run has.
size_t randomInputs() {
  const char* text = std::getenv("WEFT_TEST_MATH_INPUTS");
  return text ? std::strtoull(text, nullptr, 10) : 3000;
}

class MathTable : public testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override { WEFT_TAKES_TURNS(); }
};
class MathHalf : public MathTable {};
class MathFloat : public MathTable {};
class MathDouble : public MathTable {};

/// Which arrays a kernel of this shape takes, in order.
template <class T>
void addBuffers(Launch& launch, math::Shape shape, math::Inputs<T>& inputs,
                math::Results<T>& results) {
  using math::Shape;
  for (unsigned i = 0; i < math::realArguments(shape); ++i) launch.buffer(inputs.real[i]);
  if (shape == Shape::RI_R) launch.buffer(inputs.whole);
  if (shape != Shape::R_I) {
    results.value.resize(inputs.size());
    launch.buffer(results.value);
  }
  if (shape == Shape::R_RR) {
    results.second.resize(inputs.size());
    launch.buffer(results.second);
  }
  if (shape == Shape::R_I || shape == Shape::R_RI || shape == Shape::RR_RI) {
    results.whole.resize(inputs.size());
    launch.buffer(results.whole);
  }
}

/// Equal bits, where any NaN equals any other.
template <class T>
void expectSame(const std::vector<T>& scalar, const std::vector<T>& vector,
                const std::vector<T>& input) {
  ASSERT_EQ(scalar.size(), vector.size());
  for (size_t i = 0; i < scalar.size(); ++i) {
    const double a = static_cast<double>(scalar[i]);
    const double b = static_cast<double>(vector[i]);
    if (std::isnan(a) && std::isnan(b)) continue;
    ASSERT_EQ(std::memcmp(&scalar[i], &vector[i], sizeof(T)), 0)
        << "input " << i << ": f(" << static_cast<double>(input[i]) << ") is " << a
        << " at first and " << b << " in another width or form";
  }
}

template <class T>
void testFunction(const math::Function& function) {
  math::Inputs<T> inputs = math::makeInputs<T>(function, randomInputs(), 20240611);
  std::string source;
  for (const unsigned width : kWidths)
    source += kernelSource(function, math::kFormat<T>.name, width);
  const Program program = build(source);
  ASSERT_TRUE(program);
  math::Results<T> scalar;
  Launch launch(program, "test_1");
  // Which of two NaNs goes on is nobody's promise.
  launch.range(inputs.size()).unordered().formsTakeTurns();
  addBuffers(launch, function.shape, inputs, scalar);
  math::Results<T> first;
  launch.inEveryForm([&](const Outcome&) {
    if (first.value.empty() && first.whole.empty()) {
      first = scalar;
      return;
    }
    expectSame(first.value, scalar.value, inputs.real[0]);
    expectSame(first.second, scalar.second, inputs.real[0]);
    ASSERT_EQ(first.whole, scalar.whole);
  });
  ASSERT_FALSE(first.value.empty() && first.whole.empty());
  const math::Worst worst = judge(function, inputs, first);
  EXPECT_EQ(worst.failures, 0u) << "worst of them " << worst.ulp << " ulp: " << worst.text;
  std::printf("%-14s %-6s %8.3f ulp of %g\n", std::string(function.name).c_str(),
              std::string(math::kFormat<T>.name).c_str(), worst.ulp, math::allowedUlp<T>(function));
  for (const unsigned width : kWidths) {
    if (width == 1) continue;
    SCOPED_TRACE("vector width " + std::to_string(width));
    const std::string kernel = "test_" + std::to_string(width);
    const compiler::KernelInfo* info = kernelInfo(program, kernel);
    ASSERT_NE(info, nullptr);
    math::Results<T> vector;
    Launch wide(program, kernel);
    wide.range(inputs.size() / width);
    addBuffers(wide, function.shape, inputs, vector);
    wide.in(wide.modes().back(), [](const Outcome&) {});
    expectSame(first.value, vector.value, inputs.real[0]);
    expectSame(first.second, vector.second, inputs.real[0]);
    ASSERT_EQ(first.whole, vector.whole);
  }
}

TEST_P(MathHalf, Accuracy) { testFunction<math::Half>(*math::find(GetParam())); }
TEST_P(MathFloat, Accuracy) { testFunction<float>(*math::find(GetParam())); }
TEST_P(MathDouble, Accuracy) { testFunction<double>(*math::find(GetParam())); }

std::vector<std::string_view> names(bool withDouble) {
  std::vector<std::string_view> all;
  for (const math::Function& function : math::functions()) {
    if (!withDouble || function.doubleUlp >= 0) all.push_back(function.name);
  }
  return all;
}
std::string testName(const testing::TestParamInfo<std::string_view>& info) {
  return std::string(info.param);
}

INSTANTIATE_TEST_SUITE_P(Math, MathHalf, testing::ValuesIn(names(true)), testName);
INSTANTIATE_TEST_SUITE_P(Math, MathFloat, testing::ValuesIn(names(false)), testName);
INSTANTIATE_TEST_SUITE_P(Math, MathDouble, testing::ValuesIn(names(true)), testName);

// Result pointers in each address space, in both language versions: 1.2 names the overload of the
// address space, 3.0 with generic pointers the generic one.
TEST(MathPointers, EveryAddressSpace) {
  constexpr const char* kSource = R"(
    kernel void k(global const float* x, global float* r, local float* scratch) {
      size_t i = get_global_id(0);
      float whole;
      int exponent;
      r[8 * i] = fract(x[i], &whole);
      r[8 * i + 1] = whole;
      r[8 * i + 2] = modf(x[i], &r[8 * i + 3]);
      r[8 * i + 4] = frexp(x[i], &exponent);
      r[8 * i + 5] = exponent;
      r[8 * i + 6] = sincos(x[i], &scratch[get_local_id(0)]);
      r[8 * i + 7] = scratch[get_local_id(0)];
    })";
  std::vector<float> x = {0.0f, 1.5f, -2.75f, 100.25f, -0.5f, 3.0f, 7.125f, -9.0f};
  for (const char* options : {"-cl-std=CL1.2", "-cl-std=CL3.0"}) {
    SCOPED_TRACE(options);
    std::vector<float> r(8 * x.size());
    Launch(build(kSource, options), "k")
        .range({x.size()}, {4})
        .buffer(x)
        .buffer(r)
        .local(4 * sizeof(float))
        .inEveryForm([&](const Outcome&) {
          for (size_t i = 0; i < x.size(); ++i) {
            const float* got = &r[8 * i];
            int exponent = 0;
            EXPECT_EQ(got[0], x[i] - std::floor(x[i]));
            EXPECT_EQ(got[1], std::floor(x[i]));
            EXPECT_EQ(got[2], x[i] - std::trunc(x[i]));
            EXPECT_EQ(got[3], std::trunc(x[i]));
            EXPECT_EQ(got[4], std::frexp(x[i], &exponent));
            EXPECT_EQ(got[5], static_cast<float>(exponent));
            EXPECT_NEAR(got[6], std::sin(x[i]), 1e-6);
            EXPECT_NEAR(got[7], std::cos(x[i]), 1e-6);
          }
        });
  }
}

TEST(MathPointers, IntegerResultsInEveryAddressSpace) {
  constexpr const char* kSource = R"(
    kernel void k(global const double* x, global int* r, local int2* scratch) {
      size_t i = get_global_id(0);
      int sign, quotient;
      double2 v = (double2)(x[i], -x[i]);
      lgamma_r(x[i], &sign);
      r[8 * i] = sign;
      lgamma_r((float)x[i], &r[8 * i + 1]);
      remquo(x[i], 1.5, &quotient);
      r[8 * i + 2] = quotient;
      remquo((float)x[i], 1.5f, &r[8 * i + 3]);
      remquo(v, (double2)(1.5), &scratch[get_local_id(0)]);
      vstore2(scratch[get_local_id(0)], 0, &r[8 * i + 4]);
      frexp(v, &scratch[get_local_id(0)]);
      vstore2(scratch[get_local_id(0)], 0, &r[8 * i + 6]);
    })";
  std::vector<double> x = {0.5, 1.5, -2.75, 10.25, -0.5, 3.0, 7.125, -9.5};
  for (const char* options : {"-cl-std=CL1.2", "-cl-std=CL3.0"}) {
    SCOPED_TRACE(options);
    std::vector<int> r(8 * x.size());
    Launch(build(kSource, options), "k")
        .range({x.size()}, {4})
        .buffer(x)
        .buffer(r)
        .local(4 * 2 * sizeof(int))
        .inEveryForm([&](const Outcome&) {
          for (size_t i = 0; i < x.size(); ++i) {
            int quotient = 0;
            int exponent = 0;
            std::remquo(x[i], 1.5, &quotient);
            std::frexp(x[i], &exponent);
            const int sign = std::tgamma(x[i]) < 0 ? -1 : 1;
            const std::vector<int> expected = {sign,     sign,      quotient, quotient,
                                               quotient, -quotient, exponent, exponent};
            EXPECT_EQ(std::vector<int>(&r[8 * i], &r[8 * i] + 8), expected) << x[i];
          }
        });
  }
}

// Scalar second operands of vector functions, and nan with a code.
TEST(MathOverloads, ScalarOperandsAndNan) {
  constexpr const char* kSource = R"(
    kernel void k(global const float* x, global float* r, global uint* bits) {
      float4 v = vload4(0, x);
      vstore4(fmax(v, 1.0f), 0, r);
      vstore4(fmin(v, 1.0f), 1, r);
      vstore4(ldexp(v, 3), 2, r);
      bits[0] = as_uint(nan(5u));
      bits[1] = as_uint(nan((uint2)(0u, 7u)).y);
    })";
  std::vector<float> x = {0.5f, 2.0f, -1.0f, 8.0f};
  std::vector<float> r(12);
  std::vector<uint32_t> bits(2);
  Launch(build(kSource), "k")
      .range(1)
      .buffer(x)
      .buffer(r)
      .buffer(bits)
      .inEveryForm([&](const Outcome&) {
        for (size_t i = 0; i < 4; ++i) {
          EXPECT_EQ(r[i], std::fmax(x[i], 1.0f));
          EXPECT_EQ(r[4 + i], std::fmin(x[i], 1.0f));
          EXPECT_EQ(r[8 + i], 8 * x[i]);
        }
        EXPECT_EQ(bits[0], 0x7fc00005u);
        EXPECT_EQ(bits[1], 0x7fc00007u);
      });
}

// Exponents that stand in the program, against such that do not.
template <class T>
void testKnownExponents(const char* type) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  std::vector<T> x = {0,
                      static_cast<T>(-0.0),
                      1,
                      -1,
                      kInfinity,
                      -kInfinity,
                      std::numeric_limits<T>::quiet_NaN(),
                      std::numeric_limits<T>::max(),
                      std::numeric_limits<T>::min(),
                      std::numeric_limits<T>::denorm_min(),
                      static_cast<T>(1e-15),
                      static_cast<T>(-3e14)};
  for (int i = 1; i < 200; ++i)
    x.push_back(std::ldexp(static_cast<T>(i % 2 ? 1000 + i * 7 : -1000 - i * 7), i % 60 - 40));
  std::string known, found;
  for (int exponent = -2; exponent <= 5; ++exponent) {
    const std::string place = std::to_string(exponent + 2), e = std::to_string(exponent);
    known += "r[i * 16 + " + place + "] = pow(v, (T2)(" + e + ")).y;\n";
    known += "r[i * 16 + 8 + " + place + "] = pown(v.x, " + e + ");\n";
    found += "r[i * 16 + " + place + "] = pow(v, (T2)(" + e + " + zero)).y;\n";
    found += "r[i * 16 + 8 + " + place + "] = pown(v.x, " + e + " + zero);\n";
  }
  const auto powers = [&](const std::string& body) {
    std::vector<T> r(16 * x.size());
    const std::string source = std::string("typedef ") + type + " T; typedef " + type + R"(2 T2;
      kernel void k(global const T* x, global T* r, int zero) {
        size_t i = get_global_id(0);
        T2 v = (T2)(x[i]);
        )" + body + "}";
    Launch(build(source), "k")
        .range(x.size())
        .buffer(x)
        .buffer(r)
        .value(int{0})
        .inEveryForm([](const Outcome&) {});
    return r;
  };
  const std::vector<T> products = powers(known), functions = powers(found);
  for (size_t at = 0; at < products.size(); ++at) {
    SCOPED_TRACE(std::to_string(x[at / 16]) + " to the " + std::to_string(int(at % 8) - 2));
    if (!std::isfinite(functions[at]) || functions[at] == 0) {
      EXPECT_EQ(std::isnan(products[at]), std::isnan(functions[at]));
      if (std::isnan(functions[at])) continue;
      EXPECT_EQ(products[at], functions[at]);
      EXPECT_EQ(std::signbit(products[at]), std::signbit(functions[at]));
    } else {
      const T tolerance =
          3 * (std::nextafter(std::abs(functions[at]), kInfinity) - std::abs(functions[at]));
      EXPECT_NEAR(products[at], functions[at], tolerance);
    }
  }
}

TEST(MathPowers, KnownExponents) {
  testKnownExponents<float>("float");
  testKnownExponents<double>("double");
}

// The optimiser makes operations on halves of those on halves made wider.
TEST(MathOverloads, MinimaOfConvertedHalves) {
  constexpr const char* kSource = R"(
    kernel void k(global const half* x, global float* r, global char* c) {
      size_t i = get_global_id(0);
      float a = vload_half(i, x), b = vload_half(i + 1, x);
      r[2 * i] = fmin(a, b);
      r[2 * i + 1] = fmax(a, b);
      c[i] = convert_char_sat(a);
    })";
  std::vector<uint16_t> x = {0x3c00, 0x4000, 0xc200, 0x7e00, 0xfc00};  // 1, 2, -3, NaN, -inf
  std::vector<float> r(8);
  std::vector<int8_t> c(4);
  const float infinity = std::numeric_limits<float>::infinity();
  Launch(build(kSource), "k")
      .range(4)
      .buffer(x)
      .buffer(r)
      .buffer(c)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(r, (std::vector<float>{1, 2, -3, 2, -3, -3, -infinity, -infinity}));
        EXPECT_EQ(c, (std::vector<int8_t>{1, 2, -3, 0}));
      });
}

}  // namespace
}  // namespace weft::test
