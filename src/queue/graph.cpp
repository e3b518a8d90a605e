// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/graph.h"

#include <memory>
#include <utility>

#include "backend/backend.h"
#include "base/callback_thread.h"
#include "queue/command.h"
#include "queue/event.h"
#include "queue/queue.h"
#include "queue/semaphore.h"
#include "queue/waiter.h"

namespace weft {
namespace {

/// Completions worked off before the lock is given to others for a moment.
constexpr int kCompletionsPerLock = 64;

/// Commands of one queue that may gather before they are handed to the workers.
constexpr uint32_t kMaxUnflushed = 32;

}  // namespace

void Graph::EventList::push(Event& event) noexcept {
  event.next_ = nullptr;
  (last ? last->next_ : first) = &event;
  last = &event;
}

Event* Graph::EventList::pop() noexcept {
  Event* event = first;
  if (event) {
    first = event->next_;
    if (first == nullptr) last = nullptr;
  }
  return event;
}

void Graph::add(Queue& queue) noexcept {
  MutexLock lock(mutex_);
  queue.nextQueue_ = queues_;
  if (queues_) queues_->previousQueue_ = &queue;
  queues_ = &queue;
}

void Graph::remove(Queue& queue) noexcept {
  MutexLock lock(mutex_);
  (queue.previousQueue_ ? queue.previousQueue_->nextQueue_ : queues_) = queue.nextQueue_;
  if (queue.nextQueue_) queue.nextQueue_->previousQueue_ = queue.previousQueue_;
}

void Graph::enqueue(Ref<Command> command, std::span<const cl_event> waits, cl_event* event) {
  submit(*command, waits);
  if (event) *event = Event::publish(std::move(command));
}

Result<void> Graph::enqueue(Ref<Command> command, std::span<const cl_event> waits, cl_event* event,
                            bool blocking) {
  submit(*command, waits);
  if (blocking) {
    wait(*command);
    if (command->result() < 0) return clError(command->result());
  }
  if (event) *event = Event::publish(std::move(command));
  return {};
}

void Graph::submit(Command& command, std::span<const cl_event> waits) {
  command.reserveDependencies(waits.size() + 1 + semaphoreDependencies(command));
  if (command.profiled_ && command.time(Stamp::Submitted) == 0) command.stamp(Stamp::Submitted);

  Changes changes;
  bool kickNow = false;
  {
    MutexLock lock(mutex_);
    Queue& queue = *command.queue_;
    const bool terminated = queue.context().isTerminated();
    command.unmet_ = 1;  // this function's own, so that nothing starts half linked
    if (!terminated) {
      dependOnQueue(command, waits.size());
      kickNow = dependOnWaits(command, waits);
      if (auto* semaphores = SemaphoreCommand::from(command))
        kickNow |= linkSemaphores(*semaphores);
    }
    linkToQueue(command);
    command.retainInternal();
    command.enter(EventState::Submitted);
    if (terminated)
      endTerminated(command, changes);
    else
      met(command, changes);
    if (++queue.sinceKick_ >= kMaxUnflushed) {
      queue.sinceKick_ = 0;
      kickNow = true;
    }
  }
  settle(changes, runtime::Urgency::Lazy);
  if (kickNow || sleepers_.load() != 0) kick();
}

bool Graph::dependOnWaits(Command& command, std::span<const cl_event> waits) noexcept {
  bool otherQueue = false;
  for (const cl_event handle : waits) {
    Event& source = *Event::from(handle);
    if (source.isComplete()) {
      if (source.result_ < 0) command.waitFailed_ = true;
      continue;
    }
    dependOn(command, source, Needs::Success);
    // Work of another queue, which nobody may come to wait for.
    otherQueue |= source.queue() && source.queue() != command.queue();
  }
  return otherQueue;
}

void Graph::dependOnQueue(Command& command, size_t waits) {
  const Queue& queue = *command.queue_;
  if (queue.inOrder()) return;  // the place in the list is the order
  if (command.order_ == Command::Order::Free || waits != 0) {
    if (queue.barrier_) dependOn(command, *queue.barrier_, Needs::End);
    return;
  }
  command.waitsForAll_ = true;
  // After everything. A command that waits for all before it implies what it waits for.
  size_t count = 0;
  for (Command* c = queue.newest_; c; c = c->older_) {
    ++count;
    if (c == queue.allBefore_) break;
  }
  command.reserveDependencies(count + 1);
  for (Command* c = queue.newest_; c; c = c->older_) {
    dependOn(command, *c, Needs::End);
    if (c == queue.allBefore_) break;
  }
  if (queue.barrier_) dependOn(command, *queue.barrier_, Needs::End);
}

void Graph::dependOn(Command& command, Event& source, Needs needs) noexcept {
  Dependency& dependency = command.dependencies_[command.dependencyCount_++];
  dependency = {&source, &command, nullptr, needs};
  (source.lastDependant_ ? source.lastDependant_->next : source.dependants_) = &dependency;
  source.lastDependant_ = &dependency;
  ++command.unmet_;
}

void Graph::linkToQueue(Command& command) noexcept {
  Queue& queue = *command.queue_;
  command.sequence_ = ++queue.lastSequence_;
  command.older_ = queue.newest_;
  (queue.newest_ ? queue.newest_->newer_ : queue.oldest_) = &command;
  queue.newest_ = &command;
  if (queue.inOrder()) {
    if (command.older_) ++command.unmet_;
    return;
  }
  if (command.order_ == Command::Order::Free) return;
  // With a wait list it waits for less than all before it, and implies nothing.
  if (command.waitsForAll_) queue.allBefore_ = &command;
  if (command.order_ == Command::Order::Barrier) queue.barrier_ = &command;
}

void Graph::unlinkFromQueue(Command& command, Changes& changes) noexcept {
  Queue& queue = *command.queue_;
  Command* const newer = command.newer_;
  (command.older_ ? command.older_->newer_ : queue.oldest_) = newer;
  (newer ? newer->older_ : queue.newest_) = command.older_;
  command.older_ = command.newer_ = nullptr;
  if (queue.barrier_ == &command) queue.barrier_ = nullptr;
  if (queue.allBefore_ == &command) queue.allBefore_ = nullptr;
  if (queue.oldest_ == nullptr) queue.sinceKick_ = 0;
  if (queue.inOrder() && newer) met(*newer, changes);
}

void Graph::met(Command& command, Changes& changes) noexcept {
  if (command.terminated_ || --command.unmet_ != 0) return;
  if (command.waitFailed_)
    return endUnrun(command, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, changes);
  command.enter(EventState::Ready);
  if (command.hasWork())
    changes.ready.push(command);
  else
    endUnrun(command, CL_COMPLETE, changes);
}

void Graph::endUnrun(Command& command, cl_int result, Changes& changes) noexcept {
  command.result_ = result;
  command.endWork();
  changes.completing.push(command);
}

void Graph::complete(Event& event, Changes& changes) noexcept {
  Command* const command = event.command();
  if (event.profiled_) event.stamp(Stamp::Completed);
  event.enter(EventState::Complete);
  deliverCallbacks(event);
  wakeWaiters(event, changes);
  if (auto* semaphores = command ? SemaphoreCommand::from(*command) : nullptr)
    finishSemaphores(*semaphores, changes);
  event.lastDependant_ = nullptr;
  while (Dependency* dependency = event.dependants_) {
    event.dependants_ = dependency->next;
    dependency->source = nullptr;
    if (event.result_ < 0 && dependency->needs == Needs::Success)
      dependency->dependant->waitFailed_ = true;
    met(*dependency->dependant, changes);
  }
  if (command) unlinkFromQueue(*command, changes);
  changes.completed.push(event);
}

void Graph::settle(Changes& changes, runtime::Urgency urgency) noexcept {
  while (changes.completing.first) {
    MutexLock lock(mutex_);
    for (int i = 0; i < kCompletionsPerLock && changes.completing.first; ++i)
      complete(*changes.completing.pop(), changes);
  }
  while (Event* event = changes.ready.pop())
    event->command()->submitTo(Backend::instance().executor(), urgency);
  while (Waiter* waiter = changes.woken) {
    changes.woken = waiter->next;
    waiter->wake();
  }
  while (Event* event = changes.completed.pop()) {
    if (Command* command = event->command()) command->releasePayload();
    event->releaseInternal();
  }
}

void Graph::started(Command& command) noexcept {
  MutexLock lock(mutex_);
  deliverCallbacks(command);
}

void Graph::ended(Command& command, cl_int result) noexcept {
  Changes changes;
  {
    MutexLock lock(mutex_);
    command.result_ = result;
    complete(command, changes);
  }
  settle(changes, isHelping() ? runtime::Urgency::Lazy : runtime::Urgency::Now);
}

void Graph::add(UserEvent& event) noexcept {
  event.retainInternal();
  MutexLock lock(mutex_);
  event.nextUser_ = userEvents_;
  if (userEvents_) userEvents_->previousUser_ = &event;
  userEvents_ = &event;
  event.enter(EventState::Submitted);
}

bool Graph::setUserEvent(UserEvent& event, cl_int status) noexcept {
  Changes changes;
  {
    MutexLock lock(mutex_);
    if (event.isComplete()) return false;
    (event.previousUser_ ? event.previousUser_->nextUser_ : userEvents_) = event.nextUser_;
    if (event.nextUser_) event.nextUser_->previousUser_ = event.previousUser_;
    event.result_ = status;
    complete(event, changes);
  }
  settle(changes, runtime::Urgency::Now);
  return true;
}

void Graph::userEventReleased(UserEvent& event) noexcept {
  {
    MutexLock lock(mutex_);
    if (event.dependants_ || !event.callbacks_.empty() || event.waiters_) return;
  }
  setUserEvent(event, CL_INVALID_EVENT);
}

void Graph::addCallback(Event& event, std::unique_ptr<EventCallback> callback) {
  CallbackThread::instance().start();
  {
    MutexLock lock(mutex_);
    // Either Command::started() sees this, or the state is seen here.
    event.hasCallbacks_.store(true, std::memory_order_seq_cst);
    CallbackThread::TaskList due;
    (callback->becomeDue(event, event.executionStatus()) ? due : event.callbacks_)
        .push(std::move(callback));
    CallbackThread::instance().post(due);
  }
  kick();
}

void Graph::deliverCallbacks(Event& event) noexcept {
  if (event.callbacks_.empty()) return;
  // The result counts once the state says so; a negative one is past every status.
  const cl_int status = event.executionStatus();
  CallbackThread::TaskList due, others;
  while (std::unique_ptr<CallbackThread::Task> task = event.callbacks_.pop()) {
    auto& callback = static_cast<EventCallback&>(*task);
    (callback.becomeDue(event, status) ? due : others).push(std::move(task));
  }
  event.callbacks_ = others;
  // Under the lock, so that callbacks of one event run in the order of its states.
  CallbackThread::instance().post(due);
}

void Graph::kick() noexcept {
  if (runtime::Executor* executor = Backend::instance().executorIfCreated()) executor->kick();
}

bool Graph::isIdle(const Queue& queue, std::span<const cl_event> waits) noexcept {
  for (const cl_event handle : waits) {
    const Event& event = *Event::from(handle);
    if (!event.isComplete() || event.result() < 0) return false;
  }
  MutexLock lock(mutex_);
  return queue.inOrder() ? queue.oldest_ == nullptr : queue.barrier_ == nullptr;
}

}  // namespace weft
