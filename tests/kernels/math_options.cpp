// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "harness.h"

// What the build options that concern maths change, and what they leave alone.
namespace weft::test {
namespace {

constexpr const char* kRelaxed = "-cl-std=CL3.0 -cl-fast-relaxed-math";

/// Runs `r[i] = expression` for the elements of x (and y).
std::vector<float> evaluate(const std::string& expression, std::vector<float> x,
                            std::vector<float> y, std::string_view options,
                            std::string_view prologue = "") {
  std::vector<float> r(x.size());
  const std::string source =
      std::string(prologue) +
      "kernel void k(global const float* X, global const float* Y, global float* r) {\n"
      "  size_t i = get_global_id(0); float x = X[i], y = Y[i];\n  r[i] = " +
      expression + ";\n}\n";
  y.resize(x.size());
  Launch(build(source, options), "k")
      .range(x.size())
      .buffer(x)
      .buffer(y)
      .buffer(r)
      .inEveryForm([](const Outcome&) {});
  return r;
}
std::vector<float> evaluate(const std::string& expression, const std::vector<float>& x,
                            std::string_view options = "", std::string_view prologue = "") {
  return evaluate(expression, x, {}, options, prologue);
}

std::vector<float> between(double low, double high, size_t count = 4096) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(low + (high - low) * static_cast<double>(i) /
                                             static_cast<double>(count - 1));
  }
  return values;
}

double ulpOf(double value) { return std::ldexp(1.0, std::max(std::ilogb(value), -126) - 23); }

TEST(MathOptions, RelaxedTrigonometryIsWithinItsBounds) {
  const std::vector<float> x = between(-3.1415926, 3.1415926);
  const std::vector<float> s = evaluate("sin(x)", x, kRelaxed);
  const std::vector<float> c = evaluate("cos(x)", x, kRelaxed);
  const std::vector<float> sp = evaluate("sinpi(x)", between(-1, 1), kRelaxed);
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(s[i], std::sin(double(x[i])), 0x1p-11) << x[i];
    ASSERT_NEAR(c[i], std::cos(double(x[i])), 0x1p-11) << x[i];
    ASSERT_NEAR(sp[i], std::sin(M_PI * between(-1, 1)[i]), 0x1p-11);
  }
}

TEST(MathOptions, RelaxedExponentialsAreWithinTheirBounds) {
  const std::vector<float> x = between(-87, 88);
  const std::vector<float> e = evaluate("exp(x)", x, kRelaxed);
  const std::vector<float> e2 = evaluate("exp2(x)", x, kRelaxed);
  for (size_t i = 0; i < x.size(); ++i) {
    const double allowed = 3 + std::floor(std::fabs(2 * x[i]));
    const double exact = std::exp(double(x[i]));
    const double exact2 = std::exp2(double(x[i]));
    ASSERT_NEAR(e[i], exact, allowed * ulpOf(exact)) << x[i];
    ASSERT_NEAR(e2[i], exact2, allowed * ulpOf(exact2)) << x[i];
  }
}

TEST(MathOptions, RelaxedLogarithmsAndPowersAreWithinTheirBounds) {
  const std::vector<float> x = between(0.001, 50);
  const std::vector<float> y = between(-6, 6);
  const std::vector<float> l = evaluate("log(x)", x, kRelaxed);
  const std::vector<float> p = evaluate("pow(x, y)", x, y, kRelaxed);
  const std::vector<float> n = evaluate("pown(-x, 3)", x, kRelaxed);
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = std::log(double(x[i]));
    const double power = std::pow(double(x[i]), double(y[i]));
    const double cube = -std::pow(double(x[i]), 3);
    ASSERT_NEAR(l[i], exact, x[i] >= 0.5 && x[i] <= 2 ? 0x1p-21 : 3 * ulpOf(exact)) << x[i];
    ASSERT_NEAR(p[i], power, 8192 * ulpOf(power)) << x[i] << " " << y[i];
    ASSERT_NEAR(n[i], cube, 8192 * ulpOf(cube)) << x[i];
  }
}

// Relaxed functions are the fast ones, and only code that was compiled with the option gets them.
TEST(MathOptions, OnlyUnsafeCodeGetsRelaxedFunctions) {
  const std::vector<float> x = between(-3, 3);
  const std::vector<float> native = evaluate("native_exp(x)", x);
  EXPECT_EQ(evaluate("exp(x)", x, kRelaxed), native);
  EXPECT_EQ(evaluate("exp(x)", x, "-cl-std=CL3.0 -cl-unsafe-math-optimizations"), native);
  const std::vector<float> exact = evaluate("exp(x)", x);
  EXPECT_NE(exact, native);
  EXPECT_EQ(evaluate("exp(x)", x, "-cl-finite-math-only -cl-no-signed-zeros -cl-mad-enable"),
            exact);
}

// Twiddle factors of Fourier transforms are native sines: their error is that of the result.
TEST(MathOptions, NativeAndRelaxedSinesHave23Bits) {
  for (const double reach : {M_PI, 1000.0, 30000.0}) {
    const std::vector<float> x = between(-reach, reach, 1 << 16);
    for (const char* options : {"", kRelaxed})
      for (const std::string name : {"native_", "half_", ""}) {
        const std::vector<float> s = evaluate(name + "sin(x)", x, options);
        const std::vector<float> c = evaluate(name + "cos(x)", x, options);
        for (size_t i = 0; i < x.size(); ++i) {
          ASSERT_NEAR(s[i], std::sin(double(x[i])), 0x1p-23) << name << x[i];
          ASSERT_NEAR(c[i], std::cos(double(x[i])), 0x1p-23) << name << x[i];
        }
      }
  }
}

TEST(MathOptions, UnsafeMathReordersSums) {
  const std::vector<float> x = {1.0f, 2.0f, 3.0f};
  const char* kSum = "(x + 1e10f) - 1e10f";
  EXPECT_EQ(evaluate(kSum, x), std::vector<float>(3));
  EXPECT_EQ(evaluate(kSum, x, "-cl-unsafe-math-optimizations"), x);
}

TEST(MathOptions, FiniteMathAssumesNumbers) {
  const std::vector<float> x = {std::numeric_limits<float>::quiet_NaN(), 1.0f};
  const char* kIsNumber = "x == x ? 1.0f : 0.0f";
  EXPECT_EQ(evaluate(kIsNumber, x), (std::vector<float>{0, 1}));
  EXPECT_EQ(evaluate(kIsNumber, x, "-cl-finite-math-only"), (std::vector<float>{1, 1}));
}

TEST(MathOptions, NoSignedZerosDropsAdditionsOfZero) {
  const std::vector<float> x = {-0.0f, 1.0f};
  EXPECT_FALSE(std::signbit(evaluate("x + 0.0f", x)[0]));
  EXPECT_TRUE(std::signbit(evaluate("x + 0.0f", x, "-cl-no-signed-zeros")[0]));
}

// (1 + e)^2 - (1 + 2e) is e^2 when fused, else 0.
TEST(MathOptions, ContractionNeedsLeave) {
  const std::vector<float> x = {1.0f + 0x1p-13f};
  const std::vector<float> y = {1.0f + 0x1p-12f};
  EXPECT_EQ(evaluate("x * x - y", x, y, "", "#pragma OPENCL FP_CONTRACT OFF\n")[0], 0.0f);
  EXPECT_EQ(evaluate("fma(x, x, -y)", x, y, "")[0], 0x1p-26f);
  for (const char* options : {"", "-cl-mad-enable"}) {
    const float leave = evaluate("x * x - y", x, y, options)[0];
    EXPECT_TRUE(leave == 0.0f || leave == 0x1p-26f) << options;
  }
}

TEST(MathOptions, ContractionsRoundAlikeWhereverTheyAreComputed) {
  // Factors that are known where groups have known sizes, or loops are unrolled.
  const auto program = build(R"(
    kernel void k(global const float* in, global float* out) {
      int i = get_local_id(0); float sum = in[get_global_id(0)];
      sum = (float)i * -1.29f + sum;
      for (int j = 1; j < 4; ++j) sum = (float)(j * 7) * 0.37f + sum * in[j];
      out[get_global_id(0)] = sum;
    })");
  std::vector<float> in(64), out(64);
  for (size_t i = 0; i < in.size(); ++i) in[i] = 0.3F * static_cast<float>(i) + 0.1F;
  std::vector<float> expected;  // what the first form gives
  Launch(program, "k").range({64}, {16}).buffer(in).buffer(out).inEveryForm([&](const Outcome&) {
    if (expected.empty()) expected = out;
    EXPECT_EQ(out, expected);
  });
}

TEST(MathOptions, SinglePrecisionConstants) {
  const std::vector<float> x = {3.0f};
  EXPECT_EQ(evaluate("sizeof(x * 0.1)", x)[0], 8.0f);
  EXPECT_EQ(evaluate("sizeof(x * 0.1)", x, "-cl-single-precision-constant")[0], 4.0f);
  EXPECT_EQ(evaluate("x * 0.1", x, "-cl-single-precision-constant")[0], 3.0f * 0.1f);
}

TEST(MathOptions, DenormalNumbersAreKeptUnlessZero) {
  const std::vector<float> x = {0x1p-130f, -0x1p-149f};
  EXPECT_EQ(evaluate("x * 1.5f", x)[0], 0x1.8p-130f);
  const std::vector<float> flushed = evaluate("x * 1.5f", x, "-cl-denorms-are-zero");
  EXPECT_EQ(flushed, (std::vector<float>{0.0f, -0.0f}));
  // Functions that pass denormal numbers on their way are as right as before.
  const std::vector<float> y = between(0.5, 40);
  EXPECT_EQ(evaluate("exp(x) + erfc(x)", y, "-cl-denorms-are-zero"),
            evaluate("exp(x) + erfc(x)", y));
}

TEST(MathOptions, DivisionAndSquareRootAreCorrectlyRounded) {
  const std::vector<float> x = between(1e-3, 1e3);
  const std::vector<float> y = between(7, 0.3);
  for (const char* options : {"", "-cl-fp32-correctly-rounded-divide-sqrt"}) {
    const std::vector<float> quotient = evaluate("x / y", x, y, options);
    const std::vector<float> root = evaluate("sqrt(x)", x, options);
    for (size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(quotient[i], x[i] / y[i]) << options;
      ASSERT_EQ(root[i], std::sqrt(x[i])) << options;
    }
  }
}

}  // namespace
}  // namespace weft::test
