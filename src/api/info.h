// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace weft::api {

/// Writes the answer of one clGet*Info call; the only place that knows the size rules:
/// a null buffer asks for the size alone, a buffer that is too small is CL_INVALID_VALUE.
class InfoWriter {
 public:
  InfoWriter(size_t capacity, void* buffer, size_t* sizeRet) noexcept
      : capacity_(capacity), buffer_(buffer), sizeRet_(sizeRet) {}

  template <class T>
    requires std::is_trivially_copyable_v<T>
  Result<void> value(const T& v) const noexcept {
    return bytes(&v, sizeof v);
  }
  template <class T>
  Result<void> array(std::span<const T> values) const noexcept {
    return bytes(values.data(), values.size_bytes());
  }
  /// A string with its terminating zero.
  Result<void> string(std::string_view text) const noexcept {
    const size_t size = text.size() + 1;
    WEFT_TRY_VOID(checkSize(size));
    if (buffer_) {
      *std::ranges::copy(text, static_cast<char*>(buffer_)).out = '\0';
    }
    return {};
  }
  Result<void> bytes(const void* data, size_t size) const noexcept {
    WEFT_TRY_VOID(checkSize(size));
    if (buffer_ && size != 0) std::memcpy(buffer_, data, size);
    return {};
  }
  void* buffer() const noexcept { return buffer_; }
  size_t capacity() const noexcept { return capacity_; }
  void setSize(size_t size) const noexcept {
    if (sizeRet_) *sizeRet_ = size;
  }

 private:
  Result<void> checkSize(size_t size) const noexcept {
    if (buffer_ && capacity_ < size) return clError(CL_INVALID_VALUE);
    if (sizeRet_) *sizeRet_ = size;
    return {};
  }

  size_t capacity_;
  void* buffer_;
  size_t* sizeRet_;
};

/// One row of an info table.
template <class Object>
struct InfoRow {
  cl_uint parameter;
  Result<void> (*get)(const Object& object, const InfoWriter& out);
};

/// Answers one query from a table; CL_INVALID_VALUE for an unknown parameter.
template <class Object>
Result<void> queryInfo(std::span<const InfoRow<Object>> table, const Object& object,
                       cl_uint parameter, size_t capacity, void* buffer, size_t* sizeRet) {
  for (const InfoRow<Object>& row : table)
    if (row.parameter == parameter) return row.get(object, InfoWriter(capacity, buffer, sizeRet));
  return clError(CL_INVALID_VALUE);
}

}  // namespace weft::api
