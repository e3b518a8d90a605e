// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/value.h"

#include <cmath>
#include <limits>

namespace weft::fuzz {
namespace {

using Wide = __int128;

/// An integer of any of the types as a number.
Wide number(Scalar scalar, uint64_t bits) {
  return isSigned(scalar) ? Wide{toSignedBits(scalar, bits)} : Wide{bits};
}
Wide least(Scalar scalar) { return isSigned(scalar) ? -(Wide{1} << (bitsOf(scalar) - 1)) : 0; }
Wide greatest(Scalar scalar) {
  return (Wide{1} << (bitsOf(scalar) - (isSigned(scalar) ? 1 : 0))) - 1;
}
uint64_t bitsOfNumber(Scalar scalar, Wide value) {
  return static_cast<uint64_t>(value) & bitMask(scalar);
}
uint64_t saturated(Scalar scalar, Wide value) {
  return bitsOfNumber(scalar, std::clamp(value, least(scalar), greatest(scalar)));
}

/// Gives `action` the lane as a float or double; it returns one of the same type.
template <class Action>
uint64_t onFloats(Scalar scalar, const uint64_t* bits, unsigned count, Action action) {
  if (scalar == Scalar::Half) {
    double values[3]{};
    for (unsigned i = 0; i < count; ++i) values[i] = halfValue(bits[i]);
    return halfBits(action(values));
  }
  if (scalar == Scalar::Float) {
    float values[3]{};
    for (unsigned i = 0; i < count; ++i)
      values[i] = std::bit_cast<float>(static_cast<uint32_t>(bits[i]));
    return std::bit_cast<uint32_t>(action(values));
  }
  double values[3]{};
  for (unsigned i = 0; i < count; ++i) values[i] = std::bit_cast<double>(bits[i]);
  return std::bit_cast<uint64_t>(action(values));
}

double toDouble(Scalar scalar, uint64_t bits) {
  if (scalar == Scalar::Half) return halfValue(bits);
  return scalar == Scalar::Float ? std::bit_cast<float>(static_cast<uint32_t>(bits))
                                 : std::bit_cast<double>(bits);
}

// Division by zero divides by one, as does the one quotient that would not fit.
uint64_t divide(BinaryOp op, Scalar scalar, uint64_t left, uint64_t right) {
  const Wide dividend = number(scalar, left);
  Wide divisor = number(scalar, right);
  if (divisor == 0) divisor = 1;
  if (isSigned(scalar) && bitsOf(scalar) >= 32 && dividend == least(scalar) && divisor == -1)
    divisor = 1;
  return bitsOfNumber(scalar, op == BinaryOp::Div ? dividend / divisor : dividend % divisor);
}

uint64_t floatBinary(BinaryOp op, Scalar scalar, uint64_t left, uint64_t right) {
  const uint64_t both[] = {left, right};
  return onFloats(scalar, both, 2, [op]<class T>(T* v) -> T {
    switch (op) {
      case BinaryOp::Add:
        return v[0] + v[1];
      case BinaryOp::Sub:
        return v[0] - v[1];
      case BinaryOp::Mul:
        return v[0] * v[1];
      case BinaryOp::Div:
        return v[0] / v[1];
      default:
        throw Undefined{"operator on floating point"};
    }
  });
}

bool overflows(BinaryOp op, Scalar scalar, bool isVector, uint64_t left, uint64_t right) {
  // Scalars of small types compute in int.
  const Scalar type = !isVector && bitsOf(scalar) < 32 ? Scalar::Int : scalar;
  if (!isSigned(type)) return false;
  const Wide a = number(scalar, left), b = number(scalar, right);
  const Wide result = op == BinaryOp::Add ? a + b : op == BinaryOp::Sub ? a - b : a * b;
  return result < least(type) || result > greatest(type);
}

template <class T>
uint64_t toInteger(Scalar to, T value, Rounding rounding) {
  if (std::isnan(value)) return 0;
  switch (rounding) {
    case Rounding::Even:
      value = std::nearbyint(value);
      break;
    case Rounding::Up:
      value = std::ceil(value);
      break;
    case Rounding::Down:
      value = std::floor(value);
      break;
    default:
      value = std::trunc(value);
      break;
  }
  // Both limits are powers of two, or one less, which rounds up to one.
  if (value >= std::ldexp(T{1}, static_cast<int>(bitsOf(to)) - (isSigned(to) ? 1 : 0)))
    return bitsOfNumber(to, greatest(to));
  if (value <= static_cast<T>(least(to))) return bitsOfNumber(to, least(to));
  return bitsOfNumber(to, static_cast<Wide>(value));
}

uint64_t leadingZeros(Scalar scalar, uint64_t bits) {
  return static_cast<uint64_t>(std::countl_zero(bits)) - (64 - bitsOf(scalar));
}

uint64_t rotated(Scalar scalar, uint64_t bits, uint64_t count) {
  const unsigned width = bitsOf(scalar);
  const unsigned by = static_cast<unsigned>(count & (width - 1));
  if (by == 0) return bits;
  return ((bits << by) | (bits >> (width - by))) & bitMask(scalar);
}

uint64_t multiplyHigh(Scalar scalar, uint64_t left, uint64_t right) {
  if (scalar == Scalar::ULong)
    return static_cast<uint64_t>((static_cast<unsigned __int128>(left) * right) >> 64);
  return bitsOfNumber(scalar, (number(scalar, left) * number(scalar, right)) >> bitsOf(scalar));
}

uint64_t multiply24(Scalar scalar, uint64_t left, uint64_t right) {
  const Wide a = number(scalar, left), b = number(scalar, right);
  const Wide low = isSigned(scalar) ? -(1 << 23) : 0;
  const Wide high = isSigned(scalar) ? (1 << 23) - 1 : (1 << 24) - 1;
  if (a < low || a > high || b < low || b > high) throw Undefined{"mul24 of too large a number"};
  return bitsOfNumber(scalar, a * b);
}

uint64_t multiplyAddSaturated(Scalar scalar, const uint64_t* v) {
  if (scalar != Scalar::ULong)
    return saturated(scalar, number(scalar, v[0]) * number(scalar, v[1]) + number(scalar, v[2]));
  const auto product = static_cast<unsigned __int128>(v[0]) * v[1];
  return product > ~uint64_t{0} - v[2] ? ~uint64_t{0} : static_cast<uint64_t>(product) + v[2];
}

uint64_t integerBuiltin(Builtin function, Scalar scalar, const uint64_t* v) {
  const Wide a = number(scalar, v[0]);
  switch (function) {
    case Builtin::Min:
      return a < number(scalar, v[1]) ? v[0] : v[1];
    case Builtin::Max:
      return a < number(scalar, v[1]) ? v[1] : v[0];
    case Builtin::Abs:
      return bitsOfNumber(scalar, a < 0 ? -a : a);
    case Builtin::AbsDiff: {
      const Wide difference = a - number(scalar, v[1]);
      return bitsOfNumber(scalar, difference < 0 ? -difference : difference);
    }
    case Builtin::Clamp:
      if (number(scalar, v[1]) > number(scalar, v[2])) throw Undefined{"clamp to an empty range"};
      return bitsOfNumber(scalar, std::clamp(a, number(scalar, v[1]), number(scalar, v[2])));
    case Builtin::Rotate:
      return rotated(scalar, v[0], v[1]);
    case Builtin::Popcount:
      return static_cast<uint64_t>(std::popcount(v[0]));
    case Builtin::Clz:
      return leadingZeros(scalar, v[0]);
    case Builtin::MulHi:
      return multiplyHigh(scalar, v[0], v[1]);
    case Builtin::Mul24:
      return multiply24(scalar, v[0], v[1]);
    case Builtin::Mad24:
      return (multiply24(scalar, v[0], v[1]) + v[2]) & bitMask(scalar);
    case Builtin::AddSat:
      return saturated(scalar, a + number(scalar, v[1]));
    case Builtin::SubSat:
      return saturated(scalar, a - number(scalar, v[1]));
    case Builtin::Hadd:
      return bitsOfNumber(scalar, (a + number(scalar, v[1])) >> 1);
    case Builtin::Rhadd:
      return bitsOfNumber(scalar, (a + number(scalar, v[1]) + 1) >> 1);
    case Builtin::Ctz:
      return v[0] == 0 ? bitsOf(scalar) : static_cast<uint64_t>(std::countr_zero(v[0]));
    case Builtin::MadHi:
      return (multiplyHigh(scalar, v[0], v[1]) + v[2]) & bitMask(scalar);
    case Builtin::MadSat:
      return multiplyAddSaturated(scalar, v);
    case Builtin::BitSelect:
      return (v[0] & ~v[2]) | (v[1] & v[2]);
    default:
      throw Undefined{"not a function of integers"};
  }
}

template <class T>
T floatResult(Builtin function, const T* v) {
  switch (function) {
    case Builtin::Fma:
      return std::fma(v[0], v[1], v[2]);
    case Builtin::Fabs:
      return std::fabs(v[0]);
    case Builtin::Fmin:
      return std::fmin(v[0], v[1]);
    case Builtin::Fmax:
      return std::fmax(v[0], v[1]);
    case Builtin::Floor:
      return std::floor(v[0]);
    case Builtin::Ceil:
      return std::ceil(v[0]);
    case Builtin::Trunc:
      return std::trunc(v[0]);
    case Builtin::Rint:
      return std::nearbyint(v[0]);
    case Builtin::Copysign:
      return std::copysign(v[0], v[1]);
    case Builtin::Sqrt:
      return std::sqrt(v[0]);
    case Builtin::Round:
      return std::round(v[0]);
    case Builtin::Fdim:
      return std::fdim(v[0], v[1]);
    case Builtin::Fmod:
      return std::fmod(v[0], v[1]);
    case Builtin::Nextafter:
      return std::nextafter(v[0], v[1]);
    default:
      throw Undefined{"not a function of floating-point numbers"};
  }
}

unsigned argumentCount(Builtin function) {
  switch (function) {
    case Builtin::Fma:
      return 3;
    case Builtin::Fmin:
    case Builtin::Fmax:
    case Builtin::Copysign:
    case Builtin::Fdim:
    case Builtin::Fmod:
    case Builtin::Nextafter:
      return 2;
    default:
      return 1;
  }
}

}  // namespace

uint64_t halfBits(double value) {
  const uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::fabs(value);
  if (std::isnan(value)) return 0x7e00;
  if (std::isinf(value)) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(size, &exponent);
  const int last = std::max(exponent - 11, -24);  // of the bits that are kept
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(size, -last)), last);
  if (rounded >= 65536) return sign | 0x7c00;
  if (rounded < 0x1p-14) return sign | static_cast<uint64_t>(std::ldexp(rounded, 24));
  const double fraction = std::frexp(rounded, &exponent);  // from one half up
  return sign | (static_cast<uint64_t>(exponent + 14) << 10) |
         (static_cast<uint64_t>(std::ldexp(fraction, 11)) & 0x3ff);
}

double halfValue(uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10) & 31;
  const auto fraction = static_cast<double>(bits & 0x3ff);
  double size = std::ldexp(fraction, -24);
  if (exponent == 31)
    size = fraction == 0 ? std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  else if (exponent != 0)
    size = std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

uint64_t binary(BinaryOp op, Scalar scalar, bool isVector, bool native, uint64_t left,
                uint64_t right) {
  if (isFloat(scalar)) return floatBinary(op, scalar, left, right);
  const uint64_t mask = bitMask(scalar);
  const unsigned width = isVector ? bitsOf(scalar) : std::max(bitsOf(scalar), 32u);
  const uint64_t count = right & (width - 1);
  if (native && op <= BinaryOp::Mul && overflows(op, scalar, isVector, left, right))
    throw Undefined{"signed overflow"};
  switch (op) {
    case BinaryOp::Add:
      return (left + right) & mask;
    case BinaryOp::Sub:
      return (left - right) & mask;
    case BinaryOp::Mul:
      return (left * right) & mask;
    case BinaryOp::Div:
    case BinaryOp::Rem:
      return divide(op, scalar, left, right);
    case BinaryOp::And:
      return left & right;
    case BinaryOp::Or:
      return left | right;
    case BinaryOp::Xor:
      return left ^ right;
    case BinaryOp::Shl:
      return (left << count) & mask;
    case BinaryOp::Shr:
      return isSigned(scalar) ? static_cast<uint64_t>(toSignedBits(scalar, left) >> count) & mask
                              : left >> count;
  }
  throw Undefined{"unknown operator"};
}

bool compare(CompareOp op, Scalar scalar, uint64_t left, uint64_t right) {
  const auto of = [op](auto a, auto b) {
    switch (op) {
      case CompareOp::Less:
        return a < b;
      case CompareOp::LessEqual:
        return a <= b;
      case CompareOp::Greater:
        return a > b;
      case CompareOp::GreaterEqual:
        return a >= b;
      case CompareOp::Equal:
        return a == b;
      case CompareOp::NotEqual:
        return a != b;
    }
    return false;
  };
  if (isFloat(scalar)) return of(toDouble(scalar, left), toDouble(scalar, right));
  return of(number(scalar, left), number(scalar, right));
}

uint64_t convert(Scalar to, Scalar from, Rounding rounding, bool saturate, uint64_t bits) {
  if (isFloat(from) && isFloat(to)) {
    if (from == to) return bits;
    const double value = toDouble(from, bits);
    if (to == Scalar::Half) return halfBits(value);
    return to == Scalar::Float ? std::bit_cast<uint32_t>(static_cast<float>(value))
                               : std::bit_cast<uint64_t>(value);
  }
  if (isFloat(from)) {
    if (!saturate) throw Undefined{"conversion that may not fit"};
    return from == Scalar::Float
               ? toInteger(to, std::bit_cast<float>(static_cast<uint32_t>(bits)), rounding)
               : toInteger(to, toDouble(from, bits), rounding);
  }
  if (isFloat(to)) {
    const bool negative = isSigned(from);
    const int64_t value = toSignedBits(from, bits);
    // What is not exact as a double is too large for a half.
    if (to == Scalar::Half)
      return halfBits(negative ? static_cast<double>(value) : static_cast<double>(bits));
    if (to == Scalar::Float)
      return std::bit_cast<uint32_t>(negative ? static_cast<float>(value)
                                              : static_cast<float>(bits));
    return std::bit_cast<uint64_t>(negative ? static_cast<double>(value)
                                            : static_cast<double>(bits));
  }
  return saturate ? saturated(to, number(from, bits)) : bitsOfNumber(to, number(from, bits));
}

uint64_t builtin(Builtin function, Scalar scalar, const uint64_t* arguments) {
  if (!isFloat(scalar)) return integerBuiltin(function, scalar, arguments);
  return onFloats(scalar, arguments, argumentCount(function),
                  [function]<class T>(T* v) -> T { return floatResult(function, v); });
}

const char* nameOf(Builtin function) {
  static constexpr std::array kNames{
      "min",    "max",    "abs",     "abs_diff", "clamp",   "rotate",   "popcount", "clz",
      "mul_hi", "mad24",  "mul24",   "add_sat",  "sub_sat", "hadd",     "rhadd",    "bitselect",
      "ctz",    "mad_hi", "mad_sat", "select",   "any",     "all",      "shuffle",  "fma",
      "fabs",   "fmin",   "fmax",    "floor",    "ceil",    "trunc",    "rint",     "copysign",
      "isnan",  "sqrt",   "round",   "fdim",     "fmod",    "nextafter"};
  return kNames[static_cast<size_t>(function)];
}

}  // namespace weft::fuzz
