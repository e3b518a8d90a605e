// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/variant_store.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <set>
#include <utility>

#include "driver/program_impl.h"
#include "driver/tier_policy.h"
#include "driver/variant_slot.h"
#include "jit/code_hash.h"
#include "weft/support/log.h"

namespace weft::compiler {
namespace {

llvm::StringRef toStringRef(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Messages of several layers as one text that ends in one newline.
std::string asLog(llvm::StringRef text) { return (text.trim() + "\n").str(); }

bool hasLocalSize(const VariantKey& key) { return key.localSize != std::array<uint32_t, 3>{}; }
bool hasImages(const VariantKey& key) { return key.images != ImageClasses{}; }

/// Operations of sub-groups in loops over work-items exist in lanes only.
bool hasQuickCode(const KernelInfo& kernel, const VariantKey& key) {
  return key.form == Form::Fibers || !kernel.meetsInSubGroups;
}

}  // namespace

/// The final code of one slot as a job. Ownership: the program, so that it outlives the job.
class VariantStore::BackgroundWork {
 public:
  BackgroundWork(ProgramImpl& program, VariantStore& store, Slot& slot)
      : program_(&program), store_(&store), slot_(&slot) {}
  BackgroundWork(BackgroundWork&& other) noexcept
      : program_(std::move(other.program_)),
        store_(other.store_),
        slot_(std::exchange(other.slot_, nullptr)) {}
  BackgroundWork& operator=(BackgroundWork&&) = delete;
  /// A job that is dropped leaves nobody waiting.
  ~BackgroundWork() {
    if (slot_) store_->settleWithout(*slot_, {ErrorKind::Internal, "the process ends\n"});
  }

  void operator()() {
    Slot& slot = *std::exchange(slot_, nullptr);
    bool isDone = false;
    while (!isDone) {
      const ForkGate::Activity activity(store_->core_.gate(), program_.get());
      isDone = store_->runPosted(slot);
    }
  }

 private:
  Ref<ProgramImpl> program_;
  VariantStore* store_;
  Slot* slot_;
};

VariantStore::VariantStore(ProgramImpl& program, CompilerCore& core, const ProgramImage& image,
                           std::unique_ptr<IrUnit> unit)
    : program_(program),
      core_(core),
      image_(image),
      trials_(image.optimize && core.options().tiers != Tiers::Quick ? core.options().trials
                                                                     : TrialMode::Off),
      modules_(std::move(unit)) {}

VariantStore::~VariantStore() = default;

bool VariantStore::clear() {
  MutexLock lock(mutex_);
  if (slots_.empty() && modules_.isEmpty()) return true;
  // LLVM's work, so it is done where its failures are contained.
  return core_
      .run([this]() WEFT_NO_TSA {
        for (const auto& slot : slots_)
          for (const auto* code : {&slot->quick, &slot->final})
            if (*code) core_.giveUp((*code)->key, std::move((*code)->loaded));
        slots_.clear();
        modules_.clear();
      })
      .result.has_value();
}

VariantStore::Slot* VariantStore::find(size_t kernel, const VariantKey& key) {
  const auto found = std::ranges::find_if(
      slots_, [&](const auto& slot) { return slot->kernel == kernel && slot->key == key; });
  return found == slots_.end() ? nullptr : found->get();
}

Result<VariantStore::Slot*> VariantStore::findOrAdd(size_t kernel, const KernelInfo& info,
                                                    const VariantKey& key) {
  if (Slot* slot = find(kernel, key)) return slot;
  std::set<std::array<uint32_t, 3>> sizes;
  std::set<ImageClasses> images;
  for (const auto& slot : slots_) {
    if (slot->kernel != kernel) continue;
    if (hasLocalSize(slot->key)) sizes.insert(slot->key.localSize);
    if (hasImages(slot->key)) images.insert(slot->key.images);
  }
  if (hasLocalSize(key) && !sizes.contains(key.localSize) && sizes.size() >= kMaxLocalSizes)
    return fail(
        Error{ErrorKind::TooMany, "too many work-group sizes of kernel " + info.name + "\n"});
  if (hasImages(key) && !images.contains(key.images) && images.size() >= kMaxImageClasses)
    return fail(Error{ErrorKind::TooMany,
                      "too many formats and samplers of images of kernel " + info.name + "\n"});
  slots_.push_back(std::make_unique<Slot>());
  Slot& slot = *slots_.back();
  slot.kernel = kernel;
  slot.info = &info;
  slot.key = key;
  return &slot;
}

/// What there is to give without making anything.
std::optional<Result<const Variant*>> VariantStore::known(Slot& slot) {
  if (slot.final) return &slot.final->variant;
  if (slot.quick) return &slot.quick->variant;
  // Memory may be had again; all else goes wrong the same way each time.
  if (slot.refusal && slot.refusal->kind != ErrorKind::OutOfMemory) return fail(*slot.refusal);
  return std::nullopt;
}

/// Whether a background thread of this process makes the final code, or will.
bool VariantStore::isPending(const Slot& slot) const {
  return slot.postedIn != 0 && slot.postedIn == core_.generation() && !slot.isSettled();
}

Result<const Variant*> VariantStore::get(size_t kernel, const KernelInfo& info,
                                         const VariantKey& key, const LaunchOutlook& outlook) {
  MutexLock lock(mutex_);
  // What is there for any rows, or comes soon, does for whole ones.
  Slot* slot = key.wholeRows ? find(kernel, key.forAnyRows()) : nullptr;
  if (!slot || !(slot->final || isPending(*slot))) {
    WEFT_TRY(slot, findOrAdd(kernel, info, key));
  }
  if (!slot->isRecalled) {
    lock.unlock();
    recall(*slot);
    lock.lock();
  }
  if (const auto& tried = slot->tried[abi::rangeClassOf(outlook.items)];
      tried && tried->width != 0) {
    VariantKey taken = slot->key;
    taken.width = tried->width;
    WEFT_TRY(slot, findOrAdd(kernel, info, taken));
  }
  changed_.wait(lock, [&] { return !slot->making; });
  auto result = known(*slot);
  if (result && !slot->quick) return *std::move(result);
  if (result && slot->isSettled()) return *std::move(result);
  if (!result && !isPending(*slot)) {
    const Making making(*this, *slot);
    slot->failure.reset();
    slot->refusal.reset();
    lock.unlock();
    auto begun = begin(*slot, outlook);
    if (!begun) refuse(*slot, begun.error());
    if (!begun || *begun) return begun;
  } else {
    // A fork leaves background work behind in the parent.
    const bool orphaned = slot->quick && slot->postedIn != 0 && !isPending(*slot);
    lock.unlock();
    if (orphaned) postFinal(*slot);
  }
  awaitFinal(*slot, outlook);
  lock.lock();
  changed_.wait(lock, [&] { return !slot->making; });
  if (auto found = known(*slot)) return *std::move(found);
  const Making making(*this, *slot);
  lock.unlock();
  return makeQuick(*slot);
}

Result<std::string> VariantStore::explain(size_t kernel, const KernelInfo& info,
                                          const VariantKey& key) {
  std::string text;
  MutexLock lock(mutex_);
  WEFT_TRY(Slot * slot, findOrAdd(kernel, info, key));
  changed_.wait(lock, [&] { return !slot->making; });
  const bool isKnown = known(*slot).has_value();
  const Making making(*this, *slot);
  lock.unlock();
  recall(*slot);
  if (isKnown) {
    PhaseTimer timer("explanation of " + info.name);
    WEFT_TRY_VOID(compile(*slot, Tier::Final, {}, timer, &text, nullptr));
    return text + trialText(*slot);
  }
  if (auto made = make(*slot, Tier::Final, {}, &text); !made) {
    refuse(*slot, made.error());
    return fail(std::move(made).error());
  }
  return text + trialText(*slot);
}

/// The variant, unless its final code is being made in the background: then null.
Result<const Variant*> VariantStore::begin(Slot& slot, const LaunchOutlook& outlook) {
  if (core_.explains()) return make(slot, Tier::Final, {});  // the cache has no more to tell
  {
    PhaseTimer timer("variant " + slot.info->name + ", cached");
    if (auto cached = loadCached(slot, timer)) return publish(slot, std::move(cached));
    timer.cancel();
  }
  // Without optimisation there is one tier.
  const bool hasTiers = image_.optimize && hasQuickCode(*slot.info, slot.key);
  switch (hasTiers ? core_.options().tiers : Tiers::Final) {
    case Tiers::Quick:
      return make(slot, Tier::Quick, {});
    case Tiers::Auto:
      // Who waits in any case does not wait for the final code of other kernels as well.
      if (tier_policy::patienceFor(outlook) == tier_policy::kLongestPatience &&
          core_.isBackgroundCrowded(/*withOneMore=*/true))
        break;
      if (postFinal(slot)) return nullptr;
      break;
    case Tiers::Final:
      break;
  }
  return make(slot, Tier::Final, {});
}

/// Waits for final code as long as that is better than quick code, or until somebody wants to fork.
void VariantStore::awaitFinal(Slot& slot, const LaunchOutlook& outlook) {
  using std::chrono::milliseconds;
  const bool hopeless = image_.bitcode.size() / std::max<size_t>(1, image_.kernels.size()) >
                        tier_policy::kHopelessBytes;
  const bool isCrowded = core_.isBackgroundCrowded();
  MutexLock lock(mutex_);
  milliseconds patience = tier_policy::patienceFor(outlook);
  if (!slot.quick) {
    if (slot.info->relaxedMath) patience = std::max(patience, tier_policy::kConsistencyPatience);
    if (!hopeless && !isCrowded) patience = std::max(patience, tier_policy::kPatience);
  }
  // Where there is no time for the one, there is none for the other on top of it either.
  const bool mayStarve = patience == tier_policy::kPatience;
  const auto begin = std::chrono::steady_clock::now();
  const auto waitsOn = [&]() WEFT_REQUIRES(mutex_) {
    if (!isPending(slot) || core_.gate().isClosing()) return false;
    const auto waited = std::chrono::steady_clock::now() - begin;
    return waited < patience ||
           (mayStarve && slot.isStarved() && waited < tier_policy::kMostPatience);
  };
  while (waitsOn()) changed_.waitFor(lock, tier_policy::kLook, [&] { return slot.isSettled(); });
  const auto waited =
      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
  if (waited > tier_policy::kMostPatience && log::enabled(log::Level::Debug))
    log::write(log::Level::Debug, "a launch of " + slot.info->name + " has waited " +
                                      std::to_string(waited.count()) + " ms for final code");
}

/// Pre: the final code has been posted, and has not come or will not.
Result<const Variant*> VariantStore::makeQuick(Slot& slot) {
  auto quick = make(slot, Tier::Quick, {});
  MutexLock lock(mutex_);
  if (!quick) changed_.wait(lock, [&] { return slot.isSettled(); });
  if (slot.final) return &slot.final->variant;
  if (!quick) slot.refusal = quick.error();
  return quick;
}

bool VariantStore::postFinal(Slot& slot) {
  {
    MutexLock lock(mutex_);
    slot.postedIn = core_.generation();
  }
  try {
    return core_.postBackground(BackgroundWork(program_, *this, slot));
  } catch (const std::bad_alloc&) {
    return false;
  }
}

bool VariantStore::isAbandoned() const {
  if (core_.isClosing()) return core_.cache() == nullptr || core_.isClosed();
  // What goes to the disk cache serves the next process.
  return core_.cache() == nullptr && !program_.isShared();
}

/// False when somebody wants to fork: all is to be done again.
bool VariantStore::runPosted(Slot& slot) {
  {
    MutexLock lock(mutex_);
    slot.worker = ThreadClock::ofThisThread();
  }
  bool isInterrupted = false;
  const auto made = make(slot, Tier::Final, [&] {
    isInterrupted = isInterrupted || core_.gate().isClosing();
    return isInterrupted || isAbandoned();
  });
  {
    MutexLock lock(mutex_);
    slot.worker.reset();
  }
  if (made) return true;
  if (isInterrupted && !isAbandoned()) return false;
  if (!isAbandoned() && made.error().kind != ErrorKind::Unsuited)
    log::write(log::Level::Warning, "kernel " + slot.info->name + " cannot be optimised: " +
                                        llvm::StringRef(made.error().log).rtrim().str());
  settleWithout(slot, made.error());
  return true;
}

Result<const Variant*> VariantStore::make(Slot& slot, Tier tier, std::function<bool()> stop,
                                          std::string* explanation) {
  PhaseTimer timer("variant " + slot.info->name + (tier == Tier::Quick ? ", quick" : ", final"));
  if (stop && stop()) return fail(Error{ErrorKind::Internal, "given up\n"});
  std::chrono::nanoseconds cost{0};
  WEFT_TRY(std::unique_ptr<llvm::MemoryBuffer> object,
           compile(slot, tier, std::move(stop), timer, explanation, &cost));
  DiskCache* cache = tier == Tier::Final ? core_.cache() : nullptr;
  std::optional<Digest> key;
  if (cache) {
    key = cacheKey(slot);
    const llvm::StringRef bytes = object->getBuffer();
    cache->store(EntryKind::Variant, *key, {bytes.data(), bytes.size()});
    timer.phase("store");
  }
  auto loaded = load(slot, tier, std::move(object));
  timer.phase("link");
  if (!loaded) return fail(std::move(loaded).error());
  (*loaded)->key = key;
  (*loaded)->cost = cost;
  return publish(slot, std::move(*loaded));
}

std::unique_ptr<VariantStore::Code> VariantStore::loadCached(const Slot& slot, PhaseTimer& timer) {
  DiskCache* cache = core_.cache();
  if (!cache) return nullptr;
  const Digest key = cacheKey(slot);
  if (auto kept = core_.takeCode(key)) {
    timer.phase("kept");
    auto code = codeOf(slot, Tier::Final, *std::move(kept));
    code->key = key;
    return code;
  }
  const auto entry = cache->find(EntryKind::Variant, key);
  if (!entry) return nullptr;
  auto copy = llvm::MemoryBuffer::getMemBufferCopy(toStringRef(entry->payload), slot.info->name);
  timer.phase("cache");
  auto loaded = load(slot, Tier::Final, std::move(copy));
  timer.phase("link");
  // A cached object that does not load is as good as none.
  if (!loaded) return nullptr;
  (*loaded)->key = key;
  return *std::move(loaded);
}

Result<std::unique_ptr<llvm::MemoryBuffer>> VariantStore::compile(const Slot& slot, Tier tier,
                                                                  std::function<bool()> stop,
                                                                  PhaseTimer& timer,
                                                                  std::string* explanation,
                                                                  std::chrono::nanoseconds* cost) {
  std::string error;
  std::unique_ptr<IrUnit> unit;
  std::unique_ptr<llvm::MemoryBuffer> object;
  auto outcome = core_.run([&] {
    const ThreadClock clock = ThreadClock::ofThisThread();
    // The one that is there is left for quick code, for which somebody may soon be waiting.
    auto taken = modules_.take(/*leave=*/stop ? 1 : 0, image_.bitcode,
                               !core_.options().dumpDirectory.empty());
    if (!taken) {
      error = taken.error();
      return;
    }
    unit = std::move(*taken);
    timer.phase("module");
    PrepareOptions options = core_.prepareOptions(image_.optimize, image_.privateMemory);
    options.tier = tier;
    options.stop = std::move(stop);
    options.phaseEnded = [&](const char* phase) { timer.phase(phase); };
    if (explanation || (!slot.isRival && (core_.explains() || log::enabled(log::Level::Info))))
      options.explain = [&](const std::string& text) {
        if (explanation) *explanation = text;
        tell(text);
      };
    auto compiled = compileVariant(unit->module(), *slot.info, slot.keyAt(tier), options);
    error = unit->takeDiagnostics();
    if (compiled)
      object = std::move(*compiled);
    else
      error += llvm::toString(compiled.takeError());
    modules_.giveBack(std::move(unit));
    if (cost) *cost = clock.used();
  });
  // What a fatal error was working on is left alone; the bitcode is still there.
  if (outcome.quarantine) (void)unit.release();
  WEFT_TRY_VOID(std::move(outcome.result));
  if (object) return object;
  // Everything else of a kernel that prepareProgram has let pass is a fault of ours.
  const bool isTrial = slot.key.form == Form::BarrierLoops && slot.info->barrierLoopsOnTrial;
  return fail(Error{isTrial ? ErrorKind::Unsuited : ErrorKind::Internal, asLog(error)});
}

/// Logs an explanation, line by line.
void VariantStore::tell(const std::string& explanation) const {
  for (llvm::StringRef line : llvm::split(llvm::StringRef(explanation).rtrim(), '\n')) {
    if (core_.explains())
      core_.options().explain(std::string_view(line));
    else
      log::write(log::Level::Info, std::string_view(line));
  }
}

Result<std::unique_ptr<VariantStore::Code>> VariantStore::load(
    const Slot& slot, Tier tier, std::unique_ptr<llvm::MemoryBuffer> object) {
  LoadedCode code;
  code.hash = codeHash(object->getMemBufferRef());
  code.bytes = object->getBufferSize();
  const std::string symbol = variantSymbol(slot.info->name, slot.keyAt(tier));
  std::string error;
  auto outcome = core_.run([&] {
    auto jit = core_.jit();
    if (!jit) {
      error = jit.error();
      return;
    }
    auto loaded = (*jit)->load(std::move(object), symbol);
    if (!loaded) {
      error = llvm::toString(loaded.takeError());
      return;
    }
    code.jit = *jit;
    code.loaded = *loaded;
  });
  if (outcome.quarantine) core_.quarantineJit();
  WEFT_TRY_VOID(std::move(outcome.result));
  if (!code.jit) return fail(Error{ErrorKind::Internal, asLog(error)});
  return codeOf(slot, tier, std::move(code));
}

/// What launches need to run `loaded`.
std::unique_ptr<VariantStore::Code> VariantStore::codeOf(const Slot& slot, Tier tier,
                                                         LoadedCode loaded) {
  auto code = std::make_unique<Code>();
  Variant& variant = code->variant;
  variant.key = slot.key;
  variant.tier = tier;
  variant.frameBytes = loaded.loaded.frameBytes;
  variant.width = loaded.loaded.width;
  if (slot.key.form == Form::Fibers)
    variant.itemEntry = reinterpret_cast<abi::ItemEntry>(loaded.loaded.entry);
  else
    variant.groupEntry = reinterpret_cast<abi::GroupEntry>(loaded.loaded.entry);
  code->loaded = std::move(loaded);
  return code;
}

/// Makes code known, and lets quick code lead to final code, whichever came first.
const Variant* VariantStore::publish(Slot& slot, std::unique_ptr<Code> code) {
  const bool isQuick = code->variant.tier == Tier::Quick;
  if (!isQuick) addTrials(slot, *code);
  MutexLock lock(mutex_);
  auto& place = isQuick ? slot.quick : slot.final;
  place = std::move(code);
  if (isQuick && slot.postedIn != 0 && !slot.failure) slot.quick->variant.provisional = true;
  if (slot.quick && slot.final)
    slot.quick->variant.better.store(&slot.final->variant, std::memory_order_release);
  changed_.notifyAll();
  return &place->variant;
}

/// There will be no final code in this process.
void VariantStore::settleWithout(Slot& slot, Error error) {
  MutexLock lock(mutex_);
  slot.failure = std::move(error);
  if (slot.quick) slot.quick->variant.provisional = false;
  changed_.notifyAll();
}

/// There is no code at all.
void VariantStore::refuse(Slot& slot, Error error) {
  {
    MutexLock lock(mutex_);
    slot.refusal = error;
  }
  settleWithout(slot, std::move(error));
}

/// What its code is made for. Quick code: SIMD lanes are not worth the time.
VariantKey VariantStore::Slot::keyAt(Tier tier) const {
  VariantKey result = key;
  if (tier == Tier::Quick) {
    result.width = 1;
    result.separateBuffers = false;
  }
  return result;
}

/// Of a slot's final code.
Digest VariantStore::cacheKey(const Slot& slot) const {
  const VariantKey& key = slot.key;
  DigestBuilder digest = core_.beginKey("variant");
  digest.add(image_.identity).add(slot.info->name);
  digest.add(static_cast<uint64_t>(key.form)).add(uint64_t{key.width});
  digest.add(uint64_t{key.subGroupSize});
  for (uint32_t size : key.localSize) digest.add(uint64_t{size});
  digest.add(uint64_t{key.rowDimension});
  digest.add(uint64_t{key.wholeRows}).add(uint64_t{key.exactIndices});
  digest.add(uint64_t{key.smallerGroups}).add(uint64_t{key.divergent});
  digest.add(uint64_t{key.separateBuffers}).add(static_cast<uint64_t>(key.reductions));
  for (uint16_t image : key.images) digest.add(uint64_t{image});
  return digest.finish();
}

}  // namespace weft::compiler
