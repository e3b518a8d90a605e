// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <type_traits>

#include "kernels/function_table.h"

// Common and relational functions (OpenCL C 6.15.4 and 6.15.6) of float and double.
namespace weft::test {
namespace {

constexpr size_t kCount = 48 * 40;
const std::vector<unsigned> kScalar = {1};
const std::vector<unsigned> kVectors = {2, 3, 4, 8, 16};

template <class T>
class BuiltinsFloat : public testing::Test {
 protected:
  // What relational functions of vectors give: an integer as wide as the components.
  using I = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  using U = std::make_unsigned_t<I>;
  using Table = FunctionTable<T>;

  BuiltinsFloat()
      : table_(testValues<T>(kCount, 1, 21), testValues<T>(kCount, 7, 22),
               testValues<T>(kCount, 13, 23)) {}

  template <class R = T, class F>
  void add(const std::string& expression, F reference, double ulps = 0) {
    table_.template add<R>(
        expression, [=](T x, T y, T z) -> std::optional<R> { return reference(x, y, z); }, ulps);
  }

  /// A predicate: 1 for scalars and -1 for components of vectors.
  template <class R, class F>
  void addPredicate(const char* expression, R yes, F predicate) {
    add<R>(expression, [=](T x, T y, T) { return predicate(x, y) ? yes : R(0); });
  }

  template <class R>
  void addRelations(R yes) {
    addPredicate<R>("isequal(x, y)", yes, [](T x, T y) { return x == y; });
    addPredicate<R>("isnotequal(x, y)", yes, [](T x, T y) { return x != y; });
    addPredicate<R>("isgreater(x, y)", yes, [](T x, T y) { return x > y; });
    addPredicate<R>("isgreaterequal(x, y)", yes, [](T x, T y) { return x >= y; });
    addPredicate<R>("isless(x, y)", yes, [](T x, T y) { return x < y; });
    addPredicate<R>("islessequal(x, y)", yes, [](T x, T y) { return x <= y; });
    addPredicate<R>("islessgreater(x, y)", yes, [](T x, T y) { return x < y || x > y; });
    addPredicate<R>("isordered(x, y)", yes,
                    [](T x, T y) { return !std::isnan(x) && !std::isnan(y); });
    addPredicate<R>("isunordered(x, y)", yes,
                    [](T x, T y) { return std::isnan(x) || std::isnan(y); });
    addPredicate<R>("isfinite(x)", yes, [](T x, T) { return std::isfinite(x); });
    addPredicate<R>("isinf(x)", yes, [](T x, T) { return std::isinf(x); });
    addPredicate<R>("isnan(x)", yes, [](T x, T) { return std::isnan(x); });
    addPredicate<R>("isnormal(x)", yes, [](T x, T) { return std::isnormal(x); });
    addPredicate<R>("signbit(x)", yes, [](T x, T) { return std::signbit(x); });
  }

  Table table_;
};

using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(BuiltinsFloat, FloatTypes);

TYPED_TEST(BuiltinsFloat, RelationsOfScalars) {
  this->template addRelations<int32_t>(1);
  this->table_.run(kScalar);
}

TYPED_TEST(BuiltinsFloat, RelationsOfVectors) {
  this->template addRelations<typename TestFixture::I>(-1);
  this->table_.run(kVectors);
}

TYPED_TEST(BuiltinsFloat, RangesAndSteps) {
  WEFT_NEEDS_SOURCE("max and min become fmax and fmin, which choose between zeros");
  using T = TypeParam;
  // Results with NaN are undefined.
  auto ordered = [](auto function) {
    return [=](T x, T y, T z) -> std::optional<T> {
      if (std::isnan(x) || std::isnan(y) || std::isnan(z)) return std::nullopt;
      return function(x, y, z);
    };
  };
  const std::string type = typeName<T>();
  auto& table = this->table_;
  table.template add<T>("max(x, y)", ordered([](T x, T y, T) { return x < y ? y : x; }));
  table.template add<T>("min(x, y)", ordered([](T x, T y, T) { return y < x ? y : x; }));
  table.template add<T>("max(x, (" + type + ")1.5)",
                        ordered([](T x, T, T) { return std::max(x, T(1.5)); }));
  table.template add<T>("min(x, (" + type + ")1.5)",
                        ordered([](T x, T, T) { return std::min(x, T(1.5)); }));
  table.template add<T>("clamp(x, min(y, z), max(y, z))", ordered([](T x, T y, T z) {
                          return std::min(std::max(x, std::min(y, z)), std::max(y, z));
                        }));
  table.template add<T>("clamp(x, (" + type + ")-1.5, (" + type + ")1.5)",
                        ordered([](T x, T, T) { return std::clamp(x, T(-1.5), T(1.5)); }));
  table.template add<T>("step(x, y)", ordered([](T x, T y, T) { return y < x ? T(0) : T(1); }));
  table.template add<T>("step((" + type + ")0.5, y)",
                        ordered([](T, T y, T) { return y < T(0.5) ? T(0) : T(1); }));
  table.run();
}

TYPED_TEST(BuiltinsFloat, SignAndAngles) {
  using T = TypeParam;
  this->add("sign(x)", [](T x, T, T) {
    return std::isnan(x) ? T(0) : x == 0 ? x : std::copysign(T(1), x);
  });
  auto scale = [](long double factor) {
    return [=](T x, T, T) -> std::optional<T> {
      long double exact = x * factor;
      bool leavesRange = std::abs(exact) > std::numeric_limits<T>::max() ||
                         std::abs(exact) < std::numeric_limits<T>::min();
      return std::isfinite(x) && x != 0 && leavesRange ? std::nullopt : std::optional<T>(T(exact));
    };
  };
  this->table_.template add<T>("degrees(x)", scale(180 / std::numbers::pi_v<long double>), 2);
  this->table_.template add<T>("radians(x)", scale(std::numbers::pi_v<long double> / 180), 2);
  this->table_.run();
}

TYPED_TEST(BuiltinsFloat, Blending) {
  using T = TypeParam;
  std::vector<T> x(kCount), y(kCount), a(kCount);
  std::mt19937_64 random(5);
  auto next = [&](double low, double high) {
    return T(std::uniform_real_distribution<double>(low, high)(random));
  };
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = next(-1000, 1000);
    y[i] = next(-1000, 1000);
    a[i] = i % 16 == 0 ? T(1) : i % 16 == 1 ? T(0) : next(0, 1);
  }
  FunctionTable<T> table(x, y, a);
  constexpr long double kEpsilon = std::numeric_limits<T>::epsilon();
  auto near = [](long double exact, long double tolerance, T got) {
    return std::abs(got - exact) <= tolerance ? "" : " instead of " + std::to_string(exact);
  };
  auto blend = [=](T x, T y, long double a, T got) {
    return near(x + ((long double)y - x) * a, 4000 * kEpsilon, got);
  };
  auto smooth = [=](long double low, long double high, T x, T got) -> std::string {
    if (!(low < high)) return "";
    long double t = std::clamp((x - low) / (high - low), 0.0L, 1.0L);
    return near(t * t * (3 - 2 * t), 16 * kEpsilon, got);
  };
  const std::string type = typeName<T>();
  table.template addChecked<T>("mix(x, y, z)",
                               [=](T x, T y, T a, T r) { return blend(x, y, a, r); });
  table.template addChecked<T>("mix(x, y, (" + type + ")0.25)",
                               [=](T x, T y, T, T r) { return blend(x, y, 0.25L, r); });
  table.template addChecked<T>("smoothstep(x, y, z * 1000)",
                               [=](T x, T y, T a, T r) { return smooth(x, y, T(a * 1000), r); });
  table.template addChecked<T>("smoothstep((" + type + ")0.25, (" + type + ")0.75, z)",
                               [=](T, T, T a, T r) { return smooth(0.25L, 0.75L, a, r); });
  table.run();
}

TYPED_TEST(BuiltinsFloat, Bitselect) {
  using T = TypeParam;
  using U = typename TestFixture::U;
  auto bitsFor = [](T x, T y, T z) {
    U mask = bitsOf(z);
    return std::bit_cast<T>(U((bitsOf(x) & ~mask) | (bitsOf(y) & mask)));
  };
  this->add("bitselect(x, y, z)", bitsFor);
  this->table_.run();
}

TYPED_TEST(BuiltinsFloat, SelectOfVectors) {
  using T = TypeParam;
  const std::string width = sizeof(T) == 4 ? "int@" : "long@";
  for (const std::string sign : {"", "u"}) {
    this->add("select(x, y, as_" + sign + width + "(z))",
              [](T x, T y, T z) { return std::signbit(z) ? y : x; });
  }
  this->table_.run(kVectors);
}

TYPED_TEST(BuiltinsFloat, SelectOfScalars) {
  using T = TypeParam;
  const std::string width = sizeof(T) == 4 ? "int" : "long";
  for (const std::string sign : {"", "u"}) {
    this->add("select(x, y, as_" + sign + width + "(z))",
              [](T x, T y, T z) { return bitsOf(z) != 0 ? y : x; });
  }
  this->table_.run(kScalar);
}

template <class T>
class BuiltinsSelect : public testing::Test {};
using IntegerTypes =
    testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(BuiltinsSelect, IntegerTypes);

TYPED_TEST(BuiltinsSelect, SignedAndUnsignedConditions) {
  using T = TypeParam;
  using S = std::make_signed_t<T>;
  using U = std::make_unsigned_t<T>;
  for (bool vectors : {false, true}) {
    FunctionTable<T, S, U> table(testValues<T>(kCount, 1, 31), testValues<S>(kCount, 7, 32),
                                 testValues<U>(kCount, 13, 33));
    const std::string other = std::string("(") + typeName<T>() + "@)(1)";
    table.template add<T>("select(x, " + other + ", y)", [=](T x, S y, U) -> std::optional<T> {
      return (vectors ? y < 0 : y != 0) ? T(1) : x;
    });
    table.template add<T>("select(x, " + other + ", z)", [=](T x, S, U z) -> std::optional<T> {
      return (vectors ? S(z) < 0 : z != 0) ? T(1) : x;
    });
    table.run(vectors ? kVectors : kScalar);
  }
}

template <class T>
class BuiltinsAnyAll : public testing::Test {};
using SignedTypes = testing::Types<int8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(BuiltinsAnyAll, SignedTypes);

TYPED_TEST(BuiltinsAnyAll, MostSignificantBits) {
  using T = TypeParam;
  constexpr size_t kItems = 256;
  for (unsigned n : {1u, 2u, 3u, 4u, 8u, 16u}) {
    SCOPED_TRACE(n);
    const std::string size = n == 1 ? "" : std::to_string(n);
    const std::string type = typeName<T>();
    Program program = build("kernel void run(global const " + type + "* in, global int* out) {\n" +
                            "  size_t i = get_global_id(0);\n  " + type + size +
                            " v = " + (n == 1 ? "in[i]" : "vload" + size + "(i, in)") +
                            ";\n  out[2 * i] = any(v);\n  out[2 * i + 1] = all(v);\n}\n");
    std::vector<T> in(kItems * n);
    std::mt19937_64 random(n);
    // All, none, or about half of the components have the bit set; the others are not zero.
    for (size_t i = 0; i < in.size(); ++i) {
      const unsigned kind = i / n % 4;
      const bool set = kind == 0 || (kind > 1 && random() % 2);
      in[i] = T(set ? std::numeric_limits<T>::min() + T(random() % 100) : T(random() % 100));
    }
    std::vector<int32_t> out(2 * kItems);
    Launch(program, "run")
        .range(kItems)
        .buffer(in)
        .buffer(out)
        .formsTakeTurns()
        .inEveryForm([&](const Outcome&) {
          for (size_t i = 0; i < kItems; ++i) {
            auto isSet = [](T v) { return v < 0; };
            ASSERT_EQ(out[2 * i], std::any_of(&in[i * n], &in[i * n] + n, isSet)) << i;
            ASSERT_EQ(out[2 * i + 1], std::all_of(&in[i * n], &in[i * n] + n, isSet)) << i;
          }
        });
  }
}

}  // namespace
}  // namespace weft::test
