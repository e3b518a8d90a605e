// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/harness.h"

/// Compares functions that work component by component with host references, for all vector
/// sizes and in every execution form.
namespace weft::test {

/// Name of a host type in OpenCL C.
template <class T>
constexpr const char* typeName() {
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, double>) return "double";
  constexpr const char* kSigned[] = {"char", "short", "", "int", "", "", "", "long"};
  constexpr const char* kUnsigned[] = {"uchar", "ushort", "", "uint", "", "", "", "ulong"};
  if constexpr (sizeof(T) == 1) return std::is_signed_v<T> ? kSigned[0] : kUnsigned[0];
  if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? kSigned[1] : kUnsigned[1];
  if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? kSigned[3] : kUnsigned[3];
  return std::is_signed_v<T> ? kSigned[7] : kUnsigned[7];
}

/// An integer of the same sign with twice as many bits.
template <class T>
struct Twice {
  using Signed =
      std::conditional_t<sizeof(T) == 1, int16_t,
                         std::conditional_t<sizeof(T) == 2, int32_t,
                                            std::conditional_t<sizeof(T) == 4, int64_t, __int128>>>;
  using Unsigned = std::conditional_t<
      sizeof(T) == 1, uint16_t,
      std::conditional_t<sizeof(T) == 2, uint32_t,
                         std::conditional_t<sizeof(T) == 4, uint64_t, unsigned __int128>>>;
  using Type = std::conditional_t<std::is_signed_v<T>, Signed, Unsigned>;
};

/// Bits of a value, for messages and for comparisons that tell zeros apart.
template <class T>
auto bitsOf(T value) {
  if constexpr (sizeof(T) == 1)
    return std::bit_cast<uint8_t>(value);
  else if constexpr (sizeof(T) == 2)
    return std::bit_cast<uint16_t>(value);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<uint32_t>(value);
  else
    return std::bit_cast<uint64_t>(value);
}

/// Values where mistakes live: ends of ranges, neighbours of powers of two, and for floating
/// point zeros, denormals, halves, infinities and NaN.
template <class T>
std::vector<T> edgeValues() {
  std::vector<T> values;
  if constexpr (std::is_floating_point_v<T>) {
    using Limits = std::numeric_limits<T>;
    for (T v : {T(0),
                T(0.25),
                T(0.5),
                T(0.75),
                T(1),
                T(1.5),
                T(2.5),
                T(3),
                T(127.5),
                T(128),
                T(255.5),
                T(256),
                T(32767.5),
                T(65535.5),
                T(16777217),
                T(2147483520),
                T(2147483648.0),
                T(4294967040.0),
                T(4294967296.0),
                T(9223372036854774784.0),
                T(9223372036854775808.0),
                T(18446742974197923840.0),
                T(18446744073709551616.0),
                Limits::min(),
                Limits::denorm_min(),
                T(3) * Limits::denorm_min(),
                Limits::max(),
                Limits::epsilon(),
                T(1) + Limits::epsilon(),
                Limits::infinity()}) {
      values.push_back(v);
      values.push_back(-v);
    }
    values.push_back(Limits::quiet_NaN());
  } else {
    for (int shift = 0; shift < int(sizeof(T) * 8); shift += 3) {
      T power = T(uint64_t{1} << shift);
      for (T v : {power, T(uint64_t(power) - 1), T(uint64_t(power) + 1)}) {
        values.push_back(v);
        values.push_back(T(-uint64_t(v)));
      }
    }
    values.push_back(std::numeric_limits<T>::min());
    values.push_back(std::numeric_limits<T>::max());
    values.push_back(T(std::numeric_limits<T>::min() + 1));
    values.push_back(T(std::numeric_limits<T>::max() - 1));
  }
  return values;
}

/// `count` values: the edge values, each in turn `stride` times, among values of random bits and
/// random magnitudes. Two vectors with different strides meet in all combinations.
template <class T>
std::vector<T> testValues(size_t count, size_t stride, uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<T> edges = edgeValues<T>();
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = random();
    if (i % 3 != 0) {
      values[i] = edges[i / stride % edges.size()];
    } else if constexpr (std::is_floating_point_v<T>) {
      int exponent = int(random() % 140) - 70;
      T magnitude = T(std::ldexp(double(bits >> 11), exponent - 53));
      values[i] = (bits & 1) ? magnitude : -magnitude;
    } else {
      values[i] = T(bits >> (random() % (sizeof(T) * 8)));
    }
  }
  return values;
}

/// Functions of up to three operands. An expression names its operands x, y and z; an `@` stands
/// for the vector size, which is nothing for scalars: "convert_int@_sat(x)".
template <class X, class Y = X, class Z = X>
class FunctionTable {
 public:
  FunctionTable(std::vector<X> x, std::vector<Y> y, std::vector<Z> z)
      : x_(std::move(x)), y_(std::move(y)), z_(std::move(z)) {}

  /// `reference` gives the one right result, or nothing where every result is right.
  /// Results of floating point are right when they are `ulps` or less away, zeros with their
  /// sign; any NaN is as good as another.
  template <class R>
  void add(std::string expression, std::function<std::optional<R>(X, Y, Z)> reference,
           double ulps = 0) {
    addChecked<R>(std::move(expression), [=](X x, Y y, Z z, R got) {
      std::optional<R> wanted = reference(x, y, z);
      return !wanted || matches(got, *wanted, ulps) ? "" : " instead of " + text(*wanted);
    });
  }

  /// `check` says what is wrong with a result; nothing when it is right.
  template <class R>
  void addChecked(std::string expression, std::function<std::string(X, Y, Z, R)> check) {
    Function function{std::move(expression), typeName<R>(), sizeof(R), {}};
    function.check = [this, check](const std::byte* result, size_t i) {
      R got;
      std::memcpy(&got, result, sizeof got);
      std::string wrong = check(x_[i], y_[i], z_[i], got);
      return wrong.empty() ? wrong : text(got) + wrong;
    };
    functions_.push_back(std::move(function));
  }

  /// Results that are all right may differ from form to form.
  void mayDiffer() { formsDiffer_ = true; }

  /// A kernel calls so many of the functions at most, and not all.
  void inKernelsOf(size_t most) { most_ = most; }

  void run(std::vector<unsigned> sizes = {1, 2, 3, 4, 8, 16}, std::string_view options = "") {
    std::vector<Function> all = functions_;
    for (size_t first = 0, count; first < all.size(); first += count) {
      count = std::min(most_, all.size() - first);
      functions_.assign(all.begin() + first, all.begin() + first + count);
      for (unsigned size : sizes) runSize(size, options);
    }
    functions_ = std::move(all);
  }

 private:
  struct Function {
    std::string expression;
    std::string result;
    size_t resultBytes;
    std::function<std::string(const std::byte* result, size_t i)> check;
  };

  template <class R>
  static std::string text(R value) {
    std::ostringstream stream;
    stream << std::hexfloat << +value;
    return stream.str();
  }

  template <class R>
  static bool matches(R got, R wanted, double ulps) {
    if constexpr (std::is_floating_point_v<R>) {
      if (std::isnan(wanted)) return std::isnan(got);
      if (bitsOf(got) == bitsOf(wanted)) return true;
      if (ulps == 0 || !std::isfinite(wanted)) return false;
      R next = std::nextafter(std::abs(wanted), std::numeric_limits<R>::infinity());
      return std::abs(double(got) - double(wanted)) <=
             ulps * (double(next) - std::abs(double(wanted)));
    } else {
      return got == wanted;
    }
  }

  size_t offset(size_t function) const {
    size_t bytes = 0;
    for (size_t f = 0; f < function; ++f) bytes += functions_[f].resultBytes * x_.size();
    return bytes;
  }

  std::string source(unsigned size) const {
    const std::string n = size == 1 ? "" : std::to_string(size);
    auto load = [&](const char* type, const char* name) {
      return "  " + std::string(type) + n + " " + name + " = " +
             (n.empty() ? std::string(name) + "s[i];\n" : "vload" + n + "(i, " + name + "s);\n");
    };
    std::string text = "kernel void run(global const " + std::string(typeName<X>()) +
                       "* xs, global const " + typeName<Y>() + "* ys, global const " +
                       typeName<Z>() + "* zs, global uchar* out) {\n" +
                       "  size_t i = get_global_id(0);\n" + load(typeName<X>(), "x") +
                       load(typeName<Y>(), "y") + load(typeName<Z>(), "z");
    for (size_t f = 0; f < functions_.size(); ++f) {
      std::string call = functions_[f].expression;
      for (size_t at; (at = call.find('@')) != std::string::npos;) call.replace(at, 1, n);
      const std::string to =
          "(global " + functions_[f].result + "*)(out + " + std::to_string(offset(f)) + ")";
      text += n.empty() ? "  (" + to + ")[i] = " + call + ";\n"
                        : "  vstore" + n + "(" + call + ", i, " + to + ");\n";
    }
    return text + "}\n";
  }

  void runSize(unsigned size, std::string_view options) {
    SCOPED_TRACE("vector size " + std::to_string(size));
    Program program = build(source(size), options);
    std::vector<std::byte> results(offset(functions_.size()));
    Launch launch(program, "run");
    launch.range(x_.size() / size).buffer(x_).buffer(y_).buffer(z_).buffer(results);
    if (formsDiffer_) launch.unordered();
    launch.formsTakeTurns().inEveryForm([&](const Outcome&) { check(results); });
  }

  void check(const std::vector<std::byte>& results) {
    for (size_t f = 0; f < functions_.size(); ++f) {
      size_t failures = 0;
      for (size_t i = 0; i < x_.size(); ++i) {
        const Function& function = functions_[f];
        std::string difference =
            function.check(results.data() + offset(f) + i * function.resultBytes, i);
        if (difference.empty()) continue;
        if (++failures <= 3) {
          ADD_FAILURE() << function.expression << " of " << std::hexfloat << +x_[i] << ", "
                        << +y_[i] << ", " << +z_[i] << " (element " << i << ") is " << difference;
        }
      }
      EXPECT_EQ(failures, 0u) << "in all, for " << functions_[f].expression;
    }
  }

  std::vector<X> x_;
  std::vector<Y> y_;
  std::vector<Z> z_;
  std::vector<Function> functions_;
  bool formsDiffer_ = false;
  size_t most_ = std::numeric_limits<size_t>::max();
};

}  // namespace weft::test
