// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace weft::compiler {

/// The signed integer of 1, 2, 4 or 8 bytes at `offset` in an argument block.
inline int64_t argumentValue(const void* block, int64_t offset, unsigned bytes) noexcept {
  const auto read = [place = static_cast<const std::byte*>(block) + offset](auto value) {
    std::memcpy(&value, place, sizeof value);
    return int64_t{value};
  };
  switch (bytes) {
    case 1:
      return read(int8_t{});
    case 2:
      return read(int16_t{});
    case 4:
      return read(int32_t{});
    default:
      return read(int64_t{});
  }
}

}  // namespace weft::compiler
