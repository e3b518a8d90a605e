// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpfr.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What the math functions of OpenCL C must compute: a list of all of them with the accuracy that
/// the full profile asks for, and their values from MPFR.
namespace weft::test::math {

/// Arguments and results. R is the real type, I int; results after the arrow, pointers last.
enum class Shape : uint8_t {
  R_R,    ///< R f(R)
  RR_R,   ///< R f(R, R)
  RRR_R,  ///< R f(R, R, R)
  RI_R,   ///< R f(R, int)
  R_I,    ///< int f(R)
  R_RR,   ///< R f(R, R*)
  R_RI,   ///< R f(R, int*)
  RR_RI,  ///< R f(R, R, int*)
};

/// Arguments of one call as MPFR numbers (exact).
struct Arguments {
  mpfr_srcptr a;
  mpfr_srcptr b;
  mpfr_srcptr c;
  long n;
};

/// Values of one call; `whole` is an int result or one through an int pointer.
struct Values {
  mpfr_ptr value;
  mpfr_ptr second;
  long whole;
};

/// One function. Accuracies are in ULP; 0.5 is correctly rounded, 0 exact.
struct Function {
  std::string_view name;
  Shape shape;
  double floatUlp;
  double doubleUlp;  ///< negative: there is no double version
  void (*reference)(const Arguments& in, Values& out);
  bool zeroSignFree = false;  ///< either zero is a right answer
  /// Beyond |x| = limit accuracy is not promised (half_ and native_ functions); 0: none.
  double limit = 0;
};

std::span<const Function> functions();
const Function* find(std::string_view name);

/// A half by its bits.
struct Half {
  uint16_t bits = 0;
  explicit operator double() const;
};

/// What distinguishes the real types; exponents as in std::numeric_limits.
struct Format {
  std::string_view name;
  int digits, minExponent, maxExponent;
};
template <class T>
inline constexpr Format kFormat{};
template <>
inline constexpr Format kFormat<Half>{"half", 11, -13, 16};
template <>
inline constexpr Format kFormat<float>{"float", 24, -125, 128};
template <>
inline constexpr Format kFormat<double>{"double", 53, -1021, 1024};

/// The accuracy asked of a function, negative where it has no form for the type. Of half more than
/// OpenCL C asks: one rounding of a result with bits to spare.
template <class T>
constexpr double allowedUlp(const Function& function) {
  if constexpr (sizeof(T) == 4) return function.floatUlp;
  if constexpr (sizeof(T) == 8) return function.doubleUlp;
  return function.doubleUlp > 0.5 ? 0.51 : function.doubleUlp;
}

/// Distance of a result from the true value in units of the format's last place. Infinite for a
/// wrong NaN, infinity or sign of zero.
double ulpError(double got, const Format& format, mpfr_srcptr expected, bool zeroSignFree);

/// OpenCL C of one kernel `test_<width>`: element arrays in order of arguments, then results.
std::string kernelSource(const Function& function, std::string_view type, unsigned width);

inline unsigned realArguments(Shape shape) {
  switch (shape) {
    case Shape::RR_R:
    case Shape::RR_RI:
      return 2;
    case Shape::RRR_R:
      return 3;
    case Shape::R_R:
    case Shape::RI_R:
    case Shape::R_I:
    case Shape::R_RR:
    case Shape::R_RI:
      return 1;
  }
  return 1;
}

}  // namespace weft::test::math
