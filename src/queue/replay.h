// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

#include "base/object_mutex.h"
#include "platform/device.h"
#include "queue/command.h"
#include "weft/runtime/step_run.h"
#include "weft/support/ref.h"

namespace weft {

class ReplayPool;

/// One run of a command buffer's plan: the part of a command that lives while it runs.
///
/// Ownership: from a pool, to which it goes back when the last reference is gone. Holds the device,
/// for whose slots a part of it may wait when the command is complete already.
class Replay final : public runtime::StepRun {
 public:
  Replay(Ref<ReplayPool> pool, Ref<const runtime::StepGraph> graph, unsigned slots);

  /// See StepRun::start(). Once for each time that the pool gives it out.
  void start(Command& command, Ref<const runtime::StepPlan> plan, runtime::Executor& executor,
             runtime::Urgency urgency) noexcept;

 private:
  friend class ReplayPool;

  ~Replay() override = default;
  void destroy() const noexcept override;

  mutable Ref<ReplayPool> pool_;  ///< null while it is in the pool
  mutable Ref<Device> device_;
  mutable Replay* nextFree_ = nullptr;  ///< in the pool's list
};

/// Replays of one command buffer that are not in use, so that an enqueue allocates nothing once
/// there have been as many at the same time before.
///
/// Ownership: shared by the command buffer and its replays. Threads: any.
class ReplayPool final : public RefCounted {
 public:
  ReplayPool(Ref<const runtime::StepGraph> graph, unsigned slots) noexcept
      : graph_(std::move(graph)), slots_(slots) {}

  /// Throws std::bad_alloc.
  Ref<Replay> take() WEFT_EXCLUDES(mutex_);

 private:
  friend class Replay;
  ~ReplayPool() override;
  void give(const Replay& replay) noexcept WEFT_EXCLUDES(mutex_);

  const Ref<const runtime::StepGraph> graph_;
  const unsigned slots_;
  ObjectMutex mutex_;
  Replay* free_ WEFT_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace weft
