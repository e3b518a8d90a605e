// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "function_table.h"
#include "harness.h"
#include "math_inputs.h"
#include "math_reference.h"
#include "support/test_day.h"

// What the program allows for its own arithmetic does not reach into the library: its functions
// give the same bits as without the option, where the option leaves any meaning to them.
namespace weft::test {
namespace {

/// An option, and what programs built with it may not rely on.
struct Leave {
  std::string_view option;
  bool relaxes = false;        ///< some functions have shorter forms then
  bool finite = false;         ///< infinities and NaN
  bool signlessZeros = false;  ///< the sign of zeros
  bool zeroDenormals = false;
};
constexpr Leave kLeaves[] = {
    {.option = "-cl-fast-relaxed-math", .relaxes = true, .finite = true, .signlessZeros = true},
    {.option = "-cl-unsafe-math-optimizations", .relaxes = true, .signlessZeros = true},
    {.option = "-cl-finite-math-only", .finite = true},
    {.option = "-cl-mad-enable"},
    {.option = "-cl-no-signed-zeros", .signlessZeros = true},
    {.option = "-cl-denorms-are-zero", .zeroDenormals = true},
    {.option = "-cl-single-precision-constant"},
};

/// Functions of float that unsafe optimisations replace (builtins/math/relaxed.cl).
constexpr std::string_view kRelaxed[] = {"sin",   "cos",  "tan",   "sinpi", "cospi",
                                         "exp",   "exp2", "exp10", "log",   "log2",
                                         "log10", "pow",  "powr",  "pown",  "rootn"};

class LibraryUnder : public testing::TestWithParam<Leave> {
 protected:
  void SetUp() override { WEFT_TAKES_TURNS(); }
};

/// Whether a number is denormal or may have been so before it was rounded.
template <class T>
bool isDenormal(T value) {
  return value != T(0) && std::fabs(value) <= std::numeric_limits<T>::min();
}

/// Whether the option leaves no meaning to a number, as argument or result.
template <class T>
bool isExempt(T value, const Leave& leave) {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    return (leave.finite && !std::isfinite(value)) || (leave.zeroDenormals && isDenormal(value));
  }
}

template <class T>
bool isSame(T a, T b, const Leave& leave) {
  if constexpr (!std::is_integral_v<T>) {
    if (std::isnan(a) && std::isnan(b)) return true;
    if ((leave.signlessZeros || leave.zeroDenormals) && a == T(0) && b == T(0)) return true;
  }
  return bitsOf(a) == bitsOf(b);
}

/// Runs `run` of a source with arguments and result of some types, without and with an option, and
/// compares. Under the option in the reference form and in the most elaborate one.
template <class X, class R>
void compare(const std::string& source, const std::string& what, const Leave& leave,
             std::vector<X>& x, std::vector<X>& y, std::vector<X>& z) {
  SCOPED_TRACE(what);
  auto evaluate = [&](std::string_view options, bool last) {
    std::vector<R> r(x.size());
    const Program program = build(source, options);
    const compiler::KernelInfo* info = kernelInfo(program, "run");
    if (!info) return r;
    Launch launch(program, "run");
    launch.range(x.size()).buffer(x).buffer(y).buffer(z).buffer(r);
    const std::vector<Mode> modes = launch.modes();
    launch.in(last ? modes.back() : modes.front(), [](const Outcome&) {});
    return r;
  };
  const std::vector<R> plain = evaluate("-cl-std=CL3.0", false);
  for (const bool last : {false, true}) {
    const std::vector<R> got = evaluate("-cl-std=CL3.0 " + std::string(leave.option), last);
    size_t wrong = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      if (isExempt(x[i], leave) || isExempt(y[i], leave) || isExempt(z[i], leave) ||
          isExempt(plain[i], leave) || isSame(plain[i], got[i], leave))
        continue;
      if (++wrong <= 3)
        ADD_FAILURE() << std::hexfloat << "of " << +x[i] << ", " << +y[i] << ", " << +z[i] << ": "
                      << +got[i] << ", without the option " << +plain[i];
    }
    EXPECT_EQ(wrong, 0u) << "in all";
  }
}

template <class X, class R>
void compareExpression(const std::string& expression, const Leave& leave,
                       const std::string& prologue = "") {
  const std::string in = typeName<X>(), out = typeName<R>();
  std::vector<X> x = testValues<X>(1920, 1, 5), y = testValues<X>(1920, 7, 6),
                 z = testValues<X>(1920, 31, 7);
  compare<X, R>(prologue + "kernel void run(global const " + in + "* xs, global const " + in +
                    "* ys, global const " + in + "* zs, global " + out +
                    "* r) {\n  size_t i = get_global_id(0);\n  " + in +
                    " x = xs[i], y = ys[i], z = zs[i];\n  r[i] = " + expression + ";\n}\n",
                expression, leave, x, y, z);
}

/// One of the math functions, at the inputs of its own test. The second result is added in bits.
template <class T>
void compareMath(const math::Function& function, const Leave& leave) {
  using math::Shape;
  const std::string name(function.name), type = typeName<T>();
  const std::string bits = sizeof(T) == 4 ? "as_int" : "as_long";
  const std::string whole = sizeof(T) == 4 ? "int" : "long";
  std::string call;
  switch (function.shape) {
    case Shape::R_R:
      call = name + "(x)";
      break;
    case Shape::RR_R:
      call = name + "(x, y)";
      break;
    case Shape::RRR_R:
      call = name + "(x, y, z)";
      break;
    case Shape::RI_R:
      call = name + "(x, convert_int_sat(y))";
      break;
    case Shape::R_I:
      call = "(" + type + ")" + name + "(x)";
      break;
    case Shape::R_RR:
      call = name + "(x, &second)";
      break;
    case Shape::R_RI:
      call = name + "(x, &number)";
      break;
    case Shape::RR_RI:
      call = name + "(x, y, &number)";
      break;
  }
  math::Inputs<T> inputs = math::makeInputs<T>(function, 400, 77);
  for (auto& argument : inputs.real) argument.resize(inputs.size(), T(1.5));
  if (function.shape == Shape::RI_R)
    for (size_t i = 0; i < inputs.size(); ++i) inputs.real[1][i] = static_cast<T>(inputs.whole[i]);
  for (const bool second : {false, true}) {
    if (second && call.find('&') == std::string::npos) break;
    const std::string result = !second                                    ? "value"
                               : call.find("second") != std::string::npos ? "second"
                                                                          : "(" + type + ")number";
    compare<T, T>("kernel void run(global const " + type + "* xs, global const " + type +
                      "* ys, global const " + type + "* zs, global " + type +
                      "* r) {\n  size_t i = get_global_id(0);\n  " + type +
                      " x = xs[i], y = ys[i], z = zs[i], second = 0;\n  int number = 0;\n  " +
                      type + " value = " + call + ";\n  r[i] = " + result + ";\n}\n",
                  type + " " + call, leave, inputs.real[0], inputs.real[1], inputs.real[2]);
  }
}

TEST_P(LibraryUnder, MathOfFloat) {
  for (const math::Function& function : math::functions()) {
    if (GetParam().relaxes && std::ranges::find(kRelaxed, function.name) != std::end(kRelaxed))
      continue;
    // Without denormal numbers it divides, as an estimated reciprocal may be one.
    if (GetParam().zeroDenormals && function.name == "native_divide") continue;
    compareMath<float>(function, GetParam());
  }
}

TEST_P(LibraryUnder, MathOfDouble) {
  for (const math::Function& function : math::functions())
    if (function.doubleUlp >= 0) compareMath<double>(function, GetParam());
}

/// Conversions, where what is compared is a whole number or a rounding.
TEST_P(LibraryUnder, Conversions) {
  for (const char* rounding : {"", "_rte", "_rtz", "_rtp", "_rtn"}) {
    const std::string by = rounding;
    compareExpression<float, uint8_t>("convert_uchar_sat" + by + "(x)", GetParam());
    compareExpression<float, int32_t>("convert_int_sat" + by + "(x)", GetParam());
    compareExpression<double, uint32_t>("convert_uint_sat" + by + "(x)", GetParam());
    compareExpression<float, int64_t>("convert_long_sat" + by + "(x)", GetParam());
    compareExpression<double, uint64_t>("convert_ulong_sat" + by + "(x)", GetParam());
    compareExpression<int32_t, float>("convert_float" + by + "(x)", GetParam());
    compareExpression<uint64_t, float>("convert_float" + by + "(x)", GetParam());
    compareExpression<int64_t, double>("convert_double" + by + "(x)", GetParam());
    compareExpression<double, float>("convert_float" + by + "(x)", GetParam());
  }
}

TEST_P(LibraryUnder, Halves) {
  const std::string enable = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  for (const char* rounding : {"", "_rte", "_rtz", "_rtp", "_rtn"}) {
    const std::string by = rounding;
    const std::string convert = "as_ushort(convert_half" + by + "(x))";
    compareExpression<float, uint16_t>(convert, GetParam(), enable);
    compareExpression<double, uint16_t>(convert, GetParam(), enable);
    compareExpression<int32_t, uint16_t>(convert, GetParam(), enable);
    compareExpression<uint64_t, uint16_t>(convert, GetParam(), enable);
    const std::string store =
        "void store(float x, half* p) { vstore_half" + by + "(x, 0, p); }\n" +
        "ushort stored(float x) { ushort r; store(x, (half*)&r); return r; }\n";
    compareExpression<float, uint16_t>("stored(x)", GetParam(), store);
  }
  compareExpression<uint16_t, float>("vload_half(0, (half*)&x)", GetParam());
  for (const char* name : {"sqrt", "sin", "exp", "log", "cbrt", "rsqrt", "tgamma"})
    compareExpression<uint16_t, uint16_t>(
        "as_ushort(" + std::string(name) + "(as_half((ushort)(x & 0x7bff))))", GetParam(), enable);
  for (const char* name : {"fmod", "remainder", "pow", "hypot", "fdim"})
    compareExpression<uint16_t, uint16_t>(
        "as_ushort(" + std::string(name) +
            "(as_half((ushort)(x & 0x7bff)), as_half((ushort)(y & "
            "0x7bff))))",
        GetParam(), enable);
}

TEST_P(LibraryUnder, GeometryAndWholeNumbers) {
  for (const char* expression :
       {"length((float4)(x, y, z, x))", "distance((float2)(x, y), (float2)(z, x))",
        "normalize((float3)(x, y, z)).y", "mix(x, y, z)", "step(x, y)", "sign(x)",
        "clamp(x, -fabs(y), fabs(y))"})
    compareExpression<float, float>(expression, GetParam());
  // Squares of small numbers are denormal.
  if (!GetParam().zeroDenormals)
    for (const char* expression : {"fast_length((float2)(x, y))", "fast_distance(x, y)",
                                   "fast_normalize((float3)(x, y, z)).x"})
      compareExpression<float, float>(expression, GetParam());
  for (const char* expression : {"length((double2)(x, y))", "normalize((double3)(x, y, z)).y"})
    compareExpression<double, double>(expression, GetParam());
  for (const char* expression : {"mul_hi(x, y)", "mad_sat(x, y, z)", "mad_hi(x, y, z)",
                                 "hadd(x, y)", "clz(x)", "popcount(x)", "mul24(x >> 8, y >> 8)"})
    compareExpression<int32_t, int32_t>(expression, GetParam());
}

std::string nameOf(const testing::TestParamInfo<Leave>& info) {
  std::string name(info.param.option.substr(4));
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Options, LibraryUnder, testing::ValuesIn(kLeaves), nameOf);

}  // namespace
}  // namespace weft::test
