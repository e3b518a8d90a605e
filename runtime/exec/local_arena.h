// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::runtime {

/// The local memory of the work-groups that one slot runs, one group after the other.
///
/// Address space for the largest request is mapped on first use; the system backs it with pages
/// when a block first needs them. A page without access follows the margin behind the blocks, so
/// that kernels that run far past the end of their group's local memory fault instead of hitting
/// somebody else's data.
/// Ownership: owns the mapping. Threads: one at a time.
class LocalArena {
 public:
  /// Bytes that are there on both sides of a block. Vectors of work-items reach beyond it with
  /// lanes that are masked off; where such a lane has no page, a CPU takes hundreds of cycles to
  /// find out that it does not matter.
  static constexpr size_t kMargin = size_t{16} << 10;

  explicit LocalArena(uint64_t maxBytes) noexcept : maxBytes_(maxBytes) {}
  ~LocalArena();
  LocalArena(const LocalArena&) = delete;
  LocalArena& operator=(const LocalArena&) = delete;

  /// Memory for one group at a time, kLocalMemoryAlignment-aligned; its contents are
  /// unspecified. Null when `bytes` is over the limit or the system refuses.
  uint8_t* block(uint64_t bytes) noexcept;

 private:
  bool map() noexcept;

  const uint64_t maxBytes_;
  uint8_t* base_ = nullptr;
  size_t mappedBytes_ = 0;
  uint8_t* end_ = nullptr;     ///< of all blocks
  uint8_t* backed_ = nullptr;  ///< pages from here on are there
};

}  // namespace weft::runtime
