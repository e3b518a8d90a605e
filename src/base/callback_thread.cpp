// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/callback_thread.h"

#include <new>
#include <thread>
#include <utility>

#include "base/process_wide.h"
#include "weft/support/log.h"

namespace weft {

namespace {

class FunctionTask final : public CallbackThread::Task {
 public:
  explicit FunctionTask(CallbackThread::Callback callback) : callback_(std::move(callback)) {}
  void run() override { callback_(); }

 private:
  CallbackThread::Callback callback_;
};

}  // namespace

void CallbackThread::TaskList::push(std::unique_ptr<Task> task) noexcept {
  Task* const added = task.release();
  added->next_ = nullptr;
  (last_ ? last_->next_ : first_) = added;
  last_ = added;
}

std::unique_ptr<CallbackThread::Task> CallbackThread::TaskList::pop() noexcept {
  std::unique_ptr<Task> task(first_);
  if (task) first_ = task->next_;
  if (first_ == nullptr) last_ = nullptr;
  return task;
}

void CallbackThread::TaskList::append(TaskList& others) noexcept {
  if (others.empty()) return;
  (last_ ? last_->next_ : first_) = others.first_;
  last_ = others.last_;
  others = {};
}

CallbackThread& CallbackThread::instance() noexcept {
  static constinit ProcessWide<CallbackThread> thread;
  return thread.get();
}

void CallbackThread::start() {
  MutexLock lock(mutex_);
  startLocked();
}

void CallbackThread::startLocked() {
  if (started_) return;
  std::thread([this] { run(); }).detach();
  started_ = true;
}

void CallbackThread::post(TaskList& tasks) noexcept {
  if (tasks.empty()) return;
  {
    MutexLock lock(mutex_);
    tasks_.append(tasks);
    try {
      startLocked();
    } catch (...) {
      log::write(log::Level::Warning, "no thread for callbacks");
    }
  }
  wake_.notifyOne();
}

void CallbackThread::post(Callback callback) {
  auto task = std::make_unique<FunctionTask>(std::move(callback));
  start();
  TaskList tasks;
  tasks.push(std::move(task));
  post(tasks);
}

void CallbackThread::run() {
  MutexLock lock(mutex_);
  const uint32_t generation = generation_;
  for (;;) {
    wake_.wait(lock, [this]() WEFT_NO_TSA { return !tasks_.empty(); });
    std::unique_ptr<Task> task = tasks_.pop();
    lock.unlock();
    try {
      task->run();
    } catch (...) {
      // A callback is C; if one throws all the same, others must still run.
      log::write(log::Level::Warning, "an application's callback threw an exception");
    }
    lock.lock();
    if (generation_ != generation) {
      // It has forked, and this is the child, where another thread may have begun in this one's
      // place. What the callback was about is left to the parent.
      static_cast<void>(task.release());
      return;
    }
    lock.unlock();
    task = nullptr;  // what it holds may be an object whose destructor posts
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
  ++generation_;
  // The thread and its waits are gone, but the condition variable counts them: make it anew.
  // Callbacks of the parent's commands are the parent's; they are leaked, since freeing them
  // could release objects that abandoned threads still use.
  new (&wake_) ConditionVariable();
  tasks_ = {};
  mutex_.unlock();
}

}  // namespace weft
