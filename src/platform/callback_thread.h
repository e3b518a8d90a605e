// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>
#include <functional>

#include "platform/fork.h"
#include "weft/support/mutex.h"

namespace weft {

/// Runs callbacks of the application, one after the other, on one thread of its own that is
/// started by the first of them. No lock is held while one runs, so it may call any API.
///
/// Ownership: lives as long as the process; the thread is never joined.
/// Threads: post from any thread. fork(): callbacks not yet run are dropped in the child.
class CallbackThread final : public ForkParticipant {
 public:
  using Callback = std::move_only_function<void()>;

  /// Queues `callback`. Throws std::bad_alloc, or std::system_error when no thread can be had.
  void post(Callback callback) WEFT_EXCLUDES(mutex_);

  void prepareFork() noexcept override WEFT_NO_TSA;
  void afterForkInParent() noexcept override WEFT_NO_TSA;
  void afterForkInChild() noexcept override WEFT_NO_TSA;

 private:
  void run() WEFT_EXCLUDES(mutex_);

  Mutex mutex_;
  ConditionVariable wake_;
  std::deque<Callback> pending_ WEFT_GUARDED_BY(mutex_);
  bool started_ WEFT_GUARDED_BY(mutex_) = false;
  bool forkLocked_ = false;  ///< between prepareFork and its end: whether the lock was taken
};

}  // namespace weft
