// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fork(): the graph's locks are held across it, so that the child finds it whole. The child has no
// workers that could end the commands it inherits: they end there and then.
#include "base/process_wide.h"
#include "queue/command.h"
#include "queue/event.h"
#include "queue/graph.h"
#include "queue/queue.h"
#include "queue/semaphore.h"

namespace weft {

Graph& Graph::instance() noexcept {
  static constinit ProcessWide<Graph> graph;
  return graph.get();
}

void Graph::prepareFork() noexcept {
  // Held for a bounded number of steps by whoever has them.
  mutex_.lock();
  blocks_.lockForFork();
}

void Graph::afterForkInParent() noexcept {
  blocks_.unlockAfterFork();
  mutex_.unlock();
}

void Graph::afterForkInChild() noexcept {
  for (Queue* queue = queues_; queue; queue = queue->nextQueue_) {
    for (Command* command = queue->oldest_; command; command = command->newer_) abandon(*command);
    queue->oldest_ = queue->newest_ = queue->barrier_ = queue->allBefore_ = nullptr;
    queue->sinceKick_ = 0;
  }
  // Nobody sleeps for them in this process; what they have of callbacks is for whoever sets them.
  for (UserEvent* event = userEvents_; event; event = event->nextUser_) event->waiters_ = nullptr;
  sleepers_.store(0);
  blocks_.unlockAfterFork();
  mutex_.unlock();
}

void Graph::abandon(Command& command) noexcept {
  // Only user events keep anything of what waited for them; it is all abandoned.
  for (uint32_t i = 0; i < command.dependencyCount_; ++i) {
    Event* const source = command.dependencies_[i].source;
    if (source) source->dependants_ = source->lastDependant_ = nullptr;
    command.dependencies_[i].source = nullptr;
  }
  if (auto* semaphores = SemaphoreCommand::from(command)) abandonSemaphores(*semaphores);
  command.abandoned();
  // The command's own reference stays, and with it what a thread of the parent was using. Its
  // callbacks are the parent's.
  command.callbacks_ = {};
  command.waiters_ = nullptr;
  command.dependants_ = command.lastDependant_ = nullptr;
  command.result_ = kAbandonedByFork;
  command.eventState_.store(EventState::Complete, std::memory_order_release);
}

}  // namespace weft
