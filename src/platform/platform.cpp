// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"

#include <pthread.h>

#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>

#include "config/config.h"
#include "config/log_sink.h"
#include "platform/versions.h"
#include "program/launch_planner.h"
#include "weft/support/once.h"

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
  options.maxThreads = device.computeUnits();  // no more than the container has processors for
  options.cpu = settings.cpu;
  options.cacheEnabled = settings.cache;
  options.cacheDirectory = settings.cacheDirectory;
  options.cacheMaxBytes = settings.cacheBytes;
  options.dumpDirectory = settings.dumpDirectory;
  options.extraBuildOptions = settings.buildOptions;
  if (settings.log.vectorizer) options.explain = [](std::string_view line) { writeLogLine(line); };
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

Platform& Platform::instance() {
  static constinit Once<Platform> platform;
  return platform.get([] { return new Platform; });
}

Platform::Platform() : Object(nullptr), device_(makeRef<Device>(*this)) {}

runtime::Executor& Platform::executor() {
  if (runtime::Executor* ready = executor_.load(std::memory_order_acquire)) return *ready;
  registerForkHandlers();
  MutexLock lock(mutex_);
  return executorLocked();
}

runtime::Executor& Platform::executorLocked() {
  runtime::Executor* executor = executor_.load(std::memory_order_relaxed);
  if (executor == nullptr) {
    executor = runtime::createExecutor(executorOptions(*device_)).release();
    executor_.store(executor, std::memory_order_release);
  }
  return *executor;
}

compiler::Compiler& Platform::compiler() {
  if (compiler::Compiler* ready = compiler_.load(std::memory_order_acquire)) return *ready;
  registerForkHandlers();
  MutexLock lock(mutex_);
  compiler::Compiler* compiler = compiler_.load(std::memory_order_relaxed);
  if (compiler == nullptr) {
    const abi::ServiceTable services = executorLocked().services();
    compiler = compiler::createCompiler(compilerOptions(*device_, services)).release();
    compiler_.store(compiler, std::memory_order_release);
    // What is compiled in the background gets a moment to reach the disk. Not atexit(), which the
    // library does without (icd/static_lifetime.cpp).
    static_cast<void>(on_exit([](int, void*) { finishBuilds(); }, nullptr));
  }
  return *compiler;
}

LaunchPlanner& Platform::launchPlanner() {
  if (LaunchPlanner* ready = launchPlanner_.load(std::memory_order_acquire)) return *ready;
  MutexLock lock(mutex_);
  LaunchPlanner* planner = launchPlanner_.load(std::memory_order_relaxed);
  if (planner == nullptr) {
    planner = createLaunchPlanner().release();
    launchPlanner_.store(planner, std::memory_order_release);
  }
  return *planner;
}

void Platform::unloadCompiler() noexcept {
  if (compiler::Compiler* compiler = compiler_.load(std::memory_order_acquire)) compiler->unload();
}

void Platform::finishBuilds() noexcept { instance().compiler_.load()->finishPosted(); }

BuildRegistry& Platform::builds() noexcept {
  registerForkHandlers();
  return builds_;
}

CallbackThread& Platform::callbacks() noexcept {
  registerForkHandlers();
  return callbacks_;
}

Graph& Platform::graph() noexcept {
  registerForkHandlers();
  return graph_;
}

SvmRegistry& Platform::svm() noexcept {
  registerForkHandlers();
  return svm_;
}

void Platform::setDispatchData(void* data) noexcept {
  dispatchData = data;
  device_->dispatchData = data;
}

void Platform::registerForkHandlers() noexcept {
  if (forkHandlersRegistered_.load(std::memory_order_relaxed)) return;
  if (forkHandlersRegistered_.exchange(true, std::memory_order_relaxed)) return;
  // Without memory for the handlers a child that uses OpenCL is on its own.
  if (pthread_atfork(prepareFork, afterForkInParent, afterForkInChild) != 0)
    log::write(log::Level::Warning, "no memory for fork handlers");
}

void Platform::prepareFork() noexcept {
  Platform& self = instance();
  self.forkMutex_.lock();
  const auto end = std::chrono::steady_clock::now() + kForkPatience;
  while (!(self.forkLocked_ = self.mutex_.tryLock()) && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  self.preparedExecutor_ = self.executor_.load(std::memory_order_acquire);
  self.preparedCompiler_ = self.compiler_.load(std::memory_order_acquire);
  if (self.preparedExecutor_) self.preparedExecutor_->prepareFork();
  if (self.preparedCompiler_) self.preparedCompiler_->prepareFork();
  // After the executor, whose running jobs report to the graph when they end.
  self.graph_.prepareFork();
  self.callbacks_.prepareFork();
  self.builds_.prepareFork();
  self.svm_.prepareFork();
  // Last, since objects may be used under the other locks and never the other way round.
  self.objects_.prepareFork();
}

void Platform::afterForkInParent() noexcept {
  Platform& self = instance();
  self.objects_.afterForkInParent();
  self.svm_.afterForkInParent();
  self.builds_.afterForkInParent();
  self.callbacks_.afterForkInParent();
  self.graph_.afterForkInParent();
  if (self.preparedCompiler_) self.preparedCompiler_->afterForkInParent();
  if (self.preparedExecutor_) self.preparedExecutor_->afterForkInParent();
  if (self.forkLocked_) self.mutex_.unlock();
  self.forkMutex_.unlock();
}

void Platform::afterForkInChild() noexcept {
  Platform& self = instance();
  // Its holder is not in this process, and what it was making was not published.
  if (self.forkLocked_)
    self.mutex_.unlock();
  else
    new (&self.mutex_) Mutex;
  // From the inside out: what stands further down may use what stands above it.
  if (self.preparedExecutor_) self.preparedExecutor_->afterForkInChild();
  if (self.preparedCompiler_) self.preparedCompiler_->afterForkInChild();
  self.callbacks_.afterForkInChild();
  self.graph_.afterForkInChild();
  self.builds_.afterForkInChild();
  self.svm_.afterForkInChild();
  self.objects_.afterForkInChild();
  self.forkMutex_.unlock();
}

}  // namespace weft
