// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "queue/command.h"
#include "queue/replay.h"
#include "weft/support/mutex.h"

namespace weft {

/// One execution of a command buffer: a command of a queue whose work is a replay.
///
/// Ownership: holds the plan and the replay until it is complete; not the command buffer.
class ReplayCommand final : public Command {
 public:
  ReplayCommand(Queue& queue, Ref<Replay> replay, Ref<const runtime::StepPlan> plan) noexcept;

  void submitTo(runtime::Executor& executor, runtime::Urgency urgency) noexcept override
      WEFT_EXCLUDES(mutex_);
  bool helpWith(runtime::Executor& executor) noexcept override WEFT_EXCLUDES(mutex_);
  bool withdrawFrom(runtime::Executor& executor) noexcept override WEFT_EXCLUDES(mutex_);

 private:
  ~ReplayCommand() override = default;
  void releasePayload() noexcept override WEFT_EXCLUDES(mutex_);

  Ref<Replay> replay() noexcept WEFT_EXCLUDES(mutex_);

  Mutex mutex_;  ///< who helps may come when the payload goes
  Ref<Replay> replay_ WEFT_GUARDED_BY(mutex_);
  Ref<const runtime::StepPlan> plan_;  ///< until it is submitted
};

}  // namespace weft
