// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <span>
#include <vector>

#include "base/error.h"
#include "base/handle.h"
#include "base/object_mutex.h"
#include "queue/queue.h"
#include "queue/replay.h"
#include "queue/step.h"
#include "weft/khr/command_buffer.h"

namespace weft {

/// What clCreateCommandBufferKHR was given.
struct CommandBufferOptions {
  khr::cl_command_buffer_flags flags = 0;
  khr::cl_mutable_dispatch_asserts asserts = 0;
  std::vector<khr::cl_command_buffer_properties> list;  ///< as given, terminator included
};

/// A sync_point_wait_list; which points there are is known to the command buffer alone.
using SyncPoints = std::span<const khr::cl_sync_point>;

/// A change of recorded commands: all of it or nothing.
class CommandBufferUpdate {
 public:
  CommandBufferUpdate() = default;
  CommandBufferUpdate(const CommandBufferUpdate&) = delete;
  CommandBufferUpdate& operator=(const CommandBufferUpdate&) = delete;
  virtual ~CommandBufferUpdate() = default;

  /// The steps to be replaced, from the state the commands are in. On an error nothing is. Called
  /// again when another update has come first.
  virtual Result<std::vector<runtime::StepPlan::Change>> prepare() = 0;
  /// The steps have been replaced. The command buffer is locked.
  virtual void commit() noexcept = 0;
};

/// A command buffer: records steps, reduces them to a plan when it is finalized, and replays that.
///
/// Recording -> Executable, or Finalized while a step lacks an argument, from where an update leads
/// to Executable. There is no way back.
///
/// Ownership: holds its queue and, through the steps, all objects of the recorded commands; owns
/// the handles of its commands. Replays under way hold what they need: the command buffer may go.
/// Threads: all methods from any thread.
class CommandBuffer final
    : public Object<CommandBuffer, _cl_command_buffer_khr, HandleTag::CommandBuffer> {
 public:
  CommandBuffer(Queue& queue, CommandBufferOptions options);

  Context& context() const noexcept { return queue_->context(); }
  /// The queue whose device and order the commands are recorded for.
  Queue& queue() const noexcept { return *queue_; }
  Device& device() const noexcept { return queue_->device(); }
  const CommandBufferOptions& options() const noexcept { return options_; }
  bool isMutable() const noexcept { return (options_.flags & khr::kCommandBufferMutable) != 0; }
  khr::cl_command_buffer_state state() const noexcept WEFT_EXCLUDES(mutex_);

  /// How a step is ordered among the others, besides what its wait list says.
  enum class Order : uint8_t {
    Free,     ///< after the last barrier; in an in-order queue after the step before it
    Barrier,  ///< without a wait list after all steps; all later ones come after it
  };
  /// Appends a step and gives its place in the recording, which is its sync point less one.
  ///   CL_INVALID_OPERATION                 not recording
  ///   CL_INVALID_SYNC_POINT_WAIT_LIST_KHR  a sync point that no step has
  ///   CL_OUT_OF_RESOURCES                  no sync points left
  Result<size_t> record(Ref<const Step> step, Order order, SyncPoints waits) WEFT_EXCLUDES(mutex_);
  /// Checks what record() would check.
  Result<void> canRecord(SyncPoints waits) const WEFT_EXCLUDES(mutex_);

  /// CL_INVALID_OPERATION when it has been finalized before.
  Result<void> finalize() WEFT_EXCLUDES(mutex_);

  /// Enqueues one execution. CL_INVALID_OPERATION when the state is not Executable.
  Result<void> enqueue(Queue& queue, WaitList waits, cl_event* event) WEFT_EXCLUDES(mutex_);

  /// Makes an update; executions that are enqueued from now on see it. Pre: finalized.
  Result<void> update(CommandBufferUpdate& update) WEFT_EXCLUDES(mutex_);

  /// Keeps an object, the handle of a command, for as long as the command buffer lives.
  void own(Ref<RefCounted> object) WEFT_EXCLUDES(mutex_);

 private:
  ~CommandBuffer() override = default;

  Result<void> canRecordLocked(SyncPoints waits) const WEFT_REQUIRES(mutex_);
  /// The steps that a new one has to come after, none of them implied by another where that is
  /// easily seen.
  std::vector<uint32_t> predecessors(Order order, SyncPoints waits) const WEFT_REQUIRES(mutex_);

  const Ref<Queue> queue_;
  const CommandBufferOptions options_;

  mutable ObjectMutex mutex_;
  std::vector<runtime::RecordedStep> recording_ WEFT_GUARDED_BY(mutex_);  ///< until it is finalized
  std::vector<bool> hasSuccessor_ WEFT_GUARDED_BY(mutex_);  ///< parallel to recording_
  uint32_t firstOpen_ WEFT_GUARDED_BY(mutex_) = 0;     ///< all steps before it have a successor
  uint32_t afterBarrier_ WEFT_GUARDED_BY(mutex_) = 0;  ///< one past the last barrier; 0: none
  std::vector<Ref<RefCounted>> owned_ WEFT_GUARDED_BY(mutex_);
  Ref<const runtime::StepPlan> plan_ WEFT_GUARDED_BY(mutex_);  ///< null while recording
  Ref<ReplayPool> replays_ WEFT_GUARDED_BY(mutex_);            ///< as plan_
};

}  // namespace weft
