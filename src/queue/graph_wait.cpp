// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocking side of the graph: a thread that waits runs what it waits for.
#include <vector>

#include "backend/backend.h"
#include "queue/command.h"
#include "queue/event.h"
#include "queue/graph.h"
#include "queue/queue.h"
#include "queue/waiter.h"
#include "weft/support/spin_wait.h"

namespace weft {
namespace {

/// Waits of this thread that are running jobs, one inside the other.
thread_local unsigned helpDepth = 0;

class HelpScope {
 public:
  HelpScope() noexcept { ++helpDepth; }
  ~HelpScope() { --helpDepth; }
  HelpScope(const HelpScope&) = delete;
  HelpScope& operator=(const HelpScope&) = delete;
};

}  // namespace

bool Graph::isHelping() noexcept { return helpDepth != 0; }

void Graph::wait(Event& target) noexcept {
  if (target.isComplete()) return;
  // What stands before the target, the innermost last. Nothing is looked at twice, so a chain
  // costs its length, not its square.
  std::vector<Ref<Event>> path;
  while (!target.isComplete()) {
    Event& next = path.empty() ? target : *path.back();
    if (next.isComplete() || isWaitedInVain(next)) {
      if (path.empty()) break;
      path.pop_back();
    } else if (Ref<Event> blocker = blockerOf(next)) {
      try {
        path.push_back(std::move(blocker));
      } catch (...) {
        // There is no memory to look further. The command may use the caller's memory, so it is
        // waited for all the same; workers do the rest.
        sleep(target);
      }
    } else {
      helpOrSleep(next);
    }
  }
  kick();  // what this thread set free and nobody asked for
}

void Graph::finish(Queue& queue) noexcept {
  uint64_t last = 0;
  bool independent = false;
  {
    MutexLock lock(mutex_);
    last = queue.lastSequence_;
    independent = !queue.inOrder() && queue.oldest_ != queue.newest_;
  }
  if (independent) kick();  // this thread helps with one at a time; others can have the rest
  while (const Ref<Event> oldest = oldestUpTo(queue, last)) wait(*oldest);
}

void Graph::finish(const Context& context) {
  std::vector<Ref<Event>> pending;
  const auto collect = [&]() WEFT_REQUIRES(mutex_) {
    size_t count = 0;
    for (Queue* queue = queues_; queue; queue = queue->nextQueue_) {
      if (&queue->context() != &context) continue;
      for (Command* command = queue->oldest_; command; command = command->newer_)
        if (++count <= pending.capacity()) pending.emplace_back(command);
    }
    return count;
  };
  for (size_t wanted = 0;;) {
    pending.clear();
    pending.reserve(wanted);  // not under the lock, which everybody needs
    MutexLock lock(mutex_);
    wanted = collect();
    if (wanted <= pending.capacity()) break;
  }
  if (pending.size() > 1) kick();
  for (const Ref<Event>& event : pending) wait(*event);
}

Ref<Event> Graph::oldestUpTo(const Queue& queue, uint64_t sequence) noexcept {
  MutexLock lock(mutex_);
  Command* const oldest = queue.oldest_;
  return Ref<Event>(oldest && oldest->sequence_ <= sequence ? oldest : nullptr);
}

Ref<Event> Graph::blockerOf(Event& event) noexcept {
  Command* const command = event.command();
  if (command == nullptr || command->state() >= EventState::Ready) return nullptr;
  MutexLock lock(mutex_);
  if (command->isComplete()) return nullptr;
  const Queue& queue = *command->queue_;
  if (queue.inOrder() && queue.oldest_ != command) return Ref<Event>(queue.oldest_);
  // From where the last look ended: a thread that waits comes here once for each of them.
  for (uint32_t& i = command->metFirst_; i < command->dependencyCount_; ++i)
    if (Event* source = command->dependencies_[i].source) return Ref<Event>(source);
  return nullptr;
}

void Graph::helpOrSleep(Event& event) noexcept {
  Command* const command = event.command();
  runtime::Executor* const executor = Backend::instance().executorIfCreated();
  if (command && command->hasWork() && executor) {
    HelpScope scope;
    if (command->helpWith(*executor)) return;
  }
  sleep(event);
}

void Graph::sleep(Event& event) noexcept {
  // From here on new work goes straight to the workers, and what waits for one goes now.
  sleepers_.fetch_add(1);
  kick();
  // Who has taken more than others shares it with this thread as well, unless it cannot help.
  const Command* const command = event.command();
  const bool mayHelp = command != nullptr && !command->hasOpenParts();
  if (!spinUntil([&] { return event.isComplete() || (mayHelp && command->hasOpenParts()); })) {
    // What this thread is running itself, an application's function, leaves its slots to others:
    // what is waited for may need them.
    if (runtime::Executor* const executor = Backend::instance().executorIfCreated())
      executor->releaseSlots();
    Waiter waiter;
    bool wait = false;
    {
      MutexLock lock(mutex_);
      wait = !event.isComplete() && !isWaitedInVain(event);
      if (wait) {
        waiter.next = event.waiters_;
        event.waiters_ = &waiter;
      }
    }
    if (wait) waiter.sleep();
  }
  sleepers_.fetch_sub(1);
}

}  // namespace weft
