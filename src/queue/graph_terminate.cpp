// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_khr_terminate_context: commands end whatever they wait for.
#include <utility>
#include <vector>

#include "backend/backend.h"
#include "queue/command.h"
#include "queue/event.h"
#include "queue/graph.h"
#include "queue/queue.h"
#include "queue/waiter.h"

namespace weft {

Result<void> Graph::terminate(Context& context) {
  WEFT_TRY_VOID(context.markTerminated());
  Changes changes;
  std::vector<Ref<Command>> ready;
  {
    MutexLock lock(mutex_);
    for (Queue* queue = queues_; queue; queue = queue->nextQueue_) {
      if (&queue->context() != &context) continue;
      for (Command* command = queue->oldest_; command; command = command->newer_)
        terminate(*command, ready, changes);
    }
    // User events can still be set, but nobody waits for that any more.
    for (UserEvent* event = userEvents_; event; event = event->nextUser_)
      if (&event->context() == &context) wakeWaiters(*event, changes);
  }
  settle(changes, runtime::Urgency::Now);
  // Without the lock, which is taken after those of the executor when a process forks.
  for (const Ref<Command>& command : ready) {
    if (!command->withdrawFrom(Backend::instance().executor())) continue;
    Changes ended;
    {
      MutexLock lock(mutex_);
      endTerminated(*command, ended);
    }
    settle(ended, runtime::Urgency::Now);
  }
  kick();
  context.notify("the context was terminated");
  return {};
}

void Graph::terminate(Command& command, std::vector<Ref<Command>>& ready,
                      Changes& changes) noexcept {
  if (command.state() != EventState::Submitted) {
    // What has begun ends at its next part; what is Ended, with what it has.
    command.fail(kContextTerminated);
    try {
      if (command.state() == EventState::Ready) ready.emplace_back(&command);
    } catch (...) {  // without memory it ends when its turn comes
    }
    return;
  }
  // All that waits for its sources is of this context and ends too.
  for (uint32_t i = 0; i < command.dependencyCount_; ++i) {
    Event* const source = std::exchange(command.dependencies_[i].source, nullptr);
    if (source) source->dependants_ = source->lastDependant_ = nullptr;
  }
  endTerminated(command, changes);
}

void Graph::endTerminated(Command& command, Changes& changes) noexcept {
  command.terminated_ = true;
  command.unmet_ = 0;
  endUnrun(command, kContextTerminated, changes);
}

void Graph::wakeWaiters(Event& event, Changes& changes) noexcept {
  while (Waiter* waiter = event.waiters_) {
    event.waiters_ = waiter->next;
    waiter->next = changes.woken;
    changes.woken = waiter;
  }
}

bool Graph::isWaitedInVain(const Event& event) noexcept {
  return event.type() == CL_COMMAND_USER && event.context().isTerminated();
}

}  // namespace weft
