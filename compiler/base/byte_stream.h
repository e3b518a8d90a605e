// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace weft::compiler {

/// Appends numbers, enums and strings to a byte string.
class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_(out) {}

  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(const T& value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(std::string_view text) {
    (*this)(uint64_t{text.size()});
    out_.append(text);
  }

 private:
  std::string& out_;
};

/// Reads what a ByteWriter wrote. After the first value that does not fit, everything reads as
/// zero and good() is false; callers check once, at the end of a record.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(T& value) {
    value = T{};
    const auto bytes = take(sizeof value);
    if (bytes.empty()) return;
    if constexpr (std::is_same_v<T, bool>) {
      // Any other byte in a bool would be undefined.
      value = bytes[0] != std::byte{0};
    } else {
      std::memcpy(&value, bytes.data(), sizeof value);
    }
  }
  void operator()(std::string& text) { text = view(); }

  /// A string without copying it.
  std::string_view view() {
    uint64_t size = 0;
    (*this)(size);
    const auto bytes = take(size);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  /// A count of records that take at least `minBytes` each; 0 and bad when that cannot fit.
  uint64_t count(size_t minBytes) {
    uint64_t number = 0;
    (*this)(number);
    if (number <= rest_.size() / minBytes) return number;
    good_ = false;
    return 0;
  }
  void fail() { good_ = false; }
  bool good() const { return good_; }
  bool atEnd() const { return good_ && rest_.empty(); }

 private:
  std::span<const std::byte> take(uint64_t size) {
    if (!good_ || size > rest_.size()) {
      good_ = false;
      return {};
    }
    const auto bytes = rest_.first(size);
    rest_ = rest_.subspan(size);
    return bytes;
  }

  std::span<const std::byte> rest_;
  bool good_ = true;
};

}  // namespace weft::compiler
