// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <utility>

namespace weft {

/// Memory for one buffer. Small blocks come from the C library; large ones are mapped, so that
/// their pages are given only when they are touched, and on huge pages where the kernel
/// has them. All bytes are zero at first: what reads memory that nothing has written gives the same
/// each time, and never what the host process had there before.
///
/// Ownership: move-only; gives the memory back when destroyed. Threads: none of its own.
class HostBlock {
 public:
  HostBlock() = default;
  HostBlock(HostBlock&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  HostBlock& operator=(HostBlock other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~HostBlock();

  /// An empty block when there is no memory: also when all blocks together would be larger than the
  /// device's global memory, or a large one than what the host has left. The kernel would promise
  /// that much, and end the process when it is touched. Pre: size != 0. Aligned to
  /// limits::kMemoryAlignment, to a page from a page's size on.
  static HostBlock allocate(size_t size) noexcept;

  std::byte* data() const noexcept { return data_; }
  explicit operator bool() const noexcept { return data_ != nullptr; }

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;  ///< as asked for; tells how the memory was got
};

}  // namespace weft
