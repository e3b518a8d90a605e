// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_enqueue/child_store.h"

#include <algorithm>
#include <new>

#include "weft/abi/work_group.h"

namespace weft::runtime {
namespace {

constexpr std::align_val_t kAlignment{abi::kArgumentAlignment};
/// More than that a thief would not come to run soon.
constexpr size_t kMostStolen = 16;

}  // namespace

ChildStore::~ChildStore() {
  for (Free* block : free_)
    while (block) {
      Free* next = block->next;
      giveBack(block);
      block = next;
    }
}

void* ChildStore::allocate(uint32_t& bytes) noexcept {
  bytes = (bytes + kClassBytes - 1) / kClassBytes * kClassBytes;
  if (const size_t index = classOf(bytes); index < kClasses && free_[index]) {
    Free* block = free_[index];
    free_[index] = block->next;
    return block;
  }
  return ::operator new(bytes, kAlignment, std::nothrow);
}

void ChildStore::give(void* block, uint32_t bytes) noexcept {
  const size_t index = classOf(bytes);
  if (index >= kClasses) return giveBack(block);
  free_[index] = new (block) Free{free_[index]};
}

void ChildStore::giveBack(void* block) noexcept { ::operator delete(block, kAlignment); }

size_t ChildStore::push(Child& child) noexcept {
  MutexLock lock(mutex_);
  child.next = nullptr;
  child.previous = newest_;
  (newest_ ? newest_->next : oldest_) = &child;
  newest_ = &child;
  const size_t count = count_.load(std::memory_order_relaxed) + 1;
  count_.store(count, std::memory_order_relaxed);
  return count;
}

Child* ChildStore::popNewest() noexcept {
  if (isEmpty()) return nullptr;  // only the slot's own thread adds
  MutexLock lock(mutex_);
  Child* child = newest_;
  if (!child) return nullptr;
  newest_ = child->previous;
  (newest_ ? newest_->next : oldest_) = nullptr;
  count_.store(count_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  return child;
}

size_t ChildStore::stealFrom(ChildStore& victim, const Family& family) noexcept {
  if (victim.isEmpty()) return 0;
  std::array<Child*, kMostStolen> stolen;
  size_t count = 0;
  {
    MutexLock lock(victim.mutex_);
    const size_t there = victim.count_.load(std::memory_order_relaxed);
    const size_t most = std::min(kMostStolen, (there + 1) / 2);
    while (count < most && victim.oldest_ && victim.oldest_->family == &family) {
      Child* child = victim.oldest_;
      victim.oldest_ = child->next;
      (victim.oldest_ ? victim.oldest_->previous : victim.newest_) = nullptr;
      stolen[count++] = child;
    }
    victim.count_.store(there - count, std::memory_order_relaxed);
  }
  for (size_t i = count; i-- > 0;) push(*stolen[i]);
  return count;
}

}  // namespace weft::runtime
