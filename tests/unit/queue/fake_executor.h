// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>

#include "weft/runtime/executor.h"
#include "weft/support/mutex.h"

namespace weft::fake {

/// An executor without threads, linked in place of the real one: jobs run when the test or a
/// waiting thread says so.
class FakeExecutor final : public runtime::Executor {
 public:
  std::unique_ptr<runtime::WorkerSet> createWorkerSet(std::span<const unsigned> slots,
                                                      std::span<const unsigned>) override {
    return std::make_unique<runtime::WorkerSet>(static_cast<unsigned>(slots.size()));
  }
  void slice(runtime::LaunchShape& shape, const runtime::Placement&) const noexcept override {
    shape.parts = 1;
  }
  void submit(runtime::Job& job, runtime::Urgency urgency) noexcept override;
  void kick() noexcept override;
  bool help(runtime::Job& job) noexcept override;
  bool withdraw(runtime::Job& job) noexcept override;
  unsigned slots() const noexcept override { return 4; }
  abi::ServiceTable services() const noexcept override { return {}; }
  void prepareFork() noexcept override {}
  void afterForkInParent() noexcept override {}
  void afterForkInChild() noexcept override;

  /// Jobs that no kick has reached.
  size_t lazy() const;
  /// Jobs that a worker would begin with by itself.
  size_t urgent() const;
  /// Runs one urgent job, the oldest, as a worker would. False when there is none.
  bool runOne();
  /// Hands everything over and runs it, with all that it sets free.
  void runAll();
  /// Jobs run by a waiting thread so far.
  size_t helped() const;

 private:
  class NoSlot;
  static void run(runtime::Job& job);

  mutable Mutex mutex_;
  std::deque<runtime::Job*> lazy_ WEFT_GUARDED_BY(mutex_);
  std::deque<runtime::Job*> urgent_ WEFT_GUARDED_BY(mutex_);
  size_t helped_ WEFT_GUARDED_BY(mutex_) = 0;
};

/// The one that the platform has created.
FakeExecutor& executor();

}  // namespace weft::fake
