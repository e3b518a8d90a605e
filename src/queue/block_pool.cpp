// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/block_pool.h"

#include <new>

#include "weft/support/checked.h"

#if defined(__SANITIZE_ADDRESS__)
#define WEFT_POOL_KEEPS false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_POOL_KEEPS false
#endif
#endif
#ifndef WEFT_POOL_KEEPS
#define WEFT_POOL_KEEPS true
#endif

namespace weft {

void* BlockPool::allocate(size_t size) {
  const size_t index = (size - 1) / kGranularity;
  if (WEFT_POOL_KEEPS && index < kClasses) {
    MutexLock lock(mutex_);
    SizeClass& sizeClass = classes_[index];
    if (FreeBlock* block = sizeClass.free) {
      sizeClass.free = block->next;
      --sizeClass.kept;
      return block;
    }
  }
  return ::operator new(alignUp(size, kGranularity), std::align_val_t{kAlignment});
}

void BlockPool::release(void* block, size_t size) noexcept {
  const size_t index = (size - 1) / kGranularity;
  if (WEFT_POOL_KEEPS && index < kClasses) {
    MutexLock lock(mutex_);
    SizeClass& sizeClass = classes_[index];
    if (sizeClass.kept < kMaxKept) {
      sizeClass.free = new (block) FreeBlock{sizeClass.free};
      ++sizeClass.kept;
      return;
    }
  }
  ::operator delete(block, std::align_val_t{kAlignment});
}

}  // namespace weft
