// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/handle.h"
#include "context/context.h"
#include "queue/command.h"

namespace weft {

class SemaphoreCommand;
struct SemaphoreUse;

/// What clCreateSemaphoreWithPropertiesKHR was given.
struct SemaphoreOptions {
  std::vector<Device*> devices;                   ///< the semaphore is associated with
  std::vector<cl_semaphore_properties_khr> list;  ///< as given, terminator included
};

/// A binary semaphore.
///
/// A wait is paired with a signal as soon as both are enqueued, in the order of the calls, and
/// from then on simply depends on it. So a semaphore can be used again once the calls have
/// returned, whatever their commands are waiting for. A signal that ends abnormally takes its
/// wait along, or the next one that is enqueued before another signal; a wait that ends abnormally
/// leaves the signal to the next one.
///
/// Ownership: holds its context; held by the commands that use it. Threads: all methods from any
/// thread; what is private and changes is guarded by the graph's lock and touched by Graph alone.
class Semaphore final : public Object<Semaphore, _cl_semaphore_khr, HandleTag::Semaphore> {
 public:
  Semaphore(Context& context, SemaphoreOptions options);

  Context& context() const noexcept { return *context_; }
  const SemaphoreOptions& options() const noexcept { return options_; }
  bool has(const Device& device) const noexcept;
  /// 1 when it is signaled, else 0.
  cl_semaphore_payload_khr payload() const noexcept;

 private:
  friend class Graph;
  ~Semaphore() override = default;

  /// First in, first out, linked by SemaphoreUse::next and previous.
  struct UseList {
    SemaphoreUse* first = nullptr;
    SemaphoreUse* last = nullptr;
    void push(SemaphoreUse& use) noexcept;
    SemaphoreUse* pop() noexcept;
    void remove(SemaphoreUse& use) noexcept;
  };

  Ref<Context> context_;
  SemaphoreOptions options_;
  UseList signals_;          ///< enqueued, not complete, without a wait
  UseList waits_;            ///< enqueued, without a signal
  uint64_t available_ = 0;   ///< complete signals without a wait
  uint64_t failed_ = 0;      ///< the same for those that ended abnormally, since the last signal
  uint64_t unconsumed_ = 0;  ///< complete signals whose wait is not complete
};

/// One semaphore of one command.
struct SemaphoreUse {
  Ref<Semaphore> semaphore;
  SemaphoreCommand* command = nullptr;
  SemaphoreUse* partner = nullptr;  ///< the other of a pair, until one of them is complete
  SemaphoreUse* next = nullptr;
  SemaphoreUse* previous = nullptr;
  bool listed = false;   ///< in a list of the semaphore
  bool granted = false;  ///< of a wait: its signal is complete
};

/// clEnqueueWaitSemaphoresKHR and clEnqueueSignalSemaphoresKHR. There is nothing to run.
class SemaphoreCommand final : public Command {
 public:
  /// `type` tells the two apart. Throws std::bad_alloc.
  SemaphoreCommand(Queue& queue, cl_command_type type, std::span<const cl_semaphore_khr> list);

  bool isWait() const noexcept { return type() == CL_COMMAND_SEMAPHORE_WAIT_KHR; }
  /// The command as one of semaphores, or null.
  static SemaphoreCommand* from(Command& command) noexcept;

 private:
  friend class Graph;
  ~SemaphoreCommand() override = default;
  void releasePayload() noexcept override { uses_.clear(); }

  std::vector<SemaphoreUse> uses_;
};

}  // namespace weft
