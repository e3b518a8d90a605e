// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math_reference.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>

namespace weft::test::math {
namespace {

using In = const Arguments&;
using Out = Values&;

template <int (*F)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
void unary(In in, Out out) {
  F(out.value, in.a, MPFR_RNDN);
}
template <int (*F)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
void binary(In in, Out out) {
  F(out.value, in.a, in.b, MPFR_RNDN);
}
template <int (*F)(mpfr_ptr, mpfr_srcptr)>
void rounding(In in, Out out) {
  F(out.value, in.a);
}

void gamma(In in, Out out) {
  // OpenCL leaves the poles to C: a NaN at negative integers, an infinity at zero.
  mpfr_gamma(out.value, in.a, MPFR_RNDN);
}
void logGamma(In in, Out out) {
  int sign = 0;
  mpfr_lgamma(out.value, &sign, in.a, MPFR_RNDN);
  const bool pole = mpfr_sgn(in.a) <= 0 && mpfr_integer_p(in.a);
  out.whole = mpfr_nan_p(in.a) || mpfr_inf_p(in.a) ? (mpfr_inf_p(in.a) ? 1 : 0) : sign;
  if (pole) out.whole = 0;
}
void rsqrt(In in, Out out) {
  mpfr_rec_sqrt(out.value, in.a, MPFR_RNDN);
  if (mpfr_zero_p(in.a)) mpfr_set_inf(out.value, mpfr_signbit(in.a) ? -1 : 1);
}
void reciprocal(In in, Out out) { mpfr_ui_div(out.value, 1, in.a, MPFR_RNDN); }
void fdim(In in, Out out) {
  if (mpfr_unordered_p(in.a, in.b)) return mpfr_set_nan(out.value);
  if (mpfr_lessequal_p(in.a, in.b)) return mpfr_set_zero(out.value, 1);
  mpfr_sub(out.value, in.a, in.b, MPFR_RNDN);
}
void copySign(In in, Out out) { mpfr_copysign(out.value, in.a, in.b, MPFR_RNDN); }
void magnitudeExtreme(In in, Out out, bool greatest) {
  if (mpfr_nan_p(in.a) || mpfr_nan_p(in.b) || mpfr_cmpabs(in.a, in.b) == 0) {
    (greatest ? mpfr_max : mpfr_min)(out.value, in.a, in.b, MPFR_RNDN);
    return;
  }
  const bool takeFirst = (mpfr_cmpabs(in.a, in.b) > 0) == greatest;
  mpfr_set(out.value, takeFirst ? in.a : in.b, MPFR_RNDN);
}
void maxmag(In in, Out out) { magnitudeExtreme(in, out, true); }
void minmag(In in, Out out) { magnitudeExtreme(in, out, false); }
void fma(In in, Out out) { mpfr_fma(out.value, in.a, in.b, in.c, MPFR_RNDN); }

void pown(In in, Out out) { mpfr_pow_si(out.value, in.a, in.n, MPFR_RNDN); }
void rootn(In in, Out out) { mpfr_rootn_si(out.value, in.a, in.n, MPFR_RNDN); }
void powr(In in, Out out) {
  // OpenCL C passes every NaN on, IEEE 754 makes an exception for a base of 1.
  if (mpfr_nan_p(in.a) || mpfr_nan_p(in.b)) return mpfr_set_nan(out.value);
  mpfr_powr(out.value, in.a, in.b, MPFR_RNDN);
}
void ldexp(In in, Out out) { mpfr_mul_2si(out.value, in.a, in.n, MPFR_RNDN); }

void ilogb(In in, Out out) {
  if (mpfr_zero_p(in.a)) {
    out.whole = INT_MIN;
  } else if (mpfr_number_p(in.a)) {
    out.whole = mpfr_get_exp(in.a) - 1;
  } else {
    out.whole = INT_MAX;
  }
}
void logb(In in, Out out) {
  if (mpfr_nan_p(in.a)) return mpfr_set_nan(out.value);
  if (mpfr_inf_p(in.a)) return mpfr_set_inf(out.value, 1);
  if (mpfr_zero_p(in.a)) return mpfr_set_inf(out.value, -1);
  mpfr_set_si(out.value, mpfr_get_exp(in.a) - 1, MPFR_RNDN);
}
void frexp(In in, Out out) {
  mpfr_exp_t exponent = 0;
  if (!mpfr_number_p(in.a) || mpfr_zero_p(in.a)) {
    mpfr_set(out.value, in.a, MPFR_RNDN);
  } else {
    mpfr_frexp(&exponent, out.value, in.a, MPFR_RNDN);
  }
  out.whole = exponent;
}
void modf(In in, Out out) { mpfr_modf(out.second, out.value, in.a, MPFR_RNDN); }
void fract(In in, Out out) {
  mpfr_floor(out.second, in.a);
  if (mpfr_inf_p(in.a)) return mpfr_set_zero(out.value, mpfr_signbit(in.a) ? -1 : 1);
  mpfr_sub(out.value, in.a, out.second, MPFR_RNDN);
  if (mpfr_zero_p(out.value))
    mpfr_set_zero(out.value, mpfr_zero_p(in.a) && mpfr_signbit(in.a) ? -1 : 1);
}
void sincos(In in, Out out) { mpfr_sin_cos(out.value, out.second, in.a, MPFR_RNDN); }
void fmod(In in, Out out) { mpfr_fmod(out.value, in.a, in.b, MPFR_RNDN); }
void remainder(In in, Out out) { mpfr_remainder(out.value, in.a, in.b, MPFR_RNDN); }
void remquo(In in, Out out) {
  long quotient = 0;
  mpfr_remquo(out.value, &quotient, in.a, in.b, MPFR_RNDN);
  out.whole = mpfr_nan_p(out.value) ? 0 : (quotient < 0 ? -(-quotient & 0x7f) : quotient & 0x7f);
}

constexpr double kNative =
    4;  // implementation-defined, but for half_, where OpenCL C asks for 8192

constexpr Function kFunctions[] = {
    {"acos", Shape::R_R, 4, 4, unary<mpfr_acos>},
    {"acosh", Shape::R_R, 4, 4, unary<mpfr_acosh>},
    {"acospi", Shape::R_R, 5, 5, unary<mpfr_acospi>},
    {"asin", Shape::R_R, 4, 4, unary<mpfr_asin>},
    {"asinh", Shape::R_R, 4, 4, unary<mpfr_asinh>},
    {"asinpi", Shape::R_R, 5, 5, unary<mpfr_asinpi>},
    {"atan", Shape::R_R, 5, 5, unary<mpfr_atan>},
    {"atan2", Shape::RR_R, 6, 6, binary<mpfr_atan2>},
    {"atanh", Shape::R_R, 5, 5, unary<mpfr_atanh>},
    {"atanpi", Shape::R_R, 5, 5, unary<mpfr_atanpi>},
    {"atan2pi", Shape::RR_R, 6, 6, binary<mpfr_atan2pi>},
    {"cbrt", Shape::R_R, 2, 2, unary<mpfr_cbrt>},
    {"ceil", Shape::R_R, 0, 0, rounding<mpfr_ceil>},
    {"copysign", Shape::RR_R, 0, 0, copySign},
    {"cos", Shape::R_R, 4, 4, unary<mpfr_cos>},
    {"cosh", Shape::R_R, 4, 4, unary<mpfr_cosh>},
    {"cospi", Shape::R_R, 4, 4, unary<mpfr_cospi>},
    {"erf", Shape::R_R, 16, 16, unary<mpfr_erf>},
    {"erfc", Shape::R_R, 16, 16, unary<mpfr_erfc>},
    {"exp", Shape::R_R, 3, 3, unary<mpfr_exp>},
    {"exp2", Shape::R_R, 3, 3, unary<mpfr_exp2>},
    {"exp10", Shape::R_R, 3, 3, unary<mpfr_exp10>},
    {"expm1", Shape::R_R, 3, 3, unary<mpfr_expm1>},
    {"fabs", Shape::R_R, 0, 0, unary<mpfr_abs>},
    {"fdim", Shape::RR_R, 0.5, 0.5, fdim},
    {"floor", Shape::R_R, 0, 0, rounding<mpfr_floor>},
    {"fma", Shape::RRR_R, 0.5, 0.5, fma, true},
    {"fmax", Shape::RR_R, 0, 0, binary<mpfr_max>, true},
    {"fmin", Shape::RR_R, 0, 0, binary<mpfr_min>, true},
    {"fmod", Shape::RR_R, 0, 0, fmod},
    {"fract", Shape::R_RR, 0.5, 0.5, fract, true},
    {"frexp", Shape::R_RI, 0, 0, frexp},
    {"hypot", Shape::RR_R, 4, 4, binary<mpfr_hypot>},
    {"ilogb", Shape::R_I, 0, 0, ilogb},
    {"ldexp", Shape::RI_R, 0.5, 0.5, ldexp},
    {"lgamma", Shape::R_R, 1e6, 1e12, logGamma, true},
    {"lgamma_r", Shape::R_RI, 1e6, 1e12, logGamma, true},
    {"log", Shape::R_R, 3, 3, unary<mpfr_log>},
    {"log2", Shape::R_R, 3, 3, unary<mpfr_log2>},
    {"log10", Shape::R_R, 3, 3, unary<mpfr_log10>},
    {"log1p", Shape::R_R, 2, 2, unary<mpfr_log1p>},
    {"logb", Shape::R_R, 0, 0, logb},
    {"maxmag", Shape::RR_R, 0, 0, maxmag, true},
    {"minmag", Shape::RR_R, 0, 0, minmag, true},
    {"modf", Shape::R_RR, 0, 0, modf},
    {"pow", Shape::RR_R, 16, 16, binary<mpfr_pow>},
    {"pown", Shape::RI_R, 16, 16, pown},
    {"powr", Shape::RR_R, 16, 16, powr},
    {"remainder", Shape::RR_R, 0, 0, remainder},
    {"remquo", Shape::RR_RI, 0, 0, remquo},
    {"rint", Shape::R_R, 0, 0, rounding<mpfr_roundeven>},
    {"rootn", Shape::RI_R, 16, 16, rootn},
    {"round", Shape::R_R, 0, 0, rounding<mpfr_round>},
    {"rsqrt", Shape::R_R, 2, 2, rsqrt},
    {"sin", Shape::R_R, 4, 4, unary<mpfr_sin>},
    {"sincos", Shape::R_RR, 4, 4, sincos},
    {"sinh", Shape::R_R, 4, 4, unary<mpfr_sinh>},
    {"sinpi", Shape::R_R, 4, 4, unary<mpfr_sinpi>},
    {"sqrt", Shape::R_R, 0.5, 0.5, unary<mpfr_sqrt>},
    {"tan", Shape::R_R, 5, 5, unary<mpfr_tan>},
    {"tanh", Shape::R_R, 5, 5, unary<mpfr_tanh>},
    {"tanpi", Shape::R_R, 6, 6, unary<mpfr_tanpi>, true},
    {"tgamma", Shape::R_R, 16, 16, gamma},
    {"trunc", Shape::R_R, 0, 0, rounding<mpfr_trunc>},
    {"half_cos", Shape::R_R, kNative, -1, unary<mpfr_cos>, true, 65536},
    {"half_divide", Shape::RR_R, kNative, -1, binary<mpfr_div>},
    {"half_exp", Shape::R_R, kNative, -1, unary<mpfr_exp>},
    {"half_exp2", Shape::R_R, kNative, -1, unary<mpfr_exp2>},
    {"half_exp10", Shape::R_R, kNative, -1, unary<mpfr_exp10>},
    {"half_log", Shape::R_R, kNative, -1, unary<mpfr_log>},
    {"half_log2", Shape::R_R, kNative, -1, unary<mpfr_log2>},
    {"half_log10", Shape::R_R, kNative, -1, unary<mpfr_log10>},
    {"half_powr", Shape::RR_R, kNative, -1, powr},
    {"half_recip", Shape::R_R, kNative, -1, reciprocal},
    {"half_rsqrt", Shape::R_R, kNative, -1, rsqrt},
    {"half_sin", Shape::R_R, kNative, -1, unary<mpfr_sin>, true, 65536},
    {"half_sqrt", Shape::R_R, kNative, -1, unary<mpfr_sqrt>},
    {"half_tan", Shape::R_R, kNative, -1, unary<mpfr_tan>, true, 65536},
    {"native_cos", Shape::R_R, kNative, -1, unary<mpfr_cos>, true, 65536},
    // A reciprocal that is denormal has fewer bits.
    {"native_divide", Shape::RR_R, 8, -1, binary<mpfr_div>},
    {"native_exp", Shape::R_R, kNative, -1, unary<mpfr_exp>},
    {"native_exp2", Shape::R_R, kNative, -1, unary<mpfr_exp2>},
    {"native_exp10", Shape::R_R, kNative, -1, unary<mpfr_exp10>},
    {"native_log", Shape::R_R, kNative, -1, unary<mpfr_log>},
    {"native_log2", Shape::R_R, kNative, -1, unary<mpfr_log2>},
    {"native_log10", Shape::R_R, kNative, -1, unary<mpfr_log10>},
    {"native_powr", Shape::RR_R, kNative, -1, powr},
    {"native_recip", Shape::R_R, kNative, -1, reciprocal},
    {"native_rsqrt", Shape::R_R, kNative, -1, rsqrt},
    {"native_sin", Shape::R_R, kNative, -1, unary<mpfr_sin>, true, 65536},
    {"native_sqrt", Shape::R_R, kNative, -1, unary<mpfr_sqrt>},
    {"native_tan", Shape::R_R, kNative, -1, unary<mpfr_tan>, true, 65536},
};

/// Element-wise moves between arrays and a vector: independent of vload and vstore.
std::string load(std::string_view type, unsigned width, std::string_view array) {
  std::string text = "(" + std::string(type) + (width > 1 ? std::to_string(width) : "") + ")(";
  for (unsigned lane = 0; lane < width; ++lane) {
    text += (lane ? ", " : "") + std::string(array) + "[i * " + std::to_string(width) + " + " +
            std::to_string(lane) + "]";
  }
  return text + ")";
}
std::string store(unsigned width, std::string_view array, std::string_view vector) {
  std::string text;
  for (unsigned lane = 0; lane < width; ++lane) {
    text += "  " + std::string(array) + "[i * " + std::to_string(width) + " + " +
            std::to_string(lane) + "] = " + std::string(vector);
    if (width > 1) text += std::string(".s") + "0123456789abcdef"[lane];
    text += ";\n";
  }
  return text;
}

}  // namespace

std::span<const Function> functions() { return kFunctions; }

const Function* find(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &Function::name);
  return found == std::end(kFunctions) ? nullptr : found;
}

Half::operator double() const {
  const int exponent = bits >> 10 & 0x1f;
  const double fraction = bits & 0x3ff;
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 0x1f) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  }
  return std::copysign(value, bits & 0x8000 ? -1.0 : 1.0);
}

double ulpError(double got, const Format& format, mpfr_srcptr expected, bool zeroSignFree) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (mpfr_nan_p(expected) || std::isnan(got)) {
    return mpfr_nan_p(expected) && std::isnan(got) ? 0 : kWrong;
  }
  const bool negative = mpfr_signbit(expected);
  if (mpfr_inf_p(expected)) return std::isinf(got) && std::signbit(got) == negative ? 0 : kWrong;
  if (mpfr_zero_p(expected)) {
    return got == 0 && (zeroSignFree || std::signbit(got) == negative) ? 0 : kWrong;
  }
  const long exponent = std::max<long>(mpfr_get_exp(expected), format.minExponent);
  mpfr_t distance;
  mpfr_init2(distance, 256);
  if (std::isinf(got)) {
    mpfr_set_si_2exp(distance, std::signbit(got) ? -1 : 1, format.maxExponent, MPFR_RNDN);
    // Whatever rounds to an infinity may be one.
    if (std::signbit(got) == negative && mpfr_get_exp(expected) > format.maxExponent) {
      mpfr_set(distance, expected, MPFR_RNDN);
    }
  } else {
    mpfr_set_d(distance, got, MPFR_RNDN);
  }
  mpfr_sub(distance, distance, expected, MPFR_RNDN);
  mpfr_mul_2si(distance, distance, format.digits - exponent, MPFR_RNDN);
  const double error = std::fabs(mpfr_get_d(distance, MPFR_RNDN));
  mpfr_clear(distance);
  return error;
}

std::string kernelSource(const Function& function, std::string_view type, unsigned width) {
  const std::string suffix = width > 1 ? std::to_string(width) : "";
  const std::string real(type);
  const Shape shape = function.shape;
  const bool intArgument = shape == Shape::RI_R;
  const bool intResult = shape == Shape::R_I;
  const bool intPointer = shape == Shape::R_RI || shape == Shape::RR_RI;
  const bool realPointer = shape == Shape::R_RR;
  std::string parameters;
  std::string arguments;
  const char* names[] = {"a", "b", "c"};
  for (unsigned i = 0; i < realArguments(shape); ++i) {
    parameters += "global const " + real + "* " + names[i] + ", ";
    arguments += (i ? ", " : "") + load(real, width, names[i]);
  }
  if (intArgument) {
    parameters += "global const int* n, ";
    arguments += ", " + load("int", width, "n");
  }
  const std::string result = intResult ? "int" : real;
  const std::string second = intPointer ? "int" : real;
  parameters += "global " + result + "* r";
  if (intPointer || realPointer) {
    parameters += ", global " + second + "* s";
    arguments += ", &second";
  }
  std::string text = type == "half" ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
  text += "kernel void test_" + std::to_string(width) + "(" + parameters + ") {\n";
  text += "  size_t i = get_global_id(0);\n";
  if (intPointer || realPointer) text += "  " + second + suffix + " second;\n";
  text +=
      "  " + result + suffix + " value = " + std::string(function.name) + "(" + arguments + ");\n";
  text += store(width, "r", "value");
  if (intPointer || realPointer) text += store(width, "s", "second");
  return text + "}\n";
}

}  // namespace weft::test::math
