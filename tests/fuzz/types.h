// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace weft::fuzz {

enum class Scalar : uint8_t {
  Char,
  UChar,
  Short,
  UShort,
  Int,
  UInt,
  Long,
  ULong,
  Float,
  Double,
  Half,
};

enum class Space : uint8_t { Private, Local, Global, Constant };

/// A type of the generated language: a scalar, a vector or a struct, an array of them, or a
/// pointer to them. `lanes` is 0 for a function that returns nothing.
struct Type {
  Scalar scalar = Scalar::Int;
  uint8_t lanes = 1;
  int8_t structure = -1;  ///< index into Program::structs; what the other two say is unused then
  uint16_t array = 0;     ///< elements; 0: not an array
  bool pointer = false;
  Space space = Space::Private;  ///< of pointers
  bool isObject = false;  ///< beside `pointer`: an image or a sampler, of which more is not known

  friend bool operator==(const Type&, const Type&) = default;

  bool isValue() const { return structure < 0 && array == 0 && !pointer && lanes != 0; }
  bool isScalar() const { return isValue() && lanes == 1; }
  bool isVector() const { return isValue() && lanes > 1; }
  /// What an array holds or a pointer points to.
  Type element() const {
    Type type = *this;
    type.array = 0;
    type.pointer = false;
    type.space = Space::Private;
    type.isObject = false;
    return type;
  }
  Type lane() const { return {.scalar = scalar}; }
  Type arrayOf(unsigned count) const {
    Type type = *this;
    type.array = static_cast<uint16_t>(count);
    return type;
  }
  Type pointerTo(Space where) const {
    Type type = *this;
    type.pointer = true;
    type.space = where;
    return type;
  }
};

constexpr bool isFloat(Scalar scalar) { return scalar >= Scalar::Float; }
constexpr bool isSigned(Scalar scalar) {
  return isFloat(scalar) || (static_cast<unsigned>(scalar) & 1) == 0;
}
constexpr unsigned bytesOf(Scalar scalar) {
  constexpr std::array<unsigned, 11> kBytes{1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 2};
  return kBytes[static_cast<unsigned>(scalar)];
}
constexpr unsigned bitsOf(Scalar scalar) { return bytesOf(scalar) * 8; }
/// Whether sums and products are defined whatever they come to, without a cast.
constexpr bool neverOverflows(Scalar scalar) {
  return isFloat(scalar) || (!isSigned(scalar) && bitsOf(scalar) >= 32);
}
constexpr Scalar toSigned(Scalar scalar) {
  return static_cast<Scalar>(static_cast<unsigned>(scalar) & ~1u);
}
constexpr Scalar toUnsigned(Scalar scalar) {
  return static_cast<Scalar>(static_cast<unsigned>(scalar) | 1u);
}
/// The signed integer of the same size, which comparisons of vectors give.
constexpr Scalar maskOf(Scalar scalar) {
  if (scalar == Scalar::Float) return Scalar::Int;
  if (scalar == Scalar::Double) return Scalar::Long;
  if (scalar == Scalar::Half) return Scalar::Short;
  return toSigned(scalar);
}
constexpr uint64_t bitMask(Scalar scalar) { return ~uint64_t{0} >> (64 - bitsOf(scalar)); }

/// Size and alignment in memory of a type without structs: vectors of three take four.
constexpr uint64_t valueBytes(Type type) {
  return uint64_t{bytesOf(type.scalar)} * (type.lanes == 3 ? 4 : type.lanes);
}

inline Type scalarType(Scalar scalar) { return {.scalar = scalar}; }
inline Type vectorType(Scalar scalar, unsigned lanes) {
  return {.scalar = scalar, .lanes = static_cast<uint8_t>(lanes)};
}

inline const char* scalarName(Scalar scalar) {
  static constexpr std::array kNames{"char", "uchar", "short", "ushort", "int", "uint",
                                     "long", "ulong", "float", "double", "half"};
  return kNames[static_cast<unsigned>(scalar)];
}

}  // namespace weft::fuzz
