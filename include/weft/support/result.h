// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <expected>
#include <utility>

namespace weft {

/// A value or the reason why there is none. Every layer names its own error type;
/// errors are translated where layers meet.
template <class T, class E>
using Expected = std::expected<T, E>;

/// Wraps an error for return from a function that returns an Expected.
template <class E>
[[nodiscard]] constexpr std::unexpected<std::decay_t<E>> fail(E&& error) {
  return std::unexpected<std::decay_t<E>>(std::forward<E>(error));
}

}  // namespace weft

#define WEFT_CONCAT_IMPL(a, b) a##b
#define WEFT_CONCAT(a, b) WEFT_CONCAT_IMPL(a, b)

/// Declares `decl` from the value of `expr`, or returns its error.
#define WEFT_TRY(decl, ...) WEFT_TRY_IMPL(WEFT_CONCAT(weftTry_, __LINE__), decl, __VA_ARGS__)
#define WEFT_TRY_IMPL(tmp, decl, ...)            \
  auto tmp = (__VA_ARGS__);                      \
  if (!tmp) [[unlikely]]                         \
    return ::weft::fail(std::move(tmp).error()); \
  decl = std::move(tmp).value()

/// Returns the error of `expr`, if it has one.
#define WEFT_TRY_VOID(...)                                   \
  do {                                                       \
    if (auto weftTry = (__VA_ARGS__); !weftTry) [[unlikely]] \
      return ::weft::fail(std::move(weftTry).error());       \
  } while (false)
