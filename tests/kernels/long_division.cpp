// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division of integers of 64 bits. Lanes divide in doubles where all of them have numbers that
// doubles hold, and otherwise by reciprocals, or one after the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr size_t kRun = 64;  ///< at least as many as there are lanes
/// Numbers up to here are divided in doubles.
constexpr uint64_t kLimit = uint64_t{1} << 51;
/// Numbers up to here are multiplied by a reciprocal where all lanes divide by the same.
constexpr uint64_t kReciprocalLimit = uint64_t{1} << 48;

template <class T>
struct Pairs {
  std::vector<T> a, b;
  void add(T dividend, T divisor) {
    const bool overflows = std::numeric_limits<T>::is_signed &&
                           dividend == std::numeric_limits<T>::min() &&
                           divisor == static_cast<T>(-1);
    a.push_back(overflows ? T{1} : dividend);
    b.push_back(divisor == 0 ? T{3} : divisor);
  }
  size_t size() const { return a.size(); }
};

/// A number of random length, less than `limit` and, where that has signs, more than -limit.
template <class T>
T someNumber(std::mt19937_64& random, uint64_t limit) {
  const uint64_t bits = (random() >> (random() % 64)) % limit;
  return static_cast<T>(std::numeric_limits<T>::is_signed && random() % 2 != 0 ? 0 - bits : bits);
}

/// Runs of pairs of numbers below `limit`: multiples and what is next to them, and the largest.
template <class T>
void addRuns(Pairs<T>& pairs, std::mt19937_64& random, uint64_t limit, size_t runs) {
  const T most = static_cast<T>(limit - 1);
  for (size_t i = 0; i < runs * kRun; ++i) {
    const T b = someNumber<T>(random, limit);
    const uint64_t size = static_cast<uint64_t>(b < 0 ? T{0} - b : b);
    const uint64_t times = size == 0 ? 0 : static_cast<uint64_t>(most) / size;
    const T multiple = static_cast<T>(size * (times == 0 ? 0 : random() % times));
    switch (random() % 6) {
      case 0:
        pairs.add(multiple, b);
        break;
      case 1:
        pairs.add(static_cast<T>(multiple - 1) % most, b);
        break;
      case 2:
        pairs.add(static_cast<T>(multiple + 1), b);
        break;
      case 3:
        pairs.add(most - static_cast<T>(random() % 3), b);
        break;
      case 4:
        pairs.add(most, most - static_cast<T>(random() % 5));
        break;
      default:
        pairs.add(someNumber<T>(random, limit), b);
        break;
    }
  }
}

template <class T>
Pairs<T> somePairs() {
  Pairs<T> pairs;
  std::mt19937_64 random(11);
  addRuns(pairs, random, kLimit, 24);
  addRuns(pairs, random, std::numeric_limits<T>::max(), 8);
  // One lane has a number just beyond.
  for (const T beyond :
       {static_cast<T>(kLimit), static_cast<T>(0 - kLimit), static_cast<T>(kLimit + 1),
        std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}) {
    const size_t begin = pairs.size();
    addRuns(pairs, random, kLimit, 2);
    (random() % 2 == 0 ? pairs.a : pairs.b)[begin + random() % kRun] = beyond == 0 ? T{1} : beyond;
    pairs.a[begin + kRun + random() % kRun] = beyond;
  }
  for (size_t i = 0; i < pairs.size(); ++i)
    if (pairs.b[i] == static_cast<T>(-1)) pairs.b[i] = T{5};
  return pairs;
}

template <class T>
class LongDivision : public testing::Test {
 protected:
  static std::string type() { return std::numeric_limits<T>::is_signed ? "long" : "ulong"; }

  /// Runs `body` with a[i] and b[i] in x and y, and the results q and m.
  void run(const std::string& body, const std::string& options = "") {
    const auto program = build(
        "kernel void k(global const TYPE* a, global const TYPE* b, "
        "global TYPE* qs, global TYPE* ms, TYPE w) { int i = "
        "get_global_id(0); TYPE x = a[i], y = b[i], q = 0, m = 0; " +
            body + " qs[i] = q; ms[i] = m; }",
        "-DTYPE=" + type() + " " + options);
    const size_t count = pairs_.size();
    quotients_.resize(count);
    remainders_.resize(count);
    Launch launch(program, "k");
    launch.range(count)
        .buffer(pairs_.a)
        .buffer(pairs_.b)
        .buffer(quotients_)
        .buffer(remainders_)
        .value(uniform_);
    launch.inEveryForm([&](const Outcome&) { check(); });
  }

  /// Has the first dividends be the largest multiples that have a reciprocal, and what is next to
  /// them.
  void divideMultiplesOf(uint64_t w) {
    const uint64_t size = w >> 63 ? 0 - w : w;
    for (size_t i = 0; i < 8 * kRun; ++i) {
      const uint64_t times = kReciprocalLimit / size - std::min(i / 6, kReciprocalLimit / size);
      const auto dividend = static_cast<T>(std::min(times * size, kReciprocalLimit - 2));
      const auto near = static_cast<T>(dividend + static_cast<T>(i % 3) - 1);
      pairs_.a[i] = std::is_signed_v<T> && i % 2 ? T{0} - near : near;
    }
  }

  void check() {
    for (size_t i = 0; i < pairs_.size(); ++i) {
      const T x = pairs_.a[i], y = pairs_.b[i];
      ASSERT_EQ(quotients_[i], quotient_(x, y)) << x << ", " << y;
      ASSERT_EQ(remainders_[i], remainder_(x, y)) << x << ", " << y;
    }
  }

  Pairs<T> pairs_ = somePairs<T>();
  T uniform_ = 1000;
  std::vector<T> quotients_, remainders_;
  std::function<T(T, T)> quotient_ = [](T x, T y) { return x / y; };
  std::function<T(T, T)> remainder_ = [](T x, T y) { return x % y; };
};

using Types = testing::Types<int64_t, uint64_t>;
TYPED_TEST_SUITE(LongDivision, Types);

TYPED_TEST(LongDivision, IsExact) { this->run("q = x / y; m = x % y;"); }

TYPED_TEST(LongDivision, RemaindersAloneAreExact) {
  this->quotient_ = [](TypeParam x, TypeParam y) { return (x ^ 5) % y; };
  this->run("m = x % y; q = (x ^ 5) % y;");
}

/// No option lets integers be rounded.
TYPED_TEST(LongDivision, IsExactUnderRelaxedOptions) {
  for (const char* options : {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations"})
    this->run("q = x / y; m = x % y;", options);
}

/// Idle lanes have divisors of zero, and dividends of all sizes.
TYPED_TEST(LongDivision, OfSomeLanes) {
  const TypeParam unused = 77;
  std::mt19937_64 random(3);
  for (TypeParam& b : this->pairs_.b)
    if (random() % 3 == 0) b = 0;
  this->quotient_ = [=](TypeParam x, TypeParam y) { return y == 0 ? unused : x / y; };
  this->remainder_ = [=](TypeParam x, TypeParam y) { return y == 0 ? unused : x % y; };
  this->run("if (y != 0) { q = x / y; m = x % y; } else { q = m = 77; }");
}

/// Idle lanes keep what they left the loop with, a divisor of zero.
TYPED_TEST(LongDivision, InLoopsThatLanesLeaveOneByOne) {
  const auto stepsAndDivisor = [](TypeParam x, TypeParam y) {
    TypeParam steps = 0;
    for (; y != 0; ++steps) x = std::exchange(y, x % y);
    return std::pair(steps, x);
  };
  this->quotient_ = [=](TypeParam x, TypeParam y) { return stepsAndDivisor(x, y).first; };
  this->remainder_ = [=](TypeParam x, TypeParam y) { return stepsAndDivisor(x, y).second; };
  for (size_t i = 0; i < this->pairs_.size(); ++i)  // the largest by -1 would overflow
    if (this->pairs_.a[i] == std::numeric_limits<TypeParam>::min()) this->pairs_.a[i] = 1;
  this->run("for (; y != 0; ++q) { TYPE next = x % y; x = y; y = next; } m = x;");
}

/// Vectors of the program's own.
TYPED_TEST(LongDivision, InVectors) {
  this->quotient_ = [](TypeParam x, TypeParam y) { return (x / y) ^ ((x ^ 9) / (y | 2)); };
  this->remainder_ = [](TypeParam x, TypeParam y) { return (x % y) ^ ((x ^ 9) % (y | 2)); };
  // No overflow: of the least number by -1.
  for (TypeParam& b : this->pairs_.b)
    if ((b | 2) == static_cast<TypeParam>(-1)) b = 5;
  this->run(
      "TYPE2 u = (TYPE2)(x, x ^ 9), d = (TYPE2)(y, y | 2), s = u / d, t = u % d; "
      "q = s.x ^ s.y; m = t.x ^ t.y;",
      "-DTYPE2=" + TestFixture::type() + "2");
}

TYPED_TEST(LongDivision, ByOneNumberForAll) {
  for (const uint64_t w :
       {uint64_t{1}, uint64_t{3}, uint64_t{7}, uint64_t{1000}, uint64_t{0xffffff},
        uint64_t{1} << 24, kReciprocalLimit / 3, kReciprocalLimit - 1, kReciprocalLimit,
        kReciprocalLimit + 1, kLimit - 1, kLimit, kLimit + 1, uint64_t{0} - 3,
        uint64_t{0} - 0xfffff1, uint64_t{1} << 63}) {
    this->uniform_ = static_cast<TypeParam>(w);
    const TypeParam by = this->uniform_;
    SCOPED_TRACE(by);
    this->divideMultiplesOf(w);
    this->quotient_ = [=](TypeParam x, TypeParam) { return x / by; };
    this->remainder_ = [=](TypeParam x, TypeParam) { return x % by; };
    this->run("q = x / w; m = x % w;");
  }
}

TYPED_TEST(LongDivision, ByConstants) {
  for (const int64_t w :
       {int64_t{7}, int64_t{10}, int64_t{28}, int64_t{641}, int64_t{1000}, int64_t{-3}, int64_t{64},
        int64_t{-8}, int64_t{0x200000001}, int64_t{0xffffffffffff}, int64_t{0x1000000000001},
        int64_t{0x7ffffffffffff}, int64_t{0x8000000000001}, int64_t{0x7fffffffffffffff}}) {
    const auto by = static_cast<TypeParam>(w);
    SCOPED_TRACE(by);
    this->divideMultiplesOf(static_cast<uint64_t>(w));
    this->quotient_ = [=](TypeParam x, TypeParam) { return x / by; };
    this->remainder_ = [=](TypeParam x, TypeParam) { return x % by; };
    this->run("q = x / (TYPE)(" + std::to_string(w) + "L); m = x % (TYPE)(" + std::to_string(w) +
              "L);");
  }
}

/// Numbers that use all their bits are not asked whether they are small.
TYPED_TEST(LongDivision, OfMixedNumbersByConstants) {
  for (const int64_t w : {int64_t{7}, int64_t{1000}, int64_t{-3}, int64_t{0x200000001},
                          int64_t{0x7fffffffffffffff}}) {
    const auto by = static_cast<TypeParam>(w);
    SCOPED_TRACE(by);
    this->quotient_ = [=](TypeParam x, TypeParam y) { return (x ^ y) / by; };
    this->remainder_ = [=](TypeParam x, TypeParam y) { return (x ^ y) % by; };
    this->run("x ^= y; q = x / (TYPE)(" + std::to_string(w) + "L); m = x % (TYPE)(" +
              std::to_string(w) + "L);");
  }
}

/// What has no meaning has some value, the same in all forms, and ends nothing.
TYPED_TEST(LongDivision, ByZeroTrapsNowhere) {
  std::mt19937_64 random(5);
  for (size_t i = 0; i < this->pairs_.size(); ++i) {
    if (random() % 4 == 0) this->pairs_.b[i] = 0;
    if (random() % 9 == 0) {
      this->pairs_.a[i] = std::numeric_limits<TypeParam>::min();
      this->pairs_.b[i] = static_cast<TypeParam>(-1);
    }
  }
  const auto divisor = [](TypeParam x, TypeParam y) {
    const bool overflows = std::numeric_limits<TypeParam>::is_signed &&
                           x == std::numeric_limits<TypeParam>::min() &&
                           y == static_cast<TypeParam>(-1);
    return y == 0 || overflows ? TypeParam{1} : y;
  };
  this->quotient_ = [=](TypeParam x, TypeParam y) { return x / divisor(x, y); };
  this->remainder_ = [=](TypeParam x, TypeParam y) { return x % divisor(x, y); };
  this->run("q = x / y; m = x % y;");
}

}  // namespace
}  // namespace weft::test
