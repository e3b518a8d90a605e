// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>

#include "base/fork.h"
#include "weft/compiler/compiler.h"
#include "weft/runtime/executor.h"
#include "weft/support/mutex.h"

namespace weft {

/// What is behind the API: the one place that composes the compiler and the executor, by the
/// configuration and the device. Each is made on the first call that needs it, so that enumerating
/// platforms starts no thread and no compiler.
///
/// Ownership: owns both, for the life of the process. Threads: all methods from any thread.
class Backend final : public ForkParticipant {
 public:
  static constexpr ForkOrder kForkOrder = ForkOrder::Backend;
  static Backend& instance() noexcept;

  compiler::Compiler& compiler();
  runtime::Executor& executor();
  /// The executor if there is one already: for paths that have nothing to do without it.
  runtime::Executor* executorIfCreated() const noexcept {
    return executor_.load(std::memory_order_acquire);
  }
  /// Gives back what the compiler holds between builds, if there is a compiler.
  void unloadCompiler() noexcept;

  void prepareFork() noexcept override WEFT_NO_TSA;
  void afterForkInParent() noexcept override WEFT_NO_TSA;
  void afterForkInChild() noexcept override WEFT_NO_TSA;

 private:
  runtime::Executor& executorLocked() WEFT_REQUIRES(mutex_);
  static void finishBuilds() noexcept;

  Mutex mutex_;  ///< taken to create one of the two below
  std::atomic<compiler::Compiler*> compiler_{nullptr};
  std::atomic<runtime::Executor*> executor_{nullptr};

  // What prepareFork found; what is created later belongs to threads that the child will not have.
  runtime::Executor* preparedExecutor_ = nullptr;
  compiler::Compiler* preparedCompiler_ = nullptr;
  bool forkLocked_ = false;
};

}  // namespace weft
