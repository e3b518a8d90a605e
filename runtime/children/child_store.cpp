// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "children/child_store.h"

#include <algorithm>
#include <new>
#include <utility>

#include "weft/abi/work_group.h"

namespace weft::runtime {
namespace {

constexpr std::align_val_t kAlignment{abi::kArgumentAlignment};
/// More than that a thief would not come to run soon.
constexpr size_t kMostStolen = 16;
/// Of a queue's room, what one slot may keep.
constexpr uint64_t kRoomShare = 16;

}  // namespace

ChildStore::~ChildStore() {
  for (Free* block : free_) giveBackAll(block);
  giveBackAll(returned_.load(std::memory_order_relaxed));
}

void ChildStore::giveBackAll(Free* block) noexcept {
  while (block) giveBack(std::exchange(block, block->next));
}

void* ChildStore::allocate(uint32_t& bytes) noexcept {
  bytes = (bytes + kClassBytes - 1) / kClassBytes * kClassBytes;
  if (const size_t index = classOf(bytes); index < kClasses) {
    if (!free_[index] && returned_.load(std::memory_order_relaxed)) {
      Free* block = returned_.exchange(nullptr, std::memory_order_acquire);
      while (block) {
        Free* next = block->next;
        keep(block, block->bytes);
        block = next;
      }
    }
    if (Free* block = free_[index]) {
      free_[index] = block->next;
      return block;
    }
  }
  return ::operator new(bytes, kAlignment, std::nothrow);
}

void ChildStore::keep(void* block, uint32_t bytes) noexcept {
  Free*& list = free_[classOf(bytes)];
  list = new (block) Free{list, bytes};
}

void ChildStore::give(void* block, uint32_t bytes, ChildStore& home) noexcept {
  if (classOf(bytes) >= kClasses) return giveBack(block);
  if (&home == this) return keep(block, bytes);
  auto* returned = new (block) Free{home.returned_.load(std::memory_order_relaxed), bytes};
  while (!home.returned_.compare_exchange_weak(returned->next, returned, std::memory_order_release,
                                               std::memory_order_relaxed)) {
  }
}

void ChildStore::giveBack(void* block) noexcept { ::operator delete(block, kAlignment); }

size_t ChildStore::push(Child& child) noexcept {
  if (overflowCount_.load(std::memory_order_relaxed) == 0 && deque_.push(child))
    return deque_.sizeAtMost();
  MutexLock lock(mutex_);
  child.next = nullptr;
  child.previous = newest_;
  (newest_ ? newest_->next : oldest_) = &child;
  newest_ = &child;
  const size_t count = overflowCount_.load(std::memory_order_relaxed) + 1;
  overflowCount_.store(count, std::memory_order_relaxed);
  return count + deque_.size();
}

Child* ChildStore::popNewest() noexcept {
  // Only the slot's own thread adds.
  if (overflowCount_.load(std::memory_order_relaxed) == 0) return deque_.pop();
  {
    MutexLock lock(mutex_);
    if (Child* child = newest_) {
      newest_ = child->previous;
      (newest_ ? newest_->next : oldest_) = nullptr;
      overflowCount_.store(overflowCount_.load(std::memory_order_relaxed) - 1,
                           std::memory_order_relaxed);
      return child;
    }
  }
  return deque_.pop();
}

size_t ChildStore::stealFrom(ChildStore& victim, const FamilyBase& family) noexcept {
  std::array<Child*, kMostStolen> stolen;
  const size_t most = std::min(kMostStolen, (victim.deque_.size() + 1) / 2);
  size_t count = 0;
  while (count < most && (stolen[count] = victim.deque_.steal(family)) != nullptr) ++count;
  if (count == 0 && victim.overflowCount_.load(std::memory_order_relaxed) != 0) {
    MutexLock lock(victim.mutex_);
    const size_t there = victim.overflowCount_.load(std::memory_order_relaxed);
    while (count < std::min(kMostStolen, (there + 1) / 2) && victim.oldest_ &&
           victim.oldest_->family == &family) {
      Child* child = victim.oldest_;
      victim.oldest_ = child->next;
      (victim.oldest_ ? victim.oldest_->previous : victim.newest_) = nullptr;
      stolen[count++] = child;
    }
    victim.overflowCount_.store(there - count, std::memory_order_relaxed);
  }
  for (size_t i = count; i-- > 0;) push(*stolen[i]);
  return count;
}

bool ChildStore::takeRoom(DeviceQueue& queue, uint32_t bytes) noexcept {
  if (roomQueue_ == &queue && room_ >= bytes) {
    room_ -= bytes;
    return true;
  }
  if (queue.take(bytes)) return true;
  if (roomQueue_ != &queue || room_ == 0) return false;
  flushRoom();
  return queue.take(bytes);
}

void ChildStore::giveRoom(DeviceQueue& queue, uint32_t bytes) noexcept {
  if (roomQueue_ != &queue) {
    flushRoom();
    roomQueue_ = &queue;
  }
  room_ += bytes;
  if (room_ > queue.size() / kRoomShare) flushRoom();
}

void ChildStore::flushRoom() noexcept {
  if (room_ != 0) roomQueue_->give(room_);
  roomQueue_ = nullptr;
  room_ = 0;
}

}  // namespace weft::runtime
