// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/program_impl.h"

#include <llvm/Support/MemoryBuffer.h>

#include <atomic>
#include <cstring>
#include <utility>

#include "driver/phase_timer.h"
#include "driver/program_block.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

llvm::StringRef toStringRef(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Messages of several layers as one text that ends in one newline.
std::string asLog(llvm::StringRef text) { return (text.trim() + "\n").str(); }

}  // namespace

struct ProgramImpl::State {
  struct Made {
    size_t kernel;
    Variant variant;
    std::shared_ptr<Jit> jit;
    uint64_t handle;
  };

  Mutex mutex;
  std::unique_ptr<IrUnit> unit WEFT_GUARDED_BY(mutex);
  std::vector<std::unique_ptr<Made>> made WEFT_GUARDED_BY(mutex);
};

/// Variables at program scope.
struct ProgramImpl::Scope {
  Mutex mutex;
  std::unique_ptr<ProgramBlock> block WEFT_GUARDED_BY(mutex);  ///< being initialised
  std::atomic<void*> ready = nullptr;                          ///< its memory, once it is
};

ProgramImpl::ProgramImpl(std::shared_ptr<CompilerCore> core, ProgramImage image,
                         std::unique_ptr<IrUnit> unit)
    : core_(std::move(core)),
      image_(std::move(image)),
      state_(std::make_unique<State>()),
      scope_(std::make_unique<Scope>()) {
  {
    MutexLock lock(state_->mutex);
    state_->unit = std::move(unit);
  }
  if (image_.kind == ProgramKind::Executable) core_->add(*this);
}

ProgramImpl::~ProgramImpl() {
  const ForkGate::Activity activity(core_->gate(), this);
  core_->remove(*this);
  MutexLock lock(state_->mutex);
  if (state_->made.empty() && !state_->unit) return;
  // LLVM's work, so it is done where its failures are contained.
  auto outcome = core_->run([this]() WEFT_NO_TSA {
    for (const auto& made : state_->made) made->jit->unload(made->handle);
    state_->made.clear();
    state_->unit.reset();
  });
  if (!outcome.result) {
    lock.unlock();
    (void)state_.release();
  }
}

void ProgramImpl::dropModule() noexcept {
  if (!state_->mutex.tryLock()) return;
  state_->unit.reset();
  state_->mutex.unlock();
}

Result<std::vector<std::byte>> ProgramImpl::serialize() const {
  const std::string text = encodeProgram(image_, hostTarget().tag);
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

Result<const Variant*> ProgramImpl::variant(size_t kernel, const VariantKey& key) {
  if (kernel >= image_.kernels.size() + image_.constructors.size()) {
    return fail(Error{ErrorKind::Internal, "no such kernel in the program\n"});
  }
  const ForkGate::Activity activity(core_->gate(), this);
  State& state = *state_;
  MutexLock lock(state.mutex);
  for (const auto& made : state.made) {
    if (made->kernel == kernel && made->variant.key == key) return &made->variant;
  }
  return makeVariant(state, kernel, key);
}

Result<const Variant*> ProgramImpl::makeVariant(State& state, size_t index,
                                                const VariantKey& key) WEFT_NO_TSA {
  const KernelInfo& kernel = kernelAt(index);
  PhaseTimer timer("variant " + kernel.name);
  DiskCache* cache = core_->cache();
  const Digest cacheKey = cache ? variantCacheKey(kernel, key) : Digest();
  if (cache) {
    auto entry = cache->find(EntryKind::Variant, cacheKey);
    auto copy = entry
                    ? llvm::MemoryBuffer::getMemBufferCopy(toStringRef(entry->payload), kernel.name)
                    : nullptr;
    if (copy) {
      timer.phase("cache");
      auto loaded = loadObject(state, index, key, std::move(copy));
      timer.phase("link");
      // A cached object that does not load is as good as none.
      if (loaded) return loaded;
    }
  }
  std::unique_ptr<llvm::MemoryBuffer> object;
  WEFT_TRY_VOID(compileObject(state, kernel, key, object));
  timer.phase("compile");
  if (cache) {
    const llvm::StringRef bytes = object->getBuffer();
    cache->store(EntryKind::Variant, cacheKey, {bytes.data(), bytes.size()});
    timer.phase("store");
  }
  auto loaded = loadObject(state, index, key, std::move(object));
  timer.phase("link");
  return loaded;
}

Result<void> ProgramImpl::compileObject(State& state, const KernelInfo& kernel,
                                        const VariantKey& key,
                                        std::unique_ptr<llvm::MemoryBuffer>& object) WEFT_NO_TSA {
  std::string error;
  auto outcome = core_->run([&]() WEFT_NO_TSA {
    if (!state.unit) {
      auto parsed = IrUnit::parse(image_.bitcode);
      if (!parsed) {
        error = parsed.error();
        return;
      }
      state.unit = std::move(*parsed);
    }
    auto compiled = compileVariant(state.unit->module(), kernel, key,
                                   core_->prepareOptions(image_.optimize, image_.privateMemory));
    error = state.unit->takeDiagnostics();
    if (!compiled) {
      error += llvm::toString(compiled.takeError());
      return;
    }
    object = std::move(*compiled);
  });
  // What a fatal error was working on is left alone; the bitcode is still there.
  if (outcome.quarantine) (void)state.unit.release();
  WEFT_TRY_VOID(std::move(outcome.result));
  if (!object) return fail(Error{ErrorKind::Internal, asLog(error)});
  return {};
}

Result<const Variant*> ProgramImpl::loadObject(State& state, size_t index, const VariantKey& key,
                                               std::unique_ptr<llvm::MemoryBuffer> object)
    WEFT_NO_TSA {
  auto made = std::make_unique<State::Made>();
  made->kernel = index;
  made->variant.key = key;
  std::string error;
  auto outcome = core_->run([&] {
    auto jit = core_->jit();
    if (!jit) {
      error = jit.error();
      return;
    }
    auto loaded = (*jit)->load(std::move(object), variantSymbol(kernelAt(index).name, key));
    if (!loaded) {
      error = llvm::toString(loaded.takeError());
      return;
    }
    made->jit = *jit;
    made->handle = loaded->handle;
    made->variant.frameBytes = loaded->frameBytes;
    if (key.form == Form::Fibers) {
      made->variant.itemEntry = reinterpret_cast<abi::ItemEntry>(loaded->entry);
    } else {
      made->variant.groupEntry = reinterpret_cast<abi::GroupEntry>(loaded->entry);
    }
  });
  if (outcome.quarantine) core_->quarantineJit();
  WEFT_TRY_VOID(std::move(outcome.result));
  if (!made->jit) return fail(Error{ErrorKind::Internal, asLog(error)});
  state.made.push_back(std::move(made));
  return &state.made.back()->variant;
}

Digest ProgramImpl::variantCacheKey(const KernelInfo& kernel, const VariantKey& key) {
  DigestBuilder digest = core_->beginKey("variant");
  digest.add(image_.identity).add(kernel.name);
  digest.add(static_cast<uint64_t>(key.form)).add(uint64_t{key.width});
  digest.add(uint64_t{key.subGroupSize});
  for (uint32_t size : key.localSize) digest.add(uint64_t{size});
  return digest.finish();
}

const KernelInfo& ProgramImpl::kernelAt(size_t index) const {
  const size_t kernels = image_.kernels.size();
  return index < kernels ? image_.kernels[index] : image_.constructors[index - kernels];
}

Result<void*> ProgramImpl::programScope() {
  Scope& scope = *scope_;
  if (void* ready = scope.ready.load(std::memory_order_acquire)) return ready;
  if (image_.programScope.bytes == 0 && image_.constructors.empty()) return nullptr;
  const ForkGate::Activity activity(core_->gate(), this);
  MutexLock lock(scope.mutex);
  if (void* ready = scope.ready.load(std::memory_order_relaxed)) return ready;
  scope.block = ProgramBlock::create(image_.programScope);
  if (!scope.block) {
    return fail(Error{ErrorKind::OutOfMemory, "error: no memory for the program's variables\n"});
  }
  WEFT_TRY_VOID(runConstructors(scope.block->data()));
  scope.ready.store(scope.block->data(), std::memory_order_release);
  return scope.block->data();
}

/// Each is run as a group of one work-item, on a compiler thread, whose stack is large.
Result<void> ProgramImpl::runConstructors(void* block) {
  for (size_t i = 0; i < image_.constructors.size(); ++i) {
    VariantKey key;
    key.form = Form::GroupLoop;
    key.subGroupSize = core_->options().subGroupSize;
    WEFT_TRY(const Variant* code, variant(image_.kernels.size() + i, key));
    abi::Launch launch{};
    launch.workDim = 1;
    launch.subGroupSize = key.subGroupSize;
    launch.programScope = block;
    abi::Group group{};
    group.launch = &launch;
    for (int d = 0; d < 3; ++d) {
      launch.globalSize[d] = launch.enqueuedLocalSize[d] = launch.numGroups[d] = 1;
      group.localSize[d] = group.boxEnd[d] = 1;
    }
    WEFT_TRY_VOID(core_->run([&] { code->groupEntry(&group); }).result);
  }
  return {};
}

void ProgramImpl::replaceAfterFork() {
  // Code handed out before stays valid in the old state, which is never freed.
  (void)state_.release();
  state_ = std::make_unique<State>();
  if (scope_->ready.load() == nullptr) {
    (void)scope_.release();
    scope_ = std::make_unique<Scope>();
  }
}

}  // namespace weft::compiler
