// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backend/backend.h"

#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>

#include "base/process_wide.h"
#include "config/config.h"
#include "config/log_sink.h"
#include "platform/limits.h"
#include "platform/platform.h"
#include "platform/versions.h"

namespace weft {
namespace {

/// How long fork() waits for someone who is making the compiler or the executor.
constexpr std::chrono::milliseconds kForkPatience{200};

compiler::CompilerOptions compilerOptions(const Device& device, abi::ServiceTable services) {
  const Config& settings = config();
  compiler::CompilerOptions options;
  options.services = services;
  options.subGroupSize = limits::kSubGroupSize;
  options.maxLocalBytes = device.localMemory();
  options.maxGlobalVariableBytes = limits::kMaxGlobalVariableSize;
  options.tiers = settings.tiers;
  options.trials = settings.trials;
  options.maxThreads = device.computeUnits();  // no more than the container has processors for
  options.cpu = settings.cpu;
  options.cacheEnabled = settings.cache;
  options.cacheDirectory = settings.cacheDirectory;
  options.cacheMaxBytes = settings.cacheBytes;
  options.dumpDirectory = settings.dumpDirectory;
  options.extraBuildOptions = settings.buildOptions;
  if (settings.log.vectorizer) options.explain = [](std::string_view line) { writeLogLine(line); };
  const cl_version version = openClVersion();
  options.openClVersion = CL_VERSION_MAJOR(version) * 100 + CL_VERSION_MINOR(version) * 10;
  options.extensions = extensionMacros();
  options.features = featureMacros();
  return options;
}

runtime::ExecutorOptions executorOptions(const Device& device) {
  runtime::ExecutorOptions options;
  options.workers = device.computeUnits();
  options.cpus = device.facts().cpus;
  options.maxLocalBytes = device.localMemory();
  options.maxWorkGroupSize = limits::kMaxWorkGroupSize;
  // Fiber stacks may not take what buffers need; the figure knows the container's limit.
  options.maxStackBytes = device.globalMemory() / 2;
  options.strictBarriers = config().strictBarriers;
  return options;
}

}  // namespace

Backend& Backend::instance() noexcept {
  static constinit ProcessWide<Backend> backend;
  return backend.get();
}

runtime::Executor& Backend::executor() {
  if (runtime::Executor* ready = executor_.load(std::memory_order_acquire)) return *ready;
  MutexLock lock(mutex_);
  return executorLocked();
}

runtime::Executor& Backend::executorLocked() {
  runtime::Executor* executor = executor_.load(std::memory_order_relaxed);
  if (executor == nullptr) {
    const Device& device = Platform::instance().device();
    executor = runtime::createExecutor(executorOptions(device)).release();
    executor_.store(executor, std::memory_order_release);
  }
  return *executor;
}

compiler::Compiler& Backend::compiler() {
  if (compiler::Compiler* ready = compiler_.load(std::memory_order_acquire)) return *ready;
  MutexLock lock(mutex_);
  compiler::Compiler* compiler = compiler_.load(std::memory_order_relaxed);
  if (compiler == nullptr) {
    const abi::ServiceTable services = executorLocked().services();
    const Device& device = Platform::instance().device();
    compiler = compiler::createCompiler(compilerOptions(device, services)).release();
    compiler_.store(compiler, std::memory_order_release);
    // What is compiled in the background gets a moment to reach the disk. Not atexit(), which the
    // library does without (icd/static_lifetime.cpp).
    static_cast<void>(on_exit([](int, void*) { finishBuilds(); }, nullptr));
  }
  return *compiler;
}

void Backend::unloadCompiler() noexcept {
  if (compiler::Compiler* compiler = compiler_.load(std::memory_order_acquire)) compiler->unload();
}

void Backend::finishBuilds() noexcept { instance().compiler_.load()->finishPosted(); }

void Backend::prepareFork() noexcept {
  const auto end = std::chrono::steady_clock::now() + kForkPatience;
  while (!(forkLocked_ = mutex_.tryLock()) && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  preparedExecutor_ = executor_.load(std::memory_order_acquire);
  preparedCompiler_ = compiler_.load(std::memory_order_acquire);
  if (preparedExecutor_) preparedExecutor_->prepareFork();
  if (preparedCompiler_) preparedCompiler_->prepareFork();
}

void Backend::afterForkInParent() noexcept {
  if (preparedCompiler_) preparedCompiler_->afterForkInParent();
  if (preparedExecutor_) preparedExecutor_->afterForkInParent();
  if (forkLocked_) mutex_.unlock();
}

void Backend::afterForkInChild() noexcept {
  // Its holder is not in this process, and what it was making was not published.
  if (forkLocked_)
    mutex_.unlock();
  else
    new (&mutex_) Mutex;
  if (preparedExecutor_) preparedExecutor_->afterForkInChild();
  if (preparedCompiler_) preparedCompiler_->afterForkInChild();
}

}  // namespace weft
