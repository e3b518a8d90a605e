// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semaphores in the graph: pairs of signals and waits become dependencies.
#include <utility>

#include "queue/command.h"
#include "queue/graph.h"
#include "queue/queue.h"
#include "queue/semaphore.h"

namespace weft {

bool Graph::isSignaled(const Semaphore& semaphore) noexcept {
  MutexLock lock(mutex_);
  return semaphore.unconsumed_ != 0;
}

size_t Graph::semaphoreDependencies(Command& command) noexcept {
  const SemaphoreCommand* const found = SemaphoreCommand::from(command);
  return found && found->isWait() ? found->uses_.size() : 0;
}

bool Graph::linkSemaphores(SemaphoreCommand& command) noexcept {
  bool otherQueue = false;
  for (SemaphoreUse& use : command.uses_) {
    Semaphore& semaphore = *use.semaphore;
    if (!command.isWait()) {
      SemaphoreUse* const wait = semaphore.waits_.pop();
      if (wait == nullptr) {
        semaphore.signals_.push(use);
        semaphore.failed_ = 0;
        continue;
      }
      // The dependency takes the place of what stood for the signal to come.
      pair(*wait, use);
      --wait->command->unmet_;
      otherQueue |= wait->command->queue() != command.queue();
    } else if (semaphore.available_ != 0) {
      --semaphore.available_;
      use.granted = true;
    } else if (SemaphoreUse* const signal = semaphore.signals_.pop()) {
      pair(use, *signal);
      otherQueue |= signal->command->queue() != command.queue();
    } else if (semaphore.failed_ != 0) {
      --semaphore.failed_;
      command.waitFailed_ = true;
    } else {
      semaphore.waits_.push(use);
      ++command.unmet_;
    }
  }
  return otherQueue;
}

void Graph::pair(SemaphoreUse& wait, SemaphoreUse& signal) noexcept {
  wait.partner = &signal;
  signal.partner = &wait;
  dependOn(*wait.command, *signal.command, Needs::Success);
}

void Graph::finishSemaphores(SemaphoreCommand& command, Changes& changes) noexcept {
  const bool success = command.result_ == CL_COMPLETE;
  for (SemaphoreUse& use : command.uses_) {
    Semaphore& semaphore = *use.semaphore;
    SemaphoreUse* const partner = std::exchange(use.partner, nullptr);
    if (partner) partner->partner = nullptr;
    if (use.listed) (command.isWait() ? semaphore.waits_ : semaphore.signals_).remove(use);
    if (!command.isWait()) {
      if (!success) {
        if (!partner) ++semaphore.failed_;
        continue;
      }
      ++semaphore.unconsumed_;
      if (partner)
        partner->granted = true;
      else
        ++semaphore.available_;
    } else if (use.granted && success) {
      --semaphore.unconsumed_;
    } else if (use.granted) {
      passOnSignal(semaphore, changes);
    }
  }
}

void Graph::passOnSignal(Semaphore& semaphore, Changes& changes) noexcept {
  SemaphoreUse* const next = semaphore.waits_.pop();
  if (next == nullptr) {
    ++semaphore.available_;
    return;
  }
  next->granted = true;
  met(*next->command, changes);
}

void Graph::abandonSemaphores(SemaphoreCommand& command) noexcept {
  for (SemaphoreUse& use : command.uses_) {
    Semaphore& semaphore = *use.semaphore;
    semaphore.waits_ = semaphore.signals_ = {};
    if (std::exchange(use.granted, false)) ++semaphore.available_;
    use.partner = nullptr;
    use.listed = false;
  }
}

}  // namespace weft
