// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <memory>

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

  /// One callback that is made before it is due, so that posting it cannot fail.
  class Task {
   public:
    Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    virtual ~Task() = default;
    virtual void run() = 0;

   private:
    friend class CallbackThread;
    Task* next_ = nullptr;
  };

  /// Makes sure that there is a thread. Throws std::system_error.
  void start() WEFT_EXCLUDES(mutex_);
  /// Queues a task, for which start() has been called. In a child of fork() that cannot have a
  /// thread it waits for the next call that gets one.
  void post(std::unique_ptr<Task> task) noexcept WEFT_EXCLUDES(mutex_);
  /// Both at once. Throws std::bad_alloc, or std::system_error when no thread can be had.
  void post(Callback callback) WEFT_EXCLUDES(mutex_);

  void prepareFork() noexcept override WEFT_NO_TSA;
  void afterForkInParent() noexcept override WEFT_NO_TSA;
  void afterForkInChild() noexcept override WEFT_NO_TSA;

 private:
  void startLocked() WEFT_REQUIRES(mutex_);
  void run() WEFT_EXCLUDES(mutex_);

  Mutex mutex_;
  ConditionVariable wake_;
  Task* first_ WEFT_GUARDED_BY(mutex_) = nullptr;  ///< linked by Task::next_
  Task* last_ WEFT_GUARDED_BY(mutex_) = nullptr;
  bool started_ WEFT_GUARDED_BY(mutex_) = false;
  bool forkLocked_ = false;  ///< between prepareFork and its end: whether the lock was taken
};

}  // namespace weft
