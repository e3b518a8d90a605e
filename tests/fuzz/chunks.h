// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>

namespace weft::fuzz {

/// Where the bytes of a buffer are: in chunks of one size at equal distances. Ordinary buffers are
/// one chunk; sparse ones have many that are far apart, with nothing in between.
struct Chunks {
  uint64_t count = 1;
  uint64_t bytes = 0;   ///< of one chunk
  uint64_t pitch = 0;   ///< bytes from the start of one chunk to that of the next
  uint64_t origin = 0;  ///< the chunk that the kernel's pointer points to

  /// Bytes from the start of the first chunk to the end of the last one.
  uint64_t span() const { return (count - 1) * pitch + bytes; }
  /// Where `size` bytes at `offset` from the kernel's pointer are among all chunks side by side;
  /// nothing unless they are in one chunk.
  std::optional<uint64_t> packed(int64_t offset, uint64_t size) const {
    const auto position = static_cast<uint64_t>(offset + static_cast<int64_t>(origin * pitch));
    const uint64_t chunk = count == 1 ? 0 : position / pitch;
    const uint64_t within = position - chunk * pitch;
    if (chunk >= count || within > bytes || size > bytes - within) return std::nullopt;
    return chunk * bytes + within;
  }
};

}  // namespace weft::fuzz
