// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>

#include "base/phase_timer.h"
#include "base/thread_clock.h"
#include "base/tuning.h"
#include "driver/program_impl.h"
#include "driver/variant_slot.h"
#include "weft/support/log.h"

namespace weft::compiler {
namespace {

/// "ranges of 16384 work-items and more, below 65536"
std::string rangesText(size_t rangeClass) {
  const auto least = [](size_t each) { return std::to_string(abi::leastItemsOfClass(each)); };
  std::string text = "ranges of ";
  if (rangeClass != 0) text += least(rangeClass) + " work-items and more";
  if (rangeClass + 1 == abi::kRangeClasses) return text;
  return text + (rangeClass != 0 ? ", below " : "fewer work-items than ") + least(rangeClass + 1);
}

}  // namespace

/// The next step of a trial as a job. Ownership: the program, so that it outlives the job.
class VariantStore::TrialWork {
 public:
  TrialWork(ProgramImpl& program, CompilerCore& core, WidthTrial& trial)
      : program_(&program), core_(&core), trial_(&trial) {}
  TrialWork(TrialWork&& other) noexcept
      : program_(std::move(other.program_)),
        core_(other.core_),
        trial_(std::exchange(other.trial_, nullptr)) {}
  TrialWork& operator=(TrialWork&&) = delete;
  ~TrialWork() {
    if (trial_) trial_->postpone();
  }

  void operator()() {
    const ForkGate::Activity activity(core_->gate(), program_.get());
    // Code that somebody waits for comes first.
    if (!core_->isBackgroundCrowded()) std::exchange(trial_, nullptr)->proceed();
  }

 private:
  Ref<ProgramImpl> program_;
  CompilerCore* core_;
  WidthTrial* trial_;
};

/// What the disk cache knows of how trials of a slot have ended.
TrialRecords VariantStore::recorded(const Slot& slot) const {
  if (trials_ != TrialMode::On || !mayTryWidths(*slot.info, slot.key) || !core_.cache()) return {};
  const auto entry = core_.cache()->find(EntryKind::Trial, cacheKey(slot));
  return (entry ? TrialRecords::decode(entry->payload) : std::nullopt).value_or(TrialRecords());
}

/// Learns from the disk cache how earlier trials have ended.
void VariantStore::recall(Slot& slot) {
  TrialRecords records = recorded(slot);
  {
    MutexLock lock(mutex_);
    if (slot.isRecalled) return;
    slot.tried = std::move(records);
    slot.isRecalled = true;
  }
  if (const std::string text = core_.explains() ? trialText(slot) : ""; !text.empty()) tell(text);
}

/// Pre: nobody else knows the code.
void VariantStore::addTrials(Slot& slot, Code& code) {
  if (trials_ == TrialMode::Off || !mayTryWidths(*slot.info, slot.key)) return;
  MutexLock lock(mutex_);
  for (size_t each = 0; each < slot.trials.size(); ++each) {
    if (slot.tried[each]) continue;
    slot.trials[each] = std::make_unique<SlotTrial>(*this, slot, code, each);
    code.variant.trials[each] = &slot.trials[each]->trial();
  }
}

VariantStore::SlotTrial::SlotTrial(VariantStore& store, Slot& slot, const Code& code,
                                   size_t rangeClass)
    : store_(store),
      slot_(slot),
      rangeClass_(rangeClass),
      generation_(store.core_.generation()),
      trial_(*this, code.variant, widthsToTry(slot.key),
             code.cost.value_or(tuning::trials::kUsualCost), store.trials_ == TrialMode::Eager),
      hashes_{code.loaded.hash} {}

bool VariantStore::SlotTrial::post(WidthTrial& trial) noexcept {
  // What the store's threads were doing at a fork, they do for ever.
  if (generation_ != store_.core_.generation()) return false;
  try {
    const ForkGate::Activity activity(store_.core_.gate(), &store_.program_);
    if (store_.trials_ == TrialMode::Eager) {  // tests are soon over
      const Ref<ProgramImpl> program(&store_.program_);
      trial.proceed();
      return true;
    }
    return store_.core_.postBackground(TrialWork(store_.program_, store_.core_, trial));
  } catch (const std::bad_alloc&) {
    return false;
  }
}

TrialHost::Made VariantStore::SlotTrial::make(uint32_t width, std::chrono::nanoseconds limit) {
  VariantKey key = slot_.key;
  key.width = width;
  MutexLock lock(store_.mutex_);
  const auto found = store_.findOrAdd(slot_.kernel, *slot_.info, key);
  if (!found) return {};
  Slot& slot = **found;
  lock.unlock();
  if (!makeRival(slot, limit)) return {.isLater = true};
  lock.lock();
  if (!slot.final || std::ranges::count(hashes_, slot.final->loaded.hash) != 0) return {};
  hashes_.push_back(slot.final->loaded.hash);
  return {.code = &slot.final->variant};
}

/// Makes final code, if nobody else does. False when there is other work to do.
bool VariantStore::SlotTrial::makeRival(Slot& slot, std::chrono::nanoseconds limit) {
  MutexLock lock(store_.mutex_);
  store_.changed_.wait(lock, [&] { return !slot.making; });
  if (slot.isSettled() || store_.isPending(slot)) return true;
  const Making making(store_, slot);
  lock.unlock();
  slot.isRival = true;
  PhaseTimer timer("variant " + slot.info->name + ", cached");
  if (auto cached = store_.loadCached(slot, timer)) {
    store_.publish(slot, std::move(cached));
    return true;
  }
  timer.cancel();
  const ThreadClock clock = ThreadClock::ofThisThread();
  bool isStopped = false;
  const auto made = store_.make(slot, Tier::Final, [&] {
    isStopped = isStopped || store_.core_.gate().isClosing() || store_.core_.isClosing() ||
                !store_.program_.isShared() || clock.used() > limit;
    return isStopped;
  });
  if (!made && !isStopped) store_.settleWithout(slot, made.error());
  return made || !isStopped;
}

void VariantStore::SlotTrial::remember(const TrialRecord& record) {
  TrialRecords known;
  {
    MutexLock lock(store_.mutex_);
    slot_.tried[rangeClass_] = record;
    known = slot_.tried;
  }
  if (DiskCache* cache = store_.trials_ == TrialMode::On ? store_.core_.cache() : nullptr) {
    // Where two processes do this at once, one of them forgets what the other has found.
    TrialRecords records = store_.recorded(slot_);
    for (size_t each = 0; each < known.size(); ++each)
      if (known[each]) records[each] = known[each];
    cache->store(EntryKind::Trial, store_.cacheKey(slot_), records.encode());
  }
  if (store_.core_.explains() || log::enabled(log::Level::Info))
    store_.tell(store_.trialText(slot_));
}

/// How the trials of a slot have ended, a line for each; empty when none has.
std::string VariantStore::trialText(const Slot& slot) {
  std::string text;
  MutexLock lock(mutex_);
  for (size_t each = 0; each < slot.tried.size(); ++each) {
    if (!slot.tried[each]) continue;
    const std::string& report = slot.tried[each]->report;
    text += "kernel " + slot.info->name + ", " + rangesText(each) +
            ": other widths and their speed: " + (report.empty() ? "none" : report) + "\n";
  }
  return text;
}

}  // namespace weft::compiler
