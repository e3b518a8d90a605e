// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "weft/compiler/compiler.h"
#include "weft/support/mutex.h"

namespace weft::compiler {

/// Threads with large stacks that run all work of LLVM and Clang, and the boundary where
/// their failures end.
///
/// Threads are started when needed and kept for reuse; one whose job failed badly ends, since
/// LLVM's thread-local state may be damaged. The destructor joins all threads.
/// Threads: run() from any thread, except from inside a job.
class CompilerThreads {
 public:
  explicit CompilerThreads(size_t maxThreads);
  ~CompilerThreads();
  CompilerThreads(const CompilerThreads&) = delete;
  CompilerThreads& operator=(const CompilerThreads&) = delete;

  /// Runs `job` on a compiler thread and waits. A fatal error or exhausted memory inside it
  /// becomes an Error, and `quarantine` tells that LLVM objects it used must not be touched.
  struct Outcome {
    Result<void> result;
    bool quarantine = false;
  };
  Outcome run(const std::function<void()>& job);

  /// Bytes of stack between the caller's frame and the end of its compiler thread's stack.
  /// SIZE_MAX outside of compiler threads.
  static size_t stackLeft() noexcept;
  /// Size of the stack of the calling compiler thread; 0 outside.
  static size_t stackBytes() noexcept;

 private:
  struct Job;
  struct Worker {
    CompilerThreads* owner = nullptr;
    pthread_t thread{};
    size_t stackBytes = 0;
    bool ended = false;  ///< guarded by the owner's mutex_
  };

  static void* threadMain(void* worker);
  void serve(Worker& worker);
  void runJob(Job& job) noexcept;
  bool startWorker() WEFT_REQUIRES(mutex_);
  void reapEnded() WEFT_REQUIRES(mutex_);

  const size_t maxThreads_;
  Mutex mutex_;
  ConditionVariable wake_;
  std::vector<Job*> pending_ WEFT_GUARDED_BY(mutex_);  ///< served first in, first out
  std::vector<std::unique_ptr<Worker>> workers_ WEFT_GUARDED_BY(mutex_);
  size_t idle_ WEFT_GUARDED_BY(mutex_) = 0;
  bool stopping_ WEFT_GUARDED_BY(mutex_) = false;
};

}  // namespace weft::compiler
