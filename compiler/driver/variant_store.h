// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/phase_timer.h"
#include "driver/compiler_core.h"
#include "driver/module_pool.h"
#include "driver/program_binary.h"
#include "driver/trial_plan.h"
#include "weft/compiler/compiler.h"
#include "weft/support/mutex.h"

namespace weft::compiler {

class ProgramImpl;

/// The machine code of one program: what has been made, and what is being made.
///
/// A variant is Absent -> Pending (a background thread makes the final code, for which launches
/// wait as long as it suits them) -> Provisional (one of them has made quick code meanwhile) ->
/// Settled; or goes straight from Absent or Pending to Settled. One thread at a time makes what is
/// made in the foreground, others wait for it. Nothing is ever taken back. Final code whose width
/// is the compiler's to choose may have a trial, for which background threads make the same at
/// other widths; how that ends is in the disk cache, and counts for as long as it is there.
/// Ownership: owned by the program, which background work keeps alive; borrows the rest of it.
/// Threads: any. Callers hold an Activity of the gate for the program.
class VariantStore {
 public:
  /// `unit`: the image's bitcode as a module, or null.
  VariantStore(ProgramImpl& program, CompilerCore& core, const ProgramImage& image,
               std::unique_ptr<IrUnit> unit);
  ~VariantStore();
  VariantStore(const VariantStore&) = delete;
  VariantStore& operator=(const VariantStore&) = delete;

  /// As Program::variant, whose index `kernel` is that of `info`.
  Result<const Variant*> get(size_t kernel, const KernelInfo& info, const VariantKey& key,
                             const LaunchOutlook& outlook);
  /// As Program::explain.
  Result<std::string> explain(size_t kernel, const KernelInfo& info, const VariantKey& key);
  /// Frees parsed modules, unless they are in use. Pre: on a compiler thread.
  void dropModules() noexcept { modules_.clear(); }
  /// Frees everything. False when LLVM failed at that: the store must then be left alone.
  bool clear();

 private:
  struct Code;
  struct Slot;
  class BackgroundWork;
  class TrialWork;
  class SlotTrial;
  class Making;

  Slot* find(size_t kernel, const VariantKey& key) WEFT_REQUIRES(mutex_);
  Result<Slot*> findOrAdd(size_t kernel, const KernelInfo& info, const VariantKey& key)
      WEFT_REQUIRES(mutex_);
  std::optional<Result<const Variant*>> known(Slot& slot) WEFT_REQUIRES(mutex_);

  bool isPending(const Slot& slot) const WEFT_REQUIRES(mutex_);
  void recall(Slot& slot) WEFT_EXCLUDES(mutex_);
  Result<const Variant*> begin(Slot& slot, const LaunchOutlook& outlook);
  void awaitFinal(Slot& slot, const LaunchOutlook& outlook) WEFT_EXCLUDES(mutex_);
  Result<const Variant*> makeQuick(Slot& slot);
  bool postFinal(Slot& slot);
  bool runPosted(Slot& slot);
  bool isAbandoned() const;

  /// `explanation`, which may be null, is what Program::explain gives; `cost`, which may be null as
  /// well, the processor time that it takes.
  Result<const Variant*> make(Slot& slot, Tier tier, std::function<bool()> stop,
                              std::string* explanation = nullptr);
  std::unique_ptr<Code> loadCached(const Slot& slot, PhaseTimer& timer);
  std::unique_ptr<Code> codeOf(const Slot& slot, Tier tier, LoadedCode loaded);
  Result<std::unique_ptr<llvm::MemoryBuffer>> compile(const Slot& slot, Tier tier,
                                                      std::function<bool()> stop, PhaseTimer& timer,
                                                      std::string* explanation,
                                                      std::chrono::nanoseconds* cost);
  void tell(const std::string& explanation) const;
  std::string trialText(const Slot& slot) WEFT_EXCLUDES(mutex_);
  Result<std::unique_ptr<Code>> load(const Slot& slot, Tier tier,
                                     std::unique_ptr<llvm::MemoryBuffer> object);
  const Variant* publish(Slot& slot, std::unique_ptr<Code> code) WEFT_EXCLUDES(mutex_);
  void settleWithout(Slot& slot, Error error) WEFT_EXCLUDES(mutex_);
  void refuse(Slot& slot, Error error) WEFT_EXCLUDES(mutex_);
  void addTrials(Slot& slot, Code& code) WEFT_EXCLUDES(mutex_);
  Digest cacheKey(const Slot& slot) const;
  TrialRecords recorded(const Slot& slot) const;

  ProgramImpl& program_;
  CompilerCore& core_;
  const ProgramImage& image_;
  const TrialMode trials_;
  Mutex mutex_;
  ConditionVariable changed_;  ///< of a slot's state
  std::vector<std::unique_ptr<Slot>> slots_ WEFT_GUARDED_BY(mutex_);
  ModulePool modules_;
};

}  // namespace weft::compiler
