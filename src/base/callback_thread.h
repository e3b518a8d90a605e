// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/fork.h"
#include "weft/support/mutex.h"

namespace weft {

/// Runs callbacks of the application, one after the other, on one thread of its own that is
/// started by the first of them. No lock is held while one runs, so it may call any API.
///
/// Ownership: lives as long as the process; the thread is never joined.
/// Threads: post from any thread. fork(): callbacks not yet run are dropped in the child. One that
/// forks is the last of its thread there, which ends when it returns.
class CallbackThread final : public ForkParticipant {
 public:
  static constexpr ForkOrder kForkOrder = ForkOrder::Callbacks;
  static CallbackThread& instance() noexcept;

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

  /// Tasks that one owner has, first in first out. Whoever drops the list leaks them.
  class TaskList {
   public:
    bool empty() const noexcept { return first_ == nullptr; }
    void push(std::unique_ptr<Task> task) noexcept;
    std::unique_ptr<Task> pop() noexcept;
    /// Puts all of `others`, which is empty then, behind those here.
    void append(TaskList& others) noexcept;

   private:
    Task* first_ = nullptr;
    Task* last_ = nullptr;
  };

  /// Makes sure that there is a thread. Throws std::system_error.
  void start() WEFT_EXCLUDES(mutex_);
  /// Queues tasks, for which start() has been called, and leaves the list empty. In a child of
  /// fork() that cannot have a thread they wait for the next call that gets one. However many they
  /// are, it takes no longer than for one.
  void post(TaskList& tasks) noexcept WEFT_EXCLUDES(mutex_);
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
  TaskList tasks_ WEFT_GUARDED_BY(mutex_);
  bool started_ WEFT_GUARDED_BY(mutex_) = false;
  uint32_t generation_ WEFT_GUARDED_BY(mutex_) = 0;  ///< counts forks from parent to child
  bool forkLocked_ = false;  ///< between prepareFork and its end: whether the lock was taken
};

}  // namespace weft
