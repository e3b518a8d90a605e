// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/thread_clock.h"
#include "driver/code_reserve.h"
#include "driver/tier_policy.h"
#include "driver/variant_store.h"
#include "driver/width_trial.h"

/// What a store keeps of each variant: for the files that implement it.
namespace weft::compiler {

/// Loaded code.
struct VariantStore::Code {
  Variant variant;
  LoadedCode loaded;
  std::optional<Digest> key;                     ///< of the disk cache; none where that is off
  std::optional<std::chrono::nanoseconds> cost;  ///< of making it; none when it was cached
};

struct VariantStore::Slot {
  size_t kernel = 0;
  const KernelInfo* info = nullptr;
  VariantKey key;
  /// Of the final code, made with it; by class of ranges.
  std::array<std::unique_ptr<SlotTrial>, abi::kRangeClasses> trials;
  std::atomic<bool> isRival = false;  ///< made for a trial, which speaks for it
  // The rest is guarded by the store's mutex.
  /// What has come of trials in this process or in an earlier one, by class of ranges.
  TrialRecords tried;
  bool isRecalled = false;  ///< those of earlier ones are known
  bool making = false;      ///< a thread makes the first code
  uint64_t postedIn = 0;    ///< process generation whose background work this waits for; or 0
  std::optional<ThreadClock> worker;  ///< of the thread that makes the final code
  std::unique_ptr<Code> quick;
  std::unique_ptr<Code> final;
  std::optional<Error> failure;  ///< why there is no final code
  std::optional<Error> refusal;  ///< why there is no code at all

  VariantKey keyAt(Tier tier) const;
  bool isSettled() const { return final || failure; }
  /// Whether the background thread has been kept from its work, by other work of the machine.
  bool isStarved() const { return !worker || worker->used() < tier_policy::kFairShare; }
};

/// A trial of a slot's final code in launches of one class. Ownership: the slot. Threads: any.
class VariantStore::SlotTrial final : public TrialHost {
 public:
  SlotTrial(VariantStore& store, Slot& slot, const Code& code, size_t rangeClass);

  abi::CodeTrial& trial() { return trial_; }

  bool post(WidthTrial& trial) noexcept override;
  Made make(uint32_t width, std::chrono::nanoseconds limit) override;
  void remember(const TrialRecord& record) override;

 private:
  bool makeRival(Slot& slot, std::chrono::nanoseconds limit);

  VariantStore& store_;
  Slot& slot_;
  const size_t rangeClass_;
  const uint64_t generation_;
  WidthTrial trial_;
  std::vector<uint64_t> hashes_;  ///< of what has been tried
};

/// A slot that the calling thread makes code for. Pre: no other does.
class VariantStore::Making {
 public:
  Making(VariantStore& store, Slot& slot) WEFT_REQUIRES(store.mutex_) : store_(store), slot_(slot) {
    slot.making = true;
  }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;
  ~Making() {
    MutexLock lock(store_.mutex_);
    slot_.making = false;
    store_.changed_.notifyAll();
  }

 private:
  VariantStore& store_;
  Slot& slot_;
};

}  // namespace weft::compiler
