// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cfenv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "kernels/function_table.h"
#include "support/test_day.h"

// convert_<type><n>[_sat][_rte|_rtz|_rtp|_rtn] (OpenCL C 6.4.3). References use exact integers
// and the host's own rounding modes.
namespace weft::test {
namespace {

constexpr size_t kCount = 48 * 30;

struct Rounding {
  const char* suffix;
  int hostMode;
};
// The first one, the default, is to nearest when the result is floating point, towards zero else.
constexpr Rounding kRoundings[] = {{"", -1},
                                   {"_rte", FE_TONEAREST},
                                   {"_rtz", FE_TOWARDZERO},
                                   {"_rtp", FE_UPWARD},
                                   {"_rtn", FE_DOWNWARD}};

/// The host's conversion in a rounding mode. Volatile: it must happen between the two calls.
template <class D, class S>
D convertIn(int mode, S value) {
  // Rounding down, the host's sequence for unsigned 64-bit integers makes a negative zero.
  if (std::is_integral_v<S> && value == 0) return 0;
  std::fesetround(mode == -1 ? FE_TONEAREST : mode);
  volatile S in = value;
  volatile D out = static_cast<D>(in);
  std::fesetround(FE_TONEAREST);
  return out;
}

double roundIn(int mode, double value) {
  switch (mode) {
    case FE_TONEAREST:
      return std::nearbyint(value);
    case FE_UPWARD:
      return std::ceil(value);
    case FE_DOWNWARD:
      return std::floor(value);
    default:
      return std::trunc(value);
  }
}

/// To an integer type; nothing where the result is not defined.
template <class D, class S>
std::optional<D> toInteger(S value, int mode, bool saturated) {
  // 64 bits of significand hold both ends of every integer type.
  long double number;
  if constexpr (std::is_floating_point_v<S>) {
    if (std::isnan(value)) return saturated ? std::optional<D>(0) : std::nullopt;
    number = roundIn(mode, double(value));
  } else {
    number = value;
  }
  const long double low = std::numeric_limits<D>::min(), high = std::numeric_limits<D>::max();
  if (number >= low && number <= high) return static_cast<D>(number);
  if (saturated)
    return number < low ? std::numeric_limits<D>::min() : std::numeric_limits<D>::max();
  if constexpr (std::is_integral_v<S>) return static_cast<D>(value);
  return std::nullopt;
}

template <class S>
class BuiltinsConvert : public testing::Test {
 protected:
  BuiltinsConvert()
      : table_(testValues<S>(kCount, 1, 11), testValues<S>(kCount, 1, 12),
               testValues<S>(kCount, 1, 13)) {}

  void SetUp() override { WEFT_TAKES_TURNS(); }

  template <class D>
  void addInteger(bool saturated) {
    for (const Rounding& rounding : kRoundings) {
      table_.template add<D>(
          std::string("convert_") + typeName<D>() + "@" + (saturated ? "_sat" : "") +
              rounding.suffix + "(x)",
          [=](S x, S, S) { return toInteger<D>(x, rounding.hostMode, saturated); });
    }
  }

  template <class D>
  void addFloat() {
    for (const Rounding& rounding : kRoundings) {
      table_.template add<D>(
          std::string("convert_") + typeName<D>() + "@" + rounding.suffix + "(x)",
          [=](S x, S, S) -> std::optional<D> { return convertIn<D>(rounding.hostMode, x); });
    }
  }

  void addIntegers(bool saturated) {
    addInteger<int8_t>(saturated);
    addInteger<uint8_t>(saturated);
    addInteger<int16_t>(saturated);
    addInteger<uint16_t>(saturated);
    addInteger<int32_t>(saturated);
    addInteger<uint32_t>(saturated);
    addInteger<int64_t>(saturated);
    addInteger<uint64_t>(saturated);
  }

  FunctionTable<S> table_;
};

using AllTypes = testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t,
                                uint64_t, float, double>;
TYPED_TEST_SUITE(BuiltinsConvert, AllTypes);

// One size of each kind is enough for the many roundings: scalars, the odd one, a wide one.
const std::vector<unsigned> kSizes = {1, 3, 8};

TYPED_TEST(BuiltinsConvert, ToIntegers) {
  this->addIntegers(false);
  // Beyond the integer type's range every number is right: SSE4.2 gives others one by one.
  if (std::is_floating_point_v<TypeParam>) this->table_.mayDiffer();
  this->table_.run(kSizes);
}

TYPED_TEST(BuiltinsConvert, ToIntegersSaturated) {
  this->addIntegers(true);
  // All of it is one block, which takes a minute to schedule where floats saturate.
  if (std::is_floating_point_v<TypeParam>) this->table_.inKernelsOf(8);
  this->table_.run(kSizes);
}

TYPED_TEST(BuiltinsConvert, ToFloatingPoint) {
  this->template addFloat<float>();
  this->template addFloat<double>();
  this->table_.run();
}

TYPED_TEST(BuiltinsConvert, EverySize) {
  using S = TypeParam;
  this->table_.template add<int32_t>(
      "convert_int@_rte(x)", [](S x, S, S) { return toInteger<int32_t>(x, FE_TONEAREST, false); });
  this->table_.template add<uint8_t>("convert_uchar@_sat(x)", [](S x, S, S) {
    return toInteger<uint8_t>(x, FE_TOWARDZERO, true);
  });
  this->table_.run();
}

}  // namespace
}  // namespace weft::test
