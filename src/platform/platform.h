// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <memory>

#include "memory/svm.h"
#include "platform/callback_thread.h"
#include "platform/device.h"
#include "platform/handle.h"
#include "platform/object_mutex.h"
#include "program/build_registry.h"
#include "queue/graph.h"
#include "weft/compiler/compiler.h"
#include "weft/runtime/executor.h"
#include "weft/support/mutex.h"

namespace weft {

class LaunchPlanner;

/// The one platform: owns the device and composes the compiler and the executor, each on the
/// first call that needs it, so that enumerating platforms starts no thread and no compiler.
///
/// Ownership: created by the first call of instance(), never destroyed, since worker threads
/// and handles may outlive static destructors. Threads: all methods from any thread.
class Platform final : public Object<Platform, _cl_platform_id, HandleTag::Platform> {
 public:
  static Platform& instance();

  Device& device() const noexcept { return *device_; }

  compiler::Compiler& compiler();
  runtime::Executor& executor();
  LaunchPlanner& launchPlanner();
  /// The executor if there is one already: for paths that have nothing to do without it.
  runtime::Executor* executorIfCreated() const noexcept {
    return executor_.load(std::memory_order_acquire);
  }
  /// Gives back what the compiler holds between builds, if there is a compiler.
  void unloadCompiler() noexcept;
  /// Builds of programs under way.
  BuildRegistry& builds() noexcept;
  /// Where callbacks of the application run.
  CallbackThread& callbacks() noexcept;

  /// The commands of all queues of all contexts.
  Graph& graph() noexcept;
  /// The shared virtual memory of all contexts.
  SvmRegistry& svm() noexcept;

  /// cl_khr_icd 2.0: the loader's data for the platform and every object made from it.
  void setDispatchData(void* data) noexcept;

 private:
  Platform();

  runtime::Executor& executorLocked() WEFT_REQUIRES(mutex_);
  static void finishBuilds() noexcept;
  void registerForkHandlers() noexcept;
  static void prepareFork() noexcept WEFT_NO_TSA;
  static void afterForkInParent() noexcept WEFT_NO_TSA;
  static void afterForkInChild() noexcept WEFT_NO_TSA;

  const Ref<Device> device_;
  CallbackThread callbacks_;
  BuildRegistry builds_;
  Graph graph_{*this};
  SvmRegistry svm_;
  ObjectSections objects_;

  Mutex mutex_;  ///< taken to create one of the three below
  std::atomic<compiler::Compiler*> compiler_{nullptr};
  std::atomic<runtime::Executor*> executor_{nullptr};
  std::atomic<LaunchPlanner*> launchPlanner_{nullptr};

  std::atomic<bool> forkHandlersRegistered_{false};

  // Held from prepareFork to its end: the C library lets two threads run fork handlers at once.
  Mutex forkMutex_;
  // What prepareFork found; what is created later belongs to threads that the child will not have.
  runtime::Executor* preparedExecutor_ = nullptr;
  compiler::Compiler* preparedCompiler_ = nullptr;
  bool forkLocked_ = false;
};

}  // namespace weft
