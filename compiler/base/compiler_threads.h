// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/compiler/compiler.h"
#include "weft/support/mutex.h"

namespace weft::compiler {

/// Threads with large stacks that run all work of LLVM and Clang, and the boundary where
/// their failures end.
///
/// Threads are started when needed and kept for reuse; one whose job failed badly ends, since
/// LLVM's thread-local state may be damaged. The destructor runs what is pending and joins all
/// threads.
/// Threads: all methods from any thread, except that a job of run() may not call run() again.
class CompilerThreads {
 public:
  explicit CompilerThreads(size_t maxThreads);
  ~CompilerThreads();
  CompilerThreads(const CompilerThreads&) = delete;
  CompilerThreads& operator=(const CompilerThreads&) = delete;

  /// Runs `job` on a compiler thread and waits: on the calling one when it is running a posted
  /// job, or when the system gives the process no thread (one call at a time then). A fatal error
  /// or exhausted memory inside it becomes an Error, and `quarantine` tells that LLVM objects it
  /// used must not be touched.
  struct Outcome {
    Result<void> result;
    bool quarantine = false;
  };
  Outcome run(const std::function<void()>& job);

  using Posted = std::move_only_function<void()>;
  /// Has a compiler thread run `job` later. False, with the job left alone, when there is no thread
  /// and none can be started.
  bool post(Posted& job);
  /// Whether there are more posted jobs, or would be with one more, than threads may run at once.
  bool isCrowded(bool withOneMore = false);
  /// Drops posted jobs that have not begun and waits for those that run.
  void finishPosted();
  /// Ends the threads that have nothing to do.
  void endIdle();

  /// Bytes of stack between the caller's frame and the end of its compiler thread's stack.
  /// SIZE_MAX outside of compiler threads.
  static size_t stackLeft() noexcept;
  /// Size of the stack of the calling compiler thread; 0 outside.
  static size_t stackBytes() noexcept;

 private:
  struct Job;
  /// A job of run(), or a posted one.
  struct Task {
    Job* job = nullptr;
    Posted posted;
  };
  struct Worker {
    CompilerThreads* owner = nullptr;
    pthread_t thread{};
    size_t stackBytes = 0;
    bool ended = false;  ///< guarded by the owner's mutex_
  };

  static void* threadMain(void* worker);
  void serve(Worker& worker);
  static void enterStack(size_t bytes);
  static void runJob(Job& job) noexcept;
  static bool runHere(Job& job);
  static void runPosted(Posted job) noexcept;
  bool haveWorker() WEFT_REQUIRES(mutex_);
  bool startWorker() WEFT_REQUIRES(mutex_);
  bool retires(Worker& worker) WEFT_REQUIRES(mutex_);
  void reapEnded() WEFT_REQUIRES(mutex_);

  const size_t maxThreads_;
  Mutex mutex_;
  ConditionVariable wake_;
  ConditionVariable settled_;                         ///< an idle thread has ended, or a posted job
  std::deque<Task> pending_ WEFT_GUARDED_BY(mutex_);  ///< served first in, first out
  std::vector<std::unique_ptr<Worker>> workers_ WEFT_GUARDED_BY(mutex_);
  size_t idle_ WEFT_GUARDED_BY(mutex_) = 0;
  size_t retiring_ WEFT_GUARDED_BY(mutex_) = 0;  ///< idle threads that are to end
  size_t postedRunning_ WEFT_GUARDED_BY(mutex_) = 0;
  bool stopping_ WEFT_GUARDED_BY(mutex_) = false;
};

}  // namespace weft::compiler
