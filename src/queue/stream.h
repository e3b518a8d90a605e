// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

/// Writes past the caches: for amounts that would leave nothing in them that could be of use. The
/// cache lines that are overwritten are then not read first.
namespace weft {

/// Transfers from here on had better be written this way.
inline constexpr size_t kStreamFrom = size_t{64} << 20;

/// Copies bytes that do not overlap.
void streamCopy(std::byte* target, const std::byte* source, size_t size) noexcept;

/// Repeats a pattern. Pre: `pattern` is 128 bytes, made of patterns whose size is a power of two.
void streamFill(std::byte* target, size_t size, const std::byte* pattern) noexcept;

/// Makes what has been written visible to other threads, as ordinary writes are.
void streamEnd() noexcept;

}  // namespace weft
