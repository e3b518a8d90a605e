// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
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

/// Days until the same tests run again: at_level.py takes one slice of a program's tests each day.
inline uint64_t daysOfRound() {
  const char* const slices = std::getenv("GTEST_TOTAL_SHARDS");
  const uint64_t days = slices ? std::strtoull(slices, nullptr, 10) : 0;
  return days != 0 ? days : 1;
}

/// Whether the `number`-th of much is among the one in `parts` that this round of days chooses:
/// always where WEFT_TEST_DAY is `all`. Chosen by the day, a test in a slice would meet the same
/// part each time. Of turns within turns the parts must have no divisor in common, or some pairs
/// never meet: a kernel's modes take turns of 2 to 16 days, so what a test does beside takes three.
inline bool isOfDay(uint64_t number, uint64_t parts) {
  const char* const text = std::getenv("WEFT_TEST_DAY");
  return (text && std::string_view(text) == "all") ||
         number % parts == testDay() / daysOfRound() % parts;
}

/// Whether the running test is among the third of many alike that runs today.
inline bool isTurnOfTest() {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  return isOfDay(std::hash<std::string>{}(std::string(test.test_suite_name()) + test.name()), 3);
}
#define WEFT_TAKES_TURNS() \
  if (!::weft::test::isTurnOfTest()) GTEST_SKIP() << "another day's, see WEFT_TEST_DAY"

}  // namespace weft::test
