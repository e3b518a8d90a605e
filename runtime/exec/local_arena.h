// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::runtime {

/// The local memory of the work-groups that one slot runs, one group after the other.
///
/// Address space for the largest request is mapped on first use; the system backs it with pages
/// as kernels touch them. Blocks end right at a page without access, so that the first access
/// past the end of a group's local memory faults instead of hitting somebody else's data.
/// Ownership: owns the mapping. Threads: one at a time.
class LocalArena {
 public:
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
  uint8_t* end_ = nullptr;  ///< where the guard page starts
};

}  // namespace weft::runtime
