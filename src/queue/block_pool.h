// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "weft/support/mutex.h"

namespace weft {

/// Recycles the memory of events and commands, so that enqueueing allocates nothing in the
/// steady state. Blocks are aligned to kAlignment.
///
/// Ownership: blocks go back to the pool they came from. Keeps at most kMaxKept free blocks of a
/// size. Under AddressSanitizer nothing is kept, so that uses after free are found.
/// Threads: any.
class BlockPool {
 public:
  static constexpr size_t kAlignment = 128;

  /// Throws std::bad_alloc.
  void* allocate(size_t size) WEFT_EXCLUDES(mutex_);
  /// `size` is that of the allocation.
  void release(void* block, size_t size) noexcept WEFT_EXCLUDES(mutex_);

  void lockForFork() noexcept WEFT_NO_TSA { mutex_.lock(); }
  void unlockAfterFork() noexcept WEFT_NO_TSA { mutex_.unlock(); }

 private:
  static constexpr size_t kGranularity = 256;
  static constexpr size_t kClasses = 16;  ///< blocks of up to 4 KiB
  static constexpr uint32_t kMaxKept = 4096;

  struct FreeBlock {
    FreeBlock* next;
  };
  struct SizeClass {
    FreeBlock* free = nullptr;
    uint32_t kept = 0;
  };

  Mutex mutex_;
  std::array<SizeClass, kClasses> classes_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft
