// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/replay_command.h"

#include <utility>

#include "weft/khr/command_buffer.h"

namespace weft {

ReplayCommand::ReplayCommand(Queue& queue, Ref<Replay> replay,
                             Ref<const runtime::StepPlan> plan) noexcept
    : Command(queue, khr::kCommandCommandBuffer, plan->hasWork() ? 1 : 0),
      replay_(std::move(replay)),
      plan_(std::move(plan)) {}

Ref<Replay> ReplayCommand::replay() noexcept {
  MutexLock lock(mutex_);
  return replay_;
}

void ReplayCommand::submitTo(runtime::Executor& executor, runtime::Urgency urgency) noexcept {
  // The replay may be over, and this command complete, before start() returns.
  const Ref<Replay> started = replay();
  started->start(*this, std::move(plan_), executor, urgency);
}

bool ReplayCommand::helpWith(runtime::Executor& executor) noexcept {
  const Ref<Replay> helped = replay();
  return helped && helped->help(executor);
}

bool ReplayCommand::withdrawFrom(runtime::Executor& executor) noexcept {
  const Ref<Replay> withdrawn = replay();
  return withdrawn && withdrawn->withdraw(executor);
}

void ReplayCommand::releasePayload() noexcept {
  Ref<Replay> last;  // released without the lock
  {
    MutexLock lock(mutex_);
    last = std::move(replay_);
  }
  plan_ = nullptr;
}

}  // namespace weft
