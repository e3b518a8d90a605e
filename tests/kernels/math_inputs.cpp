// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math_inputs.h"

#include <bit>
#include <climits>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <type_traits>

namespace weft::test::math {
namespace {

constexpr mpfr_prec_t kPrecision = 240;
constexpr mpfr_prec_t kHalfPrecision = 100;

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

template <class T>
std::vector<T> wideEdgeCases() {
  using Limits = std::numeric_limits<T>;
  const T epsilon = Limits::epsilon();
  const T whole = 1 / epsilon;
  std::vector<T> positive = {0,
                             Limits::denorm_min(),
                             Limits::min() - Limits::denorm_min(),
                             Limits::min(),
                             epsilon,
                             T(0.25),
                             T(0.5) - epsilon / 4,
                             T(0.5),
                             T(0.75),
                             T(M_PI / 4),
                             1 - epsilon / 2,
                             1,
                             1 + epsilon,
                             T(1.5),
                             T(M_PI / 2),
                             2,
                             T(2.5),
                             T(M_E),
                             3,
                             T(M_PI),
                             4,
                             5,
                             T(10),
                             T(33.5),
                             T(88.72284),
                             T(103.97),
                             T(127),
                             T(128),
                             T(149.5),
                             T(709.7827),
                             T(745.2),
                             T(1024),
                             T(0x1.9a48dep+15),  // next to a multiple of pi/2
                             T(0x1.e03bf2p+15),
                             T(65537),
                             whole - T(0.5),
                             whole,
                             whole + 1,
                             2 * whole,
                             T(1e10),
                             T(1e30),
                             Limits::max() / 2,
                             Limits::max(),
                             Limits::infinity(),
                             Limits::quiet_NaN()};
  std::vector<T> all = positive;
  for (const T x : positive) all.push_back(-x);
  return all;
}

template <class T>
std::vector<T> edgeCases() {
  if constexpr (std::is_same_v<T, Half>) {
    // Zero, denormal numbers, around a quarter, a half, one, two and pi, whole numbers up to where
    // there are no others, the greatest, an infinity and a NaN.
    constexpr uint16_t kPositive[] = {
        0,      1,      2,      0x3ff,  0x400,  0x1400, 0x3400, 0x37ff, 0x3800, 0x3a00,
        0x3bff, 0x3c00, 0x3c01, 0x3e00, 0x4000, 0x4100, 0x4200, 0x4248, 0x4500, 0x4900,
        0x57ff, 0x5c00, 0x63ff, 0x6400, 0x6401, 0x6800, 0x7000, 0x7bff, 0x7c00, 0x7e00};
    std::vector<Half> all;
    for (const uint16_t bits : kPositive) {
      all.push_back({bits});
      all.push_back({static_cast<uint16_t>(bits | 0x8000)});
    }
    return all;
  } else {
    return wideEdgeCases<T>();
  }
}

constexpr int32_t kEdgeInts[] = {0,    1,     -1,    2,      -2,      3,      -3,   4,
                                 -5,   7,     -10,   23,     100,     126,    -149, -150,
                                 1023, -1074, 12345, -54321, INT_MAX, INT_MIN};

template <class T>
T ofBits(unsigned bits) {
  if constexpr (std::is_same_v<T, Half>) return {static_cast<uint16_t>(bits)};
  return T(bits);
}
template <class T>
constexpr T kOne = 1;
template <>
constexpr Half kOne<Half>{0x3c00};

/// Whether an operation may change the bits; OpenCL C knows quiet NaNs only.
template <class T>
bool isSignalling(T value) {
  if constexpr (std::is_same_v<T, Half>)
    return (value.bits & 0x7e00) == 0x7c00 && value.bits & 0x1ff;
  return false;
}

/// A third argument that leaves little of a product of the first two; of halves any will do.
template <class T>
T cancelling(T a, T b, T other) {
  if constexpr (std::is_same_v<T, Half>)
    return other;
  else
    return -a * b;
}

template <class T>
class Sampler {
 public:
  explicit Sampler(uint64_t seed) : engine_(seed) {}

  T next() {
    if constexpr (std::is_same_v<T, Half>)
      return {static_cast<uint16_t>(engine_())};
    else
      return nextWide();
  }
  T nextWide() {
    switch (engine_() % 8) {
      case 0:
      case 1:
        return std::bit_cast<T>(static_cast<Bits<T>>(engine_()));
      case 2:
        return 1 + uniform(-1, 1) * T(1) / T(16);
      case 3:
        return uniform(-1, 1);
      case 4:
        return uniform(-4, 4);
      case 5:
        return uniform(-40, 40);
      case 6:
        return uniform(-750, 750);
      default:
        return std::exp2(uniform(-30, 30)) * (engine_() & 1 ? 1 : -1);
    }
  }
  int32_t nextInt() {
    switch (engine_() % 4) {
      case 0:
        return static_cast<int32_t>(engine_());
      case 1:
        return static_cast<int32_t>(engine_() % 2400) - 1200;
      default:
        return static_cast<int32_t>(engine_() % 40) - 20;
    }
  }

 private:
  T uniform(double low, double high) {
    return static_cast<T>(std::uniform_real_distribution<double>(low, high)(engine_));
  }
  std::mt19937_64 engine_;
};

/// MPFR numbers of one call, made once.
class Scratch {
 public:
  explicit Scratch(mpfr_prec_t precision) {
    for (auto& number : numbers_) mpfr_init2(number, precision);
  }
  ~Scratch() {
    for (auto& number : numbers_) mpfr_clear(number);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  mpfr_ptr operator[](size_t i) { return numbers_[i]; }

 private:
  mpfr_t numbers_[5];
};

bool isDenormal(mpfr_srcptr value, const Format& format) {
  return mpfr_regular_p(value) && mpfr_get_exp(value) < format.minExponent + 1;
}

/// half_ and native_ functions may take denormal numbers for zeros. Results of any are, and what
/// the logarithm is taken of and what is divided by.
bool takesForZero(const Function& function, const Arguments& in, const Values& out, double value,
                  const Format& format) {
  const std::string_view name = function.name;
  if (!name.starts_with("native_") && !name.starts_with("half_")) return false;
  if (isDenormal(out.value, format) && std::fabs(value) <= std::ldexp(1.0, format.minExponent))
    return true;
  if (name.ends_with("divide")) return name == "native_divide" && isDenormal(in.b, format);
  return (name.contains("_log") || name.ends_with("powr")) && isDenormal(in.a, format);
}

/// Precision for exact sums and products of any two values.
constexpr mpfr_prec_t exactPrecision(Shape shape) {
  return shape == Shape::RRR_R ? 4400 : kPrecision;
}

}  // namespace

template <class T>
Inputs<T> makeInputs(const Function& function, size_t random, uint64_t seed) {
  Inputs<T> inputs;
  const unsigned reals = realArguments(function.shape);
  const bool ints = function.shape == Shape::RI_R;
  std::vector<T> edges = edgeCases<T>();
  // There are few enough halves to try all.
  if (std::is_same_v<T, Half> && reals == 1 && !ints) {
    edges.clear();
    for (unsigned bits = 0; bits < 0x10000; ++bits) edges.push_back(ofBits<T>(bits));
    random = 0;
  }
  Sampler<T> sampler(seed);
  const auto add = [&](T a, T b, T c, int32_t n) {
    if (function.limit != 0 && std::fabs(static_cast<double>(a)) > function.limit) return;
    // MPFR's NaN has no sign to copy.
    if (function.name == "copysign" && std::isnan(static_cast<double>(b))) return;
    if (isSignalling(a) || isSignalling(b) || isSignalling(c)) return;
    const T values[] = {a, b, c};
    for (unsigned i = 0; i < reals; ++i) inputs.real[i].push_back(values[i]);
    if (ints) inputs.whole.push_back(n);
  };
  for (const T a : edges) {
    if (ints) {
      for (const int32_t n : kEdgeInts) add(a, a, a, n);
    } else if (reals == 1) {
      add(a, a, a, 0);
    } else {
      for (const T b : edges) add(a, b, sampler.next(), 0);
    }
  }
  for (size_t i = 0; i < random; ++i) {
    const T a = sampler.next();
    const T b = sampler.next();
    add(a, b, i % 2 ? cancelling(a, b, sampler.next()) : sampler.next(), sampler.nextInt());
  }
  while (inputs.size() % 48 != 0) add(kOne<T>, kOne<T>, kOne<T>, 1);
  return inputs;
}

template <class T>
Worst judge(const Function& function, const Inputs<T>& inputs, const Results<T>& results) {
  Worst worst;
  Scratch scratch(sizeof(T) == 2 ? kHalfPrecision : kPrecision);
  const double allowed = allowedUlp<T>(function);
  const Format& format = kFormat<T>;
  const unsigned reals = realArguments(function.shape);
  if (function.shape == Shape::RRR_R) mpfr_set_prec(scratch[3], exactPrecision(function.shape));
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (unsigned k = 0; k < reals; ++k) {
      mpfr_set_d(scratch[k], static_cast<double>(inputs.real[k][i]), MPFR_RNDN);
    }
    Arguments in{scratch[0], scratch[1], scratch[2], inputs.whole.empty() ? 0 : inputs.whole[i]};
    Values out{scratch[3], scratch[4], 0};
    function.reference(in, out);
    const double value = results.value.empty() ? 0 : static_cast<double>(results.value[i]);
    const double second = results.second.empty() ? 0 : static_cast<double>(results.second[i]);
    double error = 0;
    if (function.shape != Shape::R_I) {
      error = ulpError(value, format, out.value, function.zeroSignFree);
      // fract stays below one even where the true value rounds to it.
      if (takesForZero(function, in, out, value, format)) error = 0;
      if (function.name == "fract" && error <= 1 && value < 1) error = 0;
    }
    if (!results.second.empty()) {
      error = std::max(error, ulpError(second, format, out.second, function.zeroSignFree));
    }
    if (!results.whole.empty() && results.whole[i] != out.whole) {
      const bool free =
          !std::isfinite(static_cast<double>(inputs.real[0][i])) && function.shape != Shape::R_I;
      if (!free) error = std::numeric_limits<double>::infinity();
    }
    if (error > allowed) ++worst.failures;
    if (error > worst.ulp || worst.text.empty()) {
      worst.ulp = error;
      worst.index = i;
      char text[400];
      std::snprintf(text, sizeof text,
                    "(%a, %a, %a, n=%ld) -> %a second %a whole %d, expected %a second %a whole %ld",
                    static_cast<double>(inputs.real[0][i]),
                    reals > 1 ? static_cast<double>(inputs.real[1][i]) : 0.0,
                    reals > 2 ? static_cast<double>(inputs.real[2][i]) : 0.0, in.n, value, second,
                    results.whole.empty() ? 0 : results.whole[i], mpfr_get_d(out.value, MPFR_RNDN),
                    mpfr_get_d(out.second, MPFR_RNDN), out.whole);
      worst.text = text;
    }
  }
  return worst;
}

template Inputs<Half> makeInputs<Half>(const Function&, size_t, uint64_t);
template Inputs<float> makeInputs<float>(const Function&, size_t, uint64_t);
template Inputs<double> makeInputs<double>(const Function&, size_t, uint64_t);
template Worst judge<Half>(const Function&, const Inputs<Half>&, const Results<Half>&);
template Worst judge<float>(const Function&, const Inputs<float>&, const Results<float>&);
template Worst judge<double>(const Function&, const Inputs<double>&, const Results<double>&);

}  // namespace weft::test::math
