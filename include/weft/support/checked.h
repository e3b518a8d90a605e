// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace weft {

/// a + b, or nothing when that does not fit.
template <std::unsigned_integral T>
[[nodiscard]] constexpr std::optional<T> checkedAdd(T a, T b) {
  T sum{};
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// a * b, or nothing when that does not fit.
template <std::unsigned_integral T>
[[nodiscard]] constexpr std::optional<T> checkedMul(T a, T b) {
  T product{};
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// Whether [offset, offset + size) lies within [0, limit). Never overflows.
[[nodiscard]] constexpr bool rangeFits(size_t offset, size_t size, size_t limit) {
  return offset <= limit && size <= limit - offset;
}

/// value rounded up to a multiple of `alignment`, a power of two. The result must fit.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T alignUp(T value, T alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

template <std::unsigned_integral T>
[[nodiscard]] constexpr T divideUp(T value, T divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

}  // namespace weft
