// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "kernels/function_table.h"
#include "support/test_day.h"

// Integer functions (OpenCL C 6.15.3). References are exact arithmetic in 128 bits.
namespace weft::test {
namespace {

using Wide = __int128;

constexpr size_t kCount = 48 * 40;

template <class T>
T saturate(Wide value) {
  return T(std::clamp<Wide>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

template <class T>
Wide product(T x, T y) {
  if constexpr (std::is_signed_v<T>) return Wide(x) * y;
  return Wide(static_cast<unsigned __int128>(x) * y);
}

template <class T>
T highHalf(T x, T y) {
  if constexpr (std::is_signed_v<T>) return T(Wide(x) * y >> (sizeof(T) * 8));
  return T(static_cast<unsigned __int128>(x) * y >> (sizeof(T) * 8));
}

template <class T>
T multiplyAddSaturated(T x, T y, T z) {
  if constexpr (sizeof(T) == 8 && std::is_unsigned_v<T>) {
    // 2^64 * 2^64 leaves no sign bit in 128 bits.
    unsigned __int128 sum = static_cast<unsigned __int128>(x) * y + z;
    return sum > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max() : T(sum);
  } else {
    return saturate<T>(Wide(x) * y + z);
  }
}

template <class T>
class BuiltinsInteger : public testing::Test {
 protected:
  using U = std::make_unsigned_t<T>;
  static constexpr int kBits = sizeof(T) * 8;

  BuiltinsInteger()
      : table_(testValues<T>(kCount, 1, 1), testValues<T>(kCount, 7, 2),
               testValues<T>(kCount, 13, 3)) {}

  void SetUp() override { WEFT_TAKES_TURNS(); }

  template <class R = T, class F>
  void add(const char* expression, F reference) {
    table_.template add<R>(expression,
                           [=](T x, T y, T z) -> std::optional<R> { return reference(x, y, z); });
  }

  FunctionTable<T> table_;
};

using IntegerTypes =
    testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(BuiltinsInteger, IntegerTypes);

TYPED_TEST(BuiltinsInteger, Arithmetic) {
  using T = TypeParam;
  using U = typename TestFixture::U;
  this->template add<U>("abs(x)", [](T x, T, T) { return U(x < 0 ? -Wide(x) : Wide(x)); });
  this->template add<U>("abs_diff(x, y)",
                        [](T x, T y, T) { return U(x < y ? Wide(y) - x : Wide(x) - y); });
  this->add("add_sat(x, y)", [](T x, T y, T) { return saturate<T>(Wide(x) + y); });
  this->add("sub_sat(x, y)", [](T x, T y, T) { return saturate<T>(Wide(x) - y); });
  this->add("hadd(x, y)", [](T x, T y, T) { return T((Wide(x) + y) >> 1); });
  this->add("rhadd(x, y)", [](T x, T y, T) { return T((Wide(x) + y + 1) >> 1); });
  this->add("mul_hi(x, y)", [](T x, T y, T) { return highHalf(x, y); });
  this->add("mad_hi(x, y, z)", [](T x, T y, T z) { return T(U(highHalf(x, y)) + U(z)); });
  this->add("mad_sat(x, y, z)", [](T x, T y, T z) { return multiplyAddSaturated(x, y, z); });
  this->table_.run();
}

TYPED_TEST(BuiltinsInteger, Ranges) {
  using T = TypeParam;
  this->add("min(x, y)", [](T x, T y, T) { return std::min(x, y); });
  this->add("max(x, y)", [](T x, T y, T) { return std::max(x, y); });
  this->add("clamp(x, min(y, z), max(y, z))",
            [](T x, T y, T z) { return std::clamp(x, std::min(y, z), std::max(y, z)); });
  this->table_.run();
}

TYPED_TEST(BuiltinsInteger, RangesWithScalar) {
  using T = TypeParam;
  const std::string type = typeName<T>();
  for (int limit : {0, 1, 100}) {
    const std::string low = "(" + type + ")" + std::to_string(limit);
    this->add(("min(x, " + low + ")").c_str(), [=](T x, T, T) { return std::min(x, T(limit)); });
    this->add(("max(x, " + low + ")").c_str(), [=](T x, T, T) { return std::max(x, T(limit)); });
    this->add(("clamp(x, " + low + ", (" + type + ")120)").c_str(),
              [=](T x, T, T) { return std::clamp(x, T(limit), T(120)); });
  }
  this->table_.run();
}

TYPED_TEST(BuiltinsInteger, Bits) {
  using T = TypeParam;
  using U = typename TestFixture::U;
  constexpr int kBits = TestFixture::kBits;
  this->add("clz(x)", [](T x, T, T) { return T(std::countl_zero(U(x))); });
  this->add("popcount(x)", [](T x, T, T) { return T(std::popcount(U(x))); });
  this->add("rotate(x, y)", [](T x, T y, T) { return T(std::rotl(U(x), int(U(y) % kBits))); });
  this->add("bitselect(x, y, z)", [](T x, T y, T z) { return T((x & ~z) | (y & z)); });
  this->table_.run();
}

TYPED_TEST(BuiltinsInteger, CountTrailingZeros) {
  using T = TypeParam;
  using U = typename TestFixture::U;
  this->add("ctz(x)", [](T x, T, T) { return T(std::countr_zero(U(x))); });
  this->table_.run({1, 2, 3, 4, 8, 16}, "-cl-std=CL3.0");
}

template <class T>
class BuiltinsWiden : public testing::Test {};
using NarrowTypes = testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>;
TYPED_TEST_SUITE(BuiltinsWiden, NarrowTypes);

TYPED_TEST(BuiltinsWiden, Upsample) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  using R = typename Twice<T>::Type;
  FunctionTable<T, U, T> table(testValues<T>(kCount, 1, 1), testValues<U>(kCount, 7, 2),
                               testValues<T>(kCount, 13, 3));
  table.template add<R>("upsample(x, y)", [](T x, U y, T) -> std::optional<R> {
    return R(uint64_t(x) << (sizeof(T) * 8) | y);
  });
  table.run();
}

template <class T>
class BuiltinsMul24 : public testing::Test {};
using Mul24Types = testing::Types<int32_t, uint32_t>;
TYPED_TEST_SUITE(BuiltinsMul24, Mul24Types);

TYPED_TEST(BuiltinsMul24, InRange) {
  using T = TypeParam;
  auto cut = [](std::vector<T> values) {
    for (T& v : values) v = T(uint32_t(v) << 8) >> 8;
    return values;
  };
  FunctionTable<T> table(cut(testValues<T>(kCount, 1, 1)), cut(testValues<T>(kCount, 7, 2)),
                         testValues<T>(kCount, 13, 3));
  table.template add<T>(
      "mul24(x, y)", [](T x, T y, T) -> std::optional<T> { return T(uint32_t(x) * uint32_t(y)); });
  table.template add<T>("mad24(x, y, z)", [](T x, T y, T z) -> std::optional<T> {
    return T(uint32_t(x) * uint32_t(y) + uint32_t(z));
  });
  table.run();
}

}  // namespace
}  // namespace weft::test
