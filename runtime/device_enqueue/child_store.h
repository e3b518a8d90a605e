// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "device_enqueue/child.h"
#include "weft/support/mutex.h"

namespace weft::runtime {

/// The ready children of one slot, and memory for more of them. The slot takes the newest first,
/// the deepest in the tree, which keeps few of them alive; others take the oldest.
///
/// Ownership: owns free memory; borrows children. Threads: allocate() and give() by the slot's
/// thread, the rest by any.
class ChildStore {
 public:
  ChildStore() = default;
  ~ChildStore();
  ChildStore(const ChildStore&) = delete;
  ChildStore& operator=(const ChildStore&) = delete;

  /// Memory with the alignment of an argument block; null when there is none. `bytes` becomes what
  /// give() is to be told.
  void* allocate(uint32_t& bytes) noexcept;
  void give(void* block, uint32_t bytes) noexcept;
  /// For threads without a slot.
  static void giveBack(void* block) noexcept;

  /// How many there are then.
  size_t push(Child& child) noexcept WEFT_EXCLUDES(mutex_);
  Child* popNewest() noexcept WEFT_EXCLUDES(mutex_);
  /// Moves some of the oldest children of `family` to `thief`. Returns how many.
  size_t stealFrom(ChildStore& victim, const Family& family) noexcept WEFT_EXCLUDES(mutex_);
  bool isEmpty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

 private:
  static constexpr uint32_t kClassBytes = 256;
  static constexpr size_t kClasses = 16;
  struct Free {
    Free* next;
  };
  static size_t classOf(uint32_t bytes) noexcept { return bytes / kClassBytes - 1; }

  std::array<Free*, kClasses> free_{};
  Mutex mutex_;
  Child* newest_ WEFT_GUARDED_BY(mutex_) = nullptr;
  Child* oldest_ WEFT_GUARDED_BY(mutex_) = nullptr;
  std::atomic<size_t> count_{0};  ///< written under the mutex
};

}  // namespace weft::runtime
