// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_enqueue/device_event.h"

#include <algorithm>
#include <utility>

namespace weft::runtime {

bool DeviceEvent::add(EventLink& link, bool& failed) noexcept {
  MutexLock lock(mutex_);
  const int32_t status = status_.load(std::memory_order_relaxed);
  failed = status < 0;
  if (status != kPending) return false;
  link.next = waiters_;
  waiters_ = &link;
  return true;
}

bool DeviceEvent::remove(EventLink& link) noexcept {
  MutexLock lock(mutex_);
  for (EventLink** place = &waiters_; *place; place = &(*place)->next)
    if (*place == &link) {
      *place = link.next;
      return true;
    }
  return false;
}

EventLink* DeviceEvent::set(int32_t status, const Times& times) noexcept {
  MutexLock lock(mutex_);
  if (status_.load(std::memory_order_relaxed) != kPending) return nullptr;
  times_ = times;
  status_.store(status, std::memory_order_release);
  for (size_t i = 0; i < captureCount_; ++i) write(captures_[i]);
  return std::exchange(waiters_, nullptr);
}

void DeviceEvent::write(uint64_t* value) const noexcept {
  value[0] = times_.ended - times_.begun;
  value[1] = times_.complete - times_.begun;
}

void DeviceEvent::capture(uint64_t* value) noexcept {
  MutexLock lock(mutex_);
  if (status_.load(std::memory_order_relaxed) != kPending) return write(value);
  captures_[captureCount_] = value;
  captureCount_ = std::min(captureCount_ + 1, kMostCaptures - 1);
}

}  // namespace weft::runtime
