// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

#include "children/child.h"
#include "children/child_store.h"
#include "device_enqueue/device_event.h"
#include "weft/runtime/device_enqueue.h"
#include "weft/runtime/executor.h"
#include "weft/support/mutex.h"

namespace weft::runtime {

class ExecSlot;

/// A command with all that its kernels have enqueued.
///
/// Ready children are in the stores of the slots that made them ready; a thread that has run a part
/// runs what its slot has before it goes on. Where there is more than one to run, a job of the pool
/// brings other workers in, who take from these stores; large children are open to all of them part
/// by part.
///
/// `active_` counts the threads in here, the job of the command until the pool is done with it, and
/// the helpers' job. Each leaves with an empty store, so when it is zero nothing can be run: all is
/// complete, or what is left waits for events that nobody can set any more, and fails.
/// Threads: any.
class Family final : public Descendants, public FamilyBase {
 public:
  Family(Executor& executor, const DescendantsOptions& options);
  ~Family() override;

  LaunchNode* node() noexcept override { return &root_; }
  void runPart(const KernelLaunch& launch, size_t part, Slot& slot) noexcept override;
  void jobFinished() noexcept override { leave(nullptr); }

  // For kernels of the family, on the slot that runs them:
  int32_t enqueue(ExecSlot& slot, const abi::EnqueueRequest& request) noexcept;
  /// `kNullDeviceEvent` when there is no memory.
  void* createUserEvent() noexcept;
  void setUserEvent(ExecSlot& slot, void* event, int32_t status) noexcept;
  void retain(void* event) noexcept;
  void release(void* event) noexcept;
  void capture(void* event, int32_t name, void* value) noexcept;
  DeviceQueue* defaultQueue() const noexcept { return options_.defaultQueue; }
  BlockSource& blocks() const noexcept { return options_.blocks; }
  Job& job() const noexcept { return options_.job; }

  void groupEnded(Child* children, ChildStore& store) noexcept override {
    releaseAll(children, store);
  }

 private:
  /// The job that brings other workers in: a part for each.
  class Helpers final : public Job {
   public:
    explicit Helpers(Family& family) noexcept : family_(family) {}
    void runPart(size_t, Slot& slot) noexcept override { family_.help(slot); }
    void started() noexcept override {}
    void finished() noexcept override { family_.helpersLeft(); }
    void failed(FailureKind, std::string_view) noexcept override {}
    void printed(std::string_view) noexcept override {}

   private:
    Family& family_;
  };
  struct Claim {
    Child* child = nullptr;
    size_t part = 0;
  };

  DeviceEvent* eventOf(const void* handle) const noexcept;
  DeviceEvent* makeEvent(DeviceEvent::Kind kind) noexcept WEFT_EXCLUDES(mutex_);
  void drop(DeviceEvent& event) noexcept WEFT_EXCLUDES(mutex_);
  void settle(DeviceEvent& event, int32_t status, const DeviceEvent::Times& times,
              ChildStore* store) noexcept;

  int32_t check(const abi::EnqueueRequest& request) const noexcept;
  bool makeRoom(ExecSlot& slot, DeviceQueue& queue, uint32_t bytes) noexcept;
  int32_t make(ExecSlot& slot, const abi::EnqueueRequest& request, Child*& made) noexcept;
  int32_t bindBlock(const abi::EnqueueRequest& request, const compiler::KernelInfo& kernel,
                    uint8_t* memory, uint64_t& localBytes, BlockSource::Found& found) noexcept;
  void link(ExecSlot& slot, Child& child, const abi::EnqueueRequest& request) noexcept;

  void met(Child& child, ChildStore* store) noexcept;
  void releaseAll(Child* children, ChildStore& store) noexcept;
  void releaseAfterEnd(LaunchNode& node, ChildStore& store) noexcept;

  void enter(ChildStore& store) noexcept WEFT_EXCLUDES(mutex_);
  void leave(ChildStore* store) noexcept;
  void runAll(ExecSlot& slot) noexcept;
  void drain(ExecSlot& slot) noexcept;
  void run(Child& child, ExecSlot& slot) noexcept;
  void runClaim(const Claim& claim, ExecSlot& slot) noexcept;
  void runEnded(Child& child, ChildStore* store) noexcept;
  void hold(LaunchNode& parent, ChildStore& store) noexcept;
  void skipEndedParents(Child& child, ChildStore& store) noexcept;
  void done(LaunchNode* node, ChildStore* store) noexcept;
  void giveBack(LaunchNode* node, uint32_t count, ChildStore* store, bool mayHold) noexcept;
  void flush(ChildStore& store) noexcept;
  void destroy(Child& child, ChildStore* store) noexcept;

  void callHelpers() noexcept;
  void dismissHelpers() noexcept;
  void helpersLeft() noexcept;
  void help(Slot& slot) noexcept;
  bool steal(ChildStore& store) noexcept WEFT_EXCLUDES(mutex_);
  void open(Child& child) noexcept WEFT_EXCLUDES(mutex_);
  Claim claimOpen() noexcept WEFT_EXCLUDES(mutex_);

  void failWaiting(ChildStore* store) noexcept WEFT_EXCLUDES(mutex_);
  int32_t told(int32_t error) const noexcept;

  Executor& executor_;
  const DescendantsOptions options_;
  const unsigned slots_;
  LaunchNode root_;
  std::atomic<uint32_t> active_{1};
  std::atomic<size_t> ownPartsLeft_;
  Helpers helpers_;
  std::atomic<bool> helping_{false};  ///< the helpers' job is with the pool
  std::atomic<bool> isDry_{false};    ///< a helper has found nothing for a while
  std::atomic<uint32_t> openCount_{0};

  Mutex mutex_;
  std::vector<ChildStore*> stores_ WEFT_GUARDED_BY(mutex_);  ///< of the slots that have been here
  Child* open_ WEFT_GUARDED_BY(mutex_) = nullptr;            ///< with parts to take, by next
  Child* waiting_ WEFT_GUARDED_BY(mutex_) = nullptr;         ///< for events
  DeviceEvent* events_ WEFT_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace weft::runtime
