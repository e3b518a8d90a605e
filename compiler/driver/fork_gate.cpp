// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/fork_gate.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

namespace weft::compiler {

void ForkGate::enter(void* owner) {
  MutexLock lock(mutex_);
  changed_->wait(lock, [this]() WEFT_REQUIRES(mutex_) { return !closed_; });
  inside_.push_back(owner);
}

void ForkGate::leave(void* owner) {
  MutexLock lock(mutex_);
  // A call that began before a fork and ends in the child is not counted there any more.
  auto found = std::ranges::find(inside_, owner);
  if (found == inside_.end()) return;
  *found = inside_.back();
  inside_.pop_back();
  if (closed_ && inside_.empty()) changed_->notifyAll();
}

void ForkGate::close(std::chrono::milliseconds limit) {
  mutex_.lock();
  closed_ = true;
  closing_ = true;
  std::unique_lock<std::mutex> lock(mutex_.native(), std::adopt_lock);
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!inside_.empty() && std::chrono::steady_clock::now() < deadline) {
    // The condition variable of Mutex wants a MutexLock, which would unlock at the end.
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    lock.lock();
  }
  lock.release();
}

void ForkGate::open() {
  closed_ = false;
  closing_ = false;
  changed_->notifyAll();
  mutex_.unlock();
}

std::vector<void*> ForkGate::openInChild() {
  (void)changed_.release();
  changed_ = std::make_unique<ConditionVariable>();
  closed_ = false;
  closing_ = false;
  std::vector<void*> cutOff = std::exchange(inside_, {});
  mutex_.unlock();
  return cutOff;
}

}  // namespace weft::compiler
