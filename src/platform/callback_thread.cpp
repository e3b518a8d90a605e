// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/callback_thread.h"

#include <new>
#include <thread>
#include <utility>

#include "weft/support/log.h"

namespace weft {

void CallbackThread::post(Callback callback) {
  MutexLock lock(mutex_);
  pending_.push_back(std::move(callback));
  if (!started_) {
    try {
      std::thread([this] { run(); }).detach();
    } catch (...) {
      pending_.pop_back();
      throw;
    }
    started_ = true;
  }
  lock.unlock();
  wake_.notifyOne();
}

void CallbackThread::run() {
  MutexLock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this]() WEFT_NO_TSA { return !pending_.empty(); });
    Callback callback = std::move(pending_.front());
    pending_.pop_front();
    lock.unlock();
    try {
      callback();
    } catch (...) {
      // A callback is C; if one throws all the same, others must still run.
      log::write(log::Level::Warning, "an application's callback threw an exception");
    }
    callback = nullptr;  // what it holds may be an object whose destructor posts
    lock.lock();
  }
}

void CallbackThread::prepareFork() noexcept {
  // The lock is never held while application code runs, so this wait is short.
  mutex_.lock();
  forkLocked_ = true;
}

void CallbackThread::afterForkInParent() noexcept {
  if (std::exchange(forkLocked_, false)) mutex_.unlock();
}

void CallbackThread::afterForkInChild() noexcept {
  forkLocked_ = false;
  started_ = false;
  // The thread and its waits are gone, but the condition variable counts them: make it anew.
  // Callbacks of the parent's commands are the parent's; they are leaked, since freeing them
  // could release objects that abandoned threads still use.
  new (&wake_) ConditionVariable();
  new (&pending_) std::deque<Callback>();
  mutex_.unlock();
}

}  // namespace weft
