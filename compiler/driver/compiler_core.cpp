// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/compiler_core.h"

#include <malloc.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "driver/build_identity.h"
#include "driver/program_impl.h"
#include "driver/tier_policy.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

CompilerThreads& onFirstUse(std::unique_ptr<CompilerThreads>& threads, unsigned most) {
  if (!threads)
    threads = std::make_unique<CompilerThreads>(
        most != 0 ? most : std::max(1u, std::thread::hardware_concurrency()));
  return *threads;
}

}  // namespace

struct CompilerCore::Lazy {
  Mutex mutex;
  std::unique_ptr<DeviceLanguage> language WEFT_GUARDED_BY(mutex);
  std::unique_ptr<DiskCache> cache WEFT_GUARDED_BY(mutex);
  std::unique_ptr<CompilerThreads> threads WEFT_GUARDED_BY(mutex);
  std::unique_ptr<CompilerThreads> background WEFT_GUARDED_BY(mutex);
  std::shared_ptr<Jit> jit WEFT_GUARDED_BY(mutex);
  CodeReserve reserve{tier_policy::kReservedBytes};
  Mutex programsMutex;  ///< taken before the lock of a program
  std::set<ProgramImpl*> programs WEFT_GUARDED_BY(programsMutex);
};

CompilerCore::CompilerCore(CompilerOptions options)
    : options_(std::move(options)), lazy_(std::make_unique<Lazy>()) {
  limitHost(options_.cpu);
}

CompilerCore::~CompilerCore() = default;

const DeviceLanguage& CompilerCore::language() {
  MutexLock lock(lazy_->mutex);
  if (!lazy_->language) {
    lazy_->language = std::make_unique<DeviceLanguage>(options_, hostTarget().features);
  }
  return *lazy_->language;
}

DiskCache* CompilerCore::cache() {
  if (!options_.cacheEnabled) return nullptr;
  MutexLock lock(lazy_->mutex);
  if (!lazy_->cache) {
    std::string path = options_.cacheDirectory;
    if (path.empty()) path = defaultCacheDirectory().value_or("");
    // An empty path opens nothing, so the cache stays out of use.
    lazy_->cache = std::make_unique<DiskCache>(std::move(path), options_.cacheMaxBytes);
  }
  return lazy_->cache.get();
}

DigestBuilder CompilerCore::beginKey(std::string_view purpose) {
  const DeviceLanguage& device = language();
  DigestBuilder key;
  key.add(purpose).add(buildIdentity()).add(uint64_t{abi::kAbiVersion});
  key.add(hostTarget().tag).add(hostTarget().features).add(device.fingerprint());
  key.add(uint64_t{options_.subGroupSize}).add(options_.maxLocalBytes);
  key.add(options_.maxGlobalVariableBytes).add(options_.inlineBudget);
  return key;
}

PrepareOptions CompilerCore::prepareOptions(bool optimize, PrivateMemory memory) const {
  PrepareOptions prepare;
  prepare.zeroPrivate = memory == PrivateMemory::Zeroed;
  prepare.maxLocalBytes = options_.maxLocalBytes;
  prepare.maxGlobalVariableBytes = options_.maxGlobalVariableBytes;
  if (options_.inlineBudget != 0) prepare.inlineBudget = options_.inlineBudget;
  prepare.hasImages =
      std::ranges::find(options_.features, "__opencl_c_images") != options_.features.end();
  prepare.optimize = optimize;
  prepare.dumpDirectory = options_.dumpDirectory;
  prepare.control = options_.passes;
  prepare.services = options_.services;
  return prepare;
}

CompilerThreads& CompilerCore::threads() {
  MutexLock lock(lazy_->mutex);
  return onFirstUse(lazy_->threads, options_.maxThreads);
}

bool CompilerCore::postBackground(CompilerThreads::Posted job) {
  MutexLock lock(lazy_->mutex);
  if (closing_) return false;
  return onFirstUse(lazy_->background, options_.maxThreads).post(job);
}

bool CompilerCore::isBackgroundCrowded(bool withOneMore) {
  CompilerThreads* threads = backgroundIfAny();
  return threads && threads->isCrowded(withOneMore);
}

void CompilerCore::closeBackground() noexcept {
  CompilerThreads* threads = nullptr;
  {
    MutexLock lock(lazy_->mutex);
    if (!closing_) {
      closedAt_ = Clock::now() + tier_policy::kLastGrace;
      closing_.store(true, std::memory_order_release);
    }
    threads = lazy_->background.get();
  }
  if (threads) threads->finishPosted();
}

bool CompilerCore::isClosed() const noexcept { return isClosing() && Clock::now() >= closedAt_; }

CompilerThreads* CompilerCore::threadsIfAny() {
  MutexLock lock(lazy_->mutex);
  return lazy_->threads.get();
}

CompilerThreads* CompilerCore::backgroundIfAny() {
  MutexLock lock(lazy_->mutex);
  return lazy_->background.get();
}

CompilerThreads::Outcome CompilerCore::run(const std::function<void()>& job) {
  return threads().run(job);
}

void CompilerCore::giveUp(const std::optional<Digest>& key, LoadedCode code) {
  bool isKept = key.has_value();
  {
    MutexLock lock(lazy_->mutex);
    isKept = isKept && code.jit == lazy_->jit;  // not what a failed session has left
  }
  if (isKept)
    lazy_->reserve.put(*key, std::move(code));
  else
    code.unload();
}

std::optional<LoadedCode> CompilerCore::takeCode(const Digest& key) noexcept {
  return lazy_->reserve.take(key);
}

Expected<std::shared_ptr<Jit>, std::string> CompilerCore::jit() {
  MutexLock lock(lazy_->mutex);
  if (!lazy_->jit) {
    auto made = Jit::create(options_.services);
    if (!made) return fail(llvm::toString(made.takeError()) + "\n");
    lazy_->jit = std::move(*made);
  }
  return lazy_->jit;
}

void CompilerCore::quarantineJit() {
  MutexLock lock(lazy_->mutex);
  // One reference is never given back, so its destructor does not run.
  if (lazy_->jit) new std::shared_ptr<Jit>(std::exchange(lazy_->jit, nullptr));
  lazy_->reserve.abandon();
}

void CompilerCore::add(ProgramImpl& program) {
  MutexLock lock(lazy_->programsMutex);
  lazy_->programs.insert(&program);
}

void CompilerCore::remove(ProgramImpl& program) noexcept {
  MutexLock lock(lazy_->programsMutex);
  lazy_->programs.erase(&program);
}

void CompilerCore::unload() noexcept {
  CompilerThreads* threads = threadsIfAny();
  if (!threads) return;  // nothing has been compiled yet
  // Modules and sessions are LLVM's, so they are freed where its failures are contained.
  (void)threads->run([this] {
    {
      MutexLock lock(lazy_->programsMutex);
      for (ProgramImpl* program : lazy_->programs) program->dropModules();
    }
    lazy_->reserve.clear();
    MutexLock lock(lazy_->mutex);
    if (lazy_->jit.use_count() == 1) lazy_->jit.reset();
  });
  threads->endIdle();
  if (CompilerThreads* background = backgroundIfAny()) background->endIdle();
  ::malloc_trim(0);
}

void CompilerCore::replaceAfterFork(bool busy) {
  ++generation_;
  if (busy) {
    (void)lazy_.release();
    lazy_ = std::make_unique<Lazy>();
    return;
  }
  // Nobody was inside, so all locks are free; only the threads themselves are missing.
  MutexLock lock(lazy_->mutex);
  (void)lazy_->threads.release();
  (void)lazy_->background.release();
}

}  // namespace weft::compiler
