// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

/// The rules that every clGet*Info call keeps, applied to one parameter of one object.
namespace weft::test {

/// A clGet*Info call with its object and parameter bound.
using InfoCall = std::function<cl_int(size_t size, void* value, size_t* sizeRet)>;

/// Checks the size query, the exact, a larger and a too small buffer, and null outputs. Gives the
/// answer; `varies` says that two queries may differ (reference counts, timers).
inline std::vector<unsigned char> checkInfoRules(const InfoCall& call, bool varies = false) {
  constexpr unsigned char kUntouched = 0xA5;
  constexpr size_t kSlack = 24;
  size_t size = ~size_t{0};
  EXPECT_EQ(call(0, nullptr, &size), CL_SUCCESS);
  if (size == ~size_t{0}) {
    ADD_FAILURE() << "the size query gave no size";
    return {};
  }
  EXPECT_EQ(call(0, nullptr, nullptr), CL_SUCCESS);

  std::vector<unsigned char> exact(size + kSlack, kUntouched);
  size_t written = 0;
  EXPECT_EQ(call(size, exact.data(), &written), CL_SUCCESS);
  EXPECT_EQ(written, size);
  for (size_t i = size; i < exact.size(); ++i)
    EXPECT_EQ(exact[i], kUntouched) << "written past the end";

  std::vector<unsigned char> larger(size + kSlack, kUntouched);
  EXPECT_EQ(call(size + kSlack, larger.data(), nullptr), CL_SUCCESS);
  for (size_t i = size; i < larger.size(); ++i)
    EXPECT_EQ(larger[i], kUntouched) << "written past the answer";
  if (!varies && size != 0) {
    EXPECT_EQ(std::memcmp(exact.data(), larger.data(), size), 0);
  }

  if (size != 0) {
    std::vector<unsigned char> small(size, kUntouched);
    EXPECT_EQ(call(size - 1, small.data(), nullptr), CL_INVALID_VALUE);
    for (unsigned char byte : small) EXPECT_EQ(byte, kUntouched) << "written though too small";
    EXPECT_EQ(call(0, small.data(), nullptr), CL_INVALID_VALUE);
  }
  exact.resize(size);
  return exact;
}

/// The answer as a T; its size must be right.
template <class T>
T infoValue(const InfoCall& call) {
  const std::vector<unsigned char> bytes = checkInfoRules(call);
  T value{};
  EXPECT_EQ(bytes.size(), sizeof value);
  if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// The answer as text; it must end in its only zero byte.
inline std::string infoText(const InfoCall& call) {
  const std::vector<unsigned char> bytes = checkInfoRules(call);
  if (bytes.empty() || bytes.back() != 0) {
    ADD_FAILURE() << "the answer is no text";
    return {};
  }
  const std::string text(reinterpret_cast<const char*>(bytes.data()));
  EXPECT_EQ(text.size() + 1, bytes.size());
  return text;
}

/// The answer as a list of T.
template <class T>
std::vector<T> infoList(const InfoCall& call) {
  const std::vector<unsigned char> bytes = checkInfoRules(call);
  EXPECT_EQ(bytes.size() % sizeof(T), 0u);
  std::vector<T> list(bytes.size() / sizeof(T));
  if (!list.empty()) std::memcpy(list.data(), bytes.data(), list.size() * sizeof(T));
  return list;
}

}  // namespace weft::test
