// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/handle.h"
#include "context/context.h"
#include "weft/runtime/executor.h"

namespace weft {

class Command;
class Event;
class Graph;

/// A wait list that validate::waitList has checked: events of the queue's context.
using WaitList = std::span<const cl_event>;

/// What clCreateCommandQueueWithProperties was given.
struct QueueOptions {
  cl_command_queue_properties properties = 0;
  std::vector<cl_queue_properties> list;  ///< as given, terminator included; may be empty
  runtime::Priority priority = runtime::Priority::Medium;
  uint64_t size = 0;       ///< bytes of a queue on the device
  bool throttled = false;  ///< CL_QUEUE_THROTTLE_LOW_KHR: half of the device's compute units
};

/// A command queue of the host, or one on the device, for kernels to enqueue to: commands of the
/// host never enter that.
///
/// Ownership: holds its context; every command of it holds the queue, so that a queue which the
/// application has released goes when its last command is complete.
/// Threads: all methods from any thread; what is private and changes is guarded by the graph's
/// lock and touched by Graph alone.
class Queue final : public Object<Queue, _cl_command_queue, HandleTag::Queue> {
 public:
  Queue(Context& context, Device& device, QueueOptions options);

  Context& context() const noexcept { return *context_; }
  Device& device() const noexcept { return device_; }
  bool inOrder() const noexcept {
    return (options_.properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
  }
  bool profiling() const noexcept { return (options_.properties & CL_QUEUE_PROFILING_ENABLE) != 0; }
  const QueueOptions& options() const noexcept { return options_; }
  /// Of every job of the queue.
  const runtime::Placement& placement() const noexcept { return placement_; }
  /// Threads that may run a command at the same time.
  unsigned slots() const noexcept {
    return placement_.workers ? placement_.workers->size() : device_.computeUnits();
  }

  /// Of a queue on the device: what kernels know it by. Null for others.
  runtime::DeviceQueue* onDevice() const noexcept { return onDevice_.get(); }
  /// Null when there is none.
  static Ref<Queue> defaultOnDevice(const Context& context, const Device& device) noexcept;

  /// Whether a command with this wait list that was enqueued now could start at once; small
  /// ones are then run by the caller in place.
  bool isIdle(WaitList waits) const noexcept;

  /// clFlush: what has not begun is handed to the workers.
  void flush() noexcept;
  /// clFinish: helps with, and waits for, every command enqueued before the call.
  void finish() noexcept;

  /// Hook of Object: releasing a queue flushes it.
  void applicationReleased() noexcept;

 private:
  friend class Graph;
  ~Queue() override;

  Ref<Context> context_;
  Device& device_;
  QueueOptions options_;
  runtime::Placement placement_;
  std::unique_ptr<runtime::DeviceQueue> onDevice_;

  Command* oldest_ = nullptr;  ///< incomplete commands, in the order they were enqueued
  Command* newest_ = nullptr;
  Command* barrier_ = nullptr;    ///< last incomplete barrier; out-of-order queues only
  Command* allBefore_ = nullptr;  ///< last incomplete command that waits for all before it
  uint64_t lastSequence_ = 0;
  uint32_t sinceKick_ = 0;
  Queue* previousQueue_ = nullptr;  ///< neighbours in the graph's list of queues
  Queue* nextQueue_ = nullptr;
};

}  // namespace weft
