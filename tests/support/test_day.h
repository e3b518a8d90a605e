// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace weft::test {

/// The day that chooses what a test takes of much: that of WEFT_TEST_DAY if this is a number, or
/// today, since 1970.
inline uint64_t testDay() {
  const char* const text = std::getenv("WEFT_TEST_DAY");
  if (const uint64_t day = text ? std::strtoull(text, nullptr, 10) : 0) return day;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::days>(now).count());
}

/// Whether the `number`-th of much is among the one in `parts` that the day chooses: always where
/// WEFT_TEST_DAY is `all`.
inline bool isOfDay(uint64_t number, uint64_t parts) {
  const char* const text = std::getenv("WEFT_TEST_DAY");
  return (text && std::string_view(text) == "all") || number % parts == testDay() % parts;
}

}  // namespace weft::test
