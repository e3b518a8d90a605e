// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/runtime/executor.h"

#include <algorithm>
#include <vector>

#include "device_enqueue/family.h"
#include "exec/slices.h"
#include "exec/slot.h"
#include "executor/services.h"
#include "sched/cpu_mask.h"
#include "sched/job_pool.h"
#include "sched/ready_jobs.h"
#include "weft/runtime/cpus.h"

namespace weft::runtime {
namespace {

constexpr uint64_t kDefaultWorkGroupSize = 4096;
constexpr std::chrono::milliseconds kForkPatience{100};

/// A pool of slots and the planning for it.
///
/// Ownership: owns the pool, except in a child of fork(), where the parent's pool is abandoned:
/// its threads do not exist there and its locks may be held for ever.
class PoolExecutor final : public Executor {
 public:
  explicit PoolExecutor(const ExecutorOptions& options) : options_(options) {
    cpus_ = availableCpus();
    home_ = options_.cpus.empty() ? CpuMask::ofThisThread() : CpuMask(options_.cpus);
    if (options_.workers == 0) options_.workers = cpus_;
    options_.workers = std::min(options_.workers, kMaxWorkers);
    if (options_.maxWorkGroupSize == 0) options_.maxWorkGroupSize = kDefaultWorkGroupSize;
    pool_ = createPool();
  }

  std::unique_ptr<WorkerSet> createWorkerSet(std::span<const unsigned> slots,
                                             std::span<const unsigned> cpus) override {
    SlotMask mask(options_.workers);
    for (const unsigned slot : slots) mask.set(slot);
    return std::make_unique<SlotSet>(std::move(mask), static_cast<unsigned>(slots.size()),
                                     CpuMask(cpus));
  }
  void slice(LaunchShape& shape, const Placement& placement) const noexcept override {
    sliceLaunch(shape, Executor::slots(placement));
  }
  bool hasStacksFor(const LaunchShape& shape) const noexcept override {
    return ExecSlot::hasStacksFor(shape, limits_);
  }
  void submit(Job& job, Urgency urgency) noexcept override { pool_->submit(job, urgency); }
  void kick() noexcept override { pool_->kick(); }
  bool help(Job& job) noexcept override { return pool_->help(job); }
  void releaseSlots() noexcept override { pool_->releaseSlots(); }
  std::unique_ptr<Descendants> createDescendants(const DescendantsOptions& options) override {
    return std::make_unique<Family>(*this, options);
  }
  bool withdraw(Job& job) noexcept override { return pool_->withdraw(job); }
  unsigned slots() const noexcept override { return options_.workers; }
  abi::ServiceTable services() const noexcept override { return serviceTable(); }

  void prepareFork() noexcept override WEFT_NO_TSA { pool_->pause(kForkPatience); }
  void afterForkInParent() noexcept override WEFT_NO_TSA { pool_->resume(); }
  void afterForkInChild() noexcept override {
    abandoned_ = pool_.release();
    abandoned_->abandon();
    ++generation_;
    pool_ = createPool();
  }

 private:
  std::unique_ptr<JobPool> createPool() {
    limits_ =
        defaultLaneLimits(options_.maxWorkGroupSize, options_.workers, options_.maxStackBytes);
    std::vector<std::unique_ptr<Slot>> slots;
    slots.reserve(options_.workers);
    for (unsigned i = 0; i < options_.workers; ++i)
      slots.push_back(std::make_unique<ExecSlot>(i, options_, limits_));
    return std::make_unique<JobPool>(std::move(slots), home_, cpus_, generation_);
  }

  ExecutorOptions options_;
  LaneLimits limits_;
  unsigned cpus_ = 1;
  CpuMask home_;
  uint32_t generation_ = 1;
  std::unique_ptr<JobPool> pool_;
  /// Keeps the last abandoned pool reachable, for leak checkers and for the part that forked.
  JobPool* abandoned_ = nullptr;
};

}  // namespace

std::unique_ptr<Executor> createExecutor(const ExecutorOptions& options) {
  return std::make_unique<PoolExecutor>(options);
}

}  // namespace weft::runtime
