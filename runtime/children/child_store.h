// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "children/child.h"
#include "children/child_deque.h"
#include "weft/support/mutex.h"

namespace weft::runtime {

/// What one slot has for children: those that are ready, memory for more of them, and a share of
/// what all slots count. The slot takes the newest first, the deepest in the tree, which keeps few
/// of them alive; others take the oldest.
///
/// Ownership: owns free memory; borrows children. Threads: the slot's, but for stealFrom()'s
/// victim, isEmpty() and giveBack().
class ChildStore {
 public:
  ChildStore() = default;
  ~ChildStore();
  ChildStore(const ChildStore&) = delete;
  ChildStore& operator=(const ChildStore&) = delete;

  /// Children are of this family from now on. Pre: empty, unless it is the same.
  void setFamily(const FamilyBase& family) noexcept { deque_.setFamily(family); }

  /// Memory with the alignment of an argument block; null when there is none. `bytes` becomes what
  /// give() is to be told.
  void* allocate(uint32_t& bytes) noexcept;
  /// Gives memory back to the store that it is from: who enqueues is often not who runs.
  void give(void* block, uint32_t bytes, ChildStore& home) noexcept;
  /// For threads without a slot.
  static void giveBack(void* block) noexcept;

  /// How many there are then, at most.
  size_t push(Child& child) noexcept WEFT_EXCLUDES(mutex_);
  Child* popNewest() noexcept WEFT_EXCLUDES(mutex_);
  /// Moves some of the oldest children of `family` from `victim` to here. Returns how many.
  size_t stealFrom(ChildStore& victim, const FamilyBase& family) noexcept WEFT_EXCLUDES(mutex_);
  bool isEmpty() const noexcept {
    return deque_.size() == 0 && overflowCount_.load(std::memory_order_relaxed) == 0;
  }

  /// Takes room in a queue, of what is kept here first. False when there is none.
  bool takeRoom(DeviceQueue& queue, uint32_t bytes) noexcept;
  /// Gives room back, or keeps a little of it for the next child.
  void giveRoom(DeviceQueue& queue, uint32_t bytes) noexcept;
  void flushRoom() noexcept;

  /// Counts of one node's `incomplete` that are to be given back, or to its next children.
  struct Held {
    LaunchNode* node = nullptr;
    uint32_t count = 0;
  };
  Held held;

 private:
  static constexpr uint32_t kClassBytes = 256;
  static constexpr size_t kClasses = 16;
  struct Free {
    Free* next;
    uint32_t bytes;
  };
  static size_t classOf(uint32_t bytes) noexcept { return bytes / kClassBytes - 1; }
  static void giveBackAll(Free* block) noexcept;
  void keep(void* block, uint32_t bytes) noexcept;

  std::array<Free*, kClasses> free_{};
  DeviceQueue* roomQueue_ = nullptr;
  uint32_t room_ = 0;
  ChildDeque deque_;
  alignas(64) std::atomic<Free*> returned_{nullptr};  ///< by other slots
  /// Those for which the deque had no room; newer than what is in there.
  Mutex mutex_;
  Child* newest_ WEFT_GUARDED_BY(mutex_) = nullptr;
  Child* oldest_ WEFT_GUARDED_BY(mutex_) = nullptr;
  std::atomic<size_t> overflowCount_{0};  ///< written under the mutex
};

}  // namespace weft::runtime
