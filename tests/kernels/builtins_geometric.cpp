// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/function_table.h"

// Geometric functions (OpenCL C 6.15.5) of float and double.
namespace weft::test {
namespace {

template <class T>
class BuiltinsGeometric : public testing::Test {
 protected:
  static constexpr size_t kItems = 512;
  static constexpr long double kEpsilon = std::numeric_limits<T>::epsilon();

  /// Results of one work-item, as the kernel stores them.
  struct Results {
    T dot, length, distance;
    T normal[4];
    T cross[4];
    T fastLength, fastDistance;
    T fastNormal[4];
  };
  static constexpr size_t kStride = sizeof(Results) / sizeof(T);

  static std::string source(unsigned n) {
    const std::string size = n == 1 ? "" : std::to_string(n);
    auto load = [&](const char* from) {
      return n == 1 ? std::string(from) + "[i]" : "vload" + size + "(i, " + from + ")";
    };
    auto store = [&](const std::string& value, unsigned at) {
      const std::string to = "r + " + std::to_string(at);
      return n == 1 ? "  *(" + to + ") = " + value + ";\n"
                    : "  vstore" + size + "(" + value + ", 0, " + to + ");\n";
    };
    std::string text =
        "kernel void run(global const T* a, global const T* b, global T* out) {\n"
        "  size_t i = get_global_id(0);\n"
        "  global T* r = out + i * 17;\n  VECTOR x = " +
        load("a") + ", y = " + load("b") +
        ";\n  r[0] = dot(x, y);\n  r[1] = length(x);\n  r[2] = distance(x, y);\n" +
        store("normalize(x)", 3) + (n >= 3 ? store("cross(x, y)", 7) : "");
    if (std::is_same_v<T, float>) {
      text += "  r[11] = fast_length(x);\n  r[12] = fast_distance(x, y);\n" +
              store("fast_normalize(x)", 13);
    }
    return text + "}\n";
  }

  /// Runs all functions on the vectors of n components in a and b.
  void run(unsigned n, std::vector<T>& a, std::vector<T>& b,
           const std::function<void(const T* x, const T* y, const Results&)>& check) {
    Program program =
        build(source(n), std::string("-DT=") + typeName<T>() + " -DVECTOR=" + typeName<T>() +
                             (n == 1 ? "" : std::to_string(n)));
    std::vector<T> out(a.size() / n * kStride);
    Launch(program, "run")
        .range(a.size() / n)
        .buffer(a)
        .buffer(b)
        .buffer(out)
        .formsTakeTurns()
        .inEveryForm([&](const Outcome&) {
          for (size_t i = 0; i < a.size() / n; ++i) {
            Results results;
            std::memcpy(&results, &out[i * kStride], sizeof results);
            SCOPED_TRACE("vector " + std::to_string(i) + " of " + std::to_string(n));
            check(&a[i * n], &b[i * n], results);
          }
        });
  }

  static long double norm(const T* x, unsigned n) {
    long double sum = 0;
    for (unsigned i = 0; i < n; ++i) sum += (long double)x[i] * x[i];
    return std::sqrt(sum);
  }

  static void expectNear(T got, long double wanted, long double tolerance, const char* what) {
    if (std::abs(wanted) > std::numeric_limits<T>::max()) wanted = T(wanted);
    if (got == wanted) return;
    EXPECT_LE(std::abs(got - wanted), tolerance + std::numeric_limits<T>::denorm_min())
        << what << ": " << got << " instead of " << double(wanted);
  }
};

using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(BuiltinsGeometric, FloatTypes);

TYPED_TEST(BuiltinsGeometric, OrdinaryVectors) {
  using T = TypeParam;
  constexpr long double kEpsilon = TestFixture::kEpsilon;
  for (unsigned n = 1; n <= 4; ++n) {
    std::mt19937_64 random(n);
    std::uniform_real_distribution<T> any(-100, 100);
    std::vector<T> a(this->kItems * n), b(this->kItems * n);
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] = any(random);
      b[i] = i % 5 == 0 ? a[i] : any(random);
    }
    this->run(n, a, b, [&](const T* x, const T* y, const auto& r) {
      long double dot = 0, magnitude = 0;
      T difference[4];
      for (unsigned k = 0; k < n; ++k) {
        dot += (long double)x[k] * y[k];
        magnitude += std::abs((long double)x[k] * y[k]);
        difference[k] = x[k] - y[k];
      }
      const long double length = this->norm(x, n), distance = this->norm(difference, n);
      this->expectNear(r.dot, dot, 4 * kEpsilon * magnitude, "dot");
      this->expectNear(r.length, length, 2 * kEpsilon * length, "length");
      this->expectNear(r.distance, distance, 4 * kEpsilon * (distance + 1), "distance");
      for (unsigned k = 0; k < n; ++k) {
        this->expectNear(r.normal[k], x[k] / length, 2 * kEpsilon, "normalize");
      }
      if (n >= 3) {
        for (unsigned k = 0; k < 3; ++k) {
          const unsigned u = (k + 1) % 3, v = (k + 2) % 3;
          this->expectNear(r.cross[k], (long double)x[u] * y[v] - (long double)x[v] * y[u],
                           4 * kEpsilon * 10000, "cross");
        }
        if (n == 4) EXPECT_EQ(r.cross[3], 0);
      }
      if (std::is_same_v<T, float>) {
        this->expectNear(r.fastLength, length, 8 * kEpsilon * length, "fast_length");
        this->expectNear(r.fastDistance, distance, 8 * kEpsilon * (distance + 1), "fast_distance");
        for (unsigned k = 0; k < n; ++k) {
          this->expectNear(r.fastNormal[k], x[k] / length, 16 * kEpsilon, "fast_normalize");
        }
      }
    });
  }
}

TYPED_TEST(BuiltinsGeometric, NoOverflowAndNoUnderflow) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  constexpr long double kEpsilon = TestFixture::kEpsilon;
  for (unsigned n = 1; n <= 4; ++n) {
    std::vector<T> a, b;
    for (T size : {Limits::max() / 4, Limits::min(), Limits::min() * 1000, std::sqrt(Limits::max()),
                   std::sqrt(Limits::min())}) {
      for (unsigned k = 0; k < n; ++k) {
        a.push_back(size * T(k + 1) / 4);
        b.push_back(0);
      }
    }
    this->run(n, a, b, [&](const T* x, const T*, const auto& r) {
      const long double length = this->norm(x, n);
      this->expectNear(r.length, length, 2 * kEpsilon * length, "length");
      this->expectNear(r.distance, length, 2 * kEpsilon * length, "distance");
      for (unsigned k = 0; k < n; ++k) {
        this->expectNear(r.normal[k], x[k] / length, 4 * kEpsilon, "normalize");
      }
    });
  }
}

// Components far apart: the small ones keep their bits, down to the least denormal.
TYPED_TEST(BuiltinsGeometric, NormalizeOfUnequalComponents) {
  using T = TypeParam;
  constexpr int kLow = std::numeric_limits<T>::min_exponent;
  constexpr int kHigh = std::numeric_limits<T>::max_exponent;
  for (unsigned n = 2; n <= 4; ++n) {
    std::mt19937_64 random(n);
    std::vector<T> a(this->kItems * n), b(a.size());
    for (T& v : a) {
      const int exponent = int(random() % unsigned(kHigh - kLow - 2)) + kLow;
      v = std::ldexp(T(1) + T(random() % 1000) / 1000, exponent);
    }
    this->run(n, a, b, [&](const T* x, const T*, const auto& r) {
      const long double length = this->norm(x, n);
      for (unsigned k = 0; k < n; ++k) {
        const long double wanted = x[k] / length;
        this->expectNear(r.normal[k], wanted, 4 * TestFixture::kEpsilon * wanted, "normalize");
      }
    });
  }
}

TYPED_TEST(BuiltinsGeometric, NormalizeOfZeroInfinityAndNan) {
  using T = TypeParam;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (unsigned n = 1; n <= 4; ++n) {
    std::vector<T> a, b;
    for (T first : {T(0), T(-0.0), inf, -inf, nan}) {
      for (unsigned k = 0; k < n; ++k) a.push_back(k == 0 ? first : std::isinf(first) ? -3 : 0);
    }
    b.resize(a.size());
    this->run(n, a, b, [&](const T* x, const T*, const auto& r) {
      for (unsigned k = 0; k < n; ++k) {
        if (std::isnan(x[0])) {
          EXPECT_TRUE(std::isnan(r.normal[k]));
        } else if (std::isinf(x[0])) {
          EXPECT_EQ(r.normal[k], k == 0 ? std::copysign(T(1), x[0]) : T(0));
        } else {
          EXPECT_EQ(bitsOf(r.normal[k]), bitsOf(x[k]));
        }
      }
    });
  }
}

}  // namespace
}  // namespace weft::test
