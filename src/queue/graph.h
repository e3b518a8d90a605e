// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/fork.h"
#include "queue/block_pool.h"
#include "weft/runtime/executor.h"
#include "weft/support/mutex.h"
#include "weft/support/ref.h"

namespace weft {

class Command;
class Context;
class Event;
class EventCallback;
class Queue;
class Semaphore;
class SemaphoreCommand;
class UserEvent;
class Waiter;
enum class Needs : uint8_t;
struct SemaphoreUse;

/// What a command or user event ends with when its process was forked before it was complete.
inline constexpr cl_int kAbandonedByFork = CL_DEVICE_NOT_AVAILABLE;

/// The command graph: which command waits for which, over all queues of all contexts.
///
/// Every command counts its unmet dependencies; at zero it is Ready and goes to the executor. One
/// lock guards the graph. Under it there is only the linking of lists: no allocation in the
/// steady state, no callback, no release of a reference. Chains are worked off by iteration.
///
/// Ownership: lives as long as the process. Threads: all methods from any thread;
/// no caller may hold a lock that a callback, a destructor of a payload or the executor takes.
class Graph final : public ForkParticipant {
 public:
  static constexpr ForkOrder kForkOrder = ForkOrder::Graph;
  static Graph& instance() noexcept;

  void add(Queue& queue) noexcept WEFT_EXCLUDES(mutex_);
  void remove(Queue& queue) noexcept WEFT_EXCLUDES(mutex_);

  /// Puts a command into the graph, behind the events of a checked wait list and what its queue
  /// asks for, and, when nothing holds it back, into the executor. `event`, unless null, receives
  /// the application's reference to it; on an exception (std::bad_alloc) nothing was added.
  void enqueue(Ref<Command> command, std::span<const cl_event> waits, cl_event* event)
      WEFT_EXCLUDES(mutex_);
  /// The same; a blocking one also waits for the command's end, and fails with the code of an
  /// abnormal one. `event` is then left alone.
  Result<void> enqueue(Ref<Command> command, std::span<const cl_event> waits, cl_event* event,
                       bool blocking) WEFT_EXCLUDES(mutex_);
  /// A command with callbacks has begun to run.
  void started(Command& command) noexcept WEFT_EXCLUDES(mutex_);
  /// A command's work has ended; completes it and whatever that sets free.
  void ended(Command& command, cl_int result) noexcept WEFT_EXCLUDES(mutex_);

  /// A user event begins its life: it is kept until it is set.
  void add(UserEvent& event) noexcept WEFT_EXCLUDES(mutex_);
  /// False when the event has been set before.
  bool setUserEvent(UserEvent& event, cl_int status) noexcept WEFT_EXCLUDES(mutex_);
  /// The application has given up its last reference. An event that something waits for can
  /// still be set by its handle (clReleaseEvent allows that); any other goes now.
  void userEventReleased(UserEvent& event) noexcept WEFT_EXCLUDES(mutex_);

  /// Throws std::system_error when there is no thread for callbacks.
  void addCallback(Event& event, std::unique_ptr<EventCallback> callback) WEFT_EXCLUDES(mutex_);

  /// cl_khr_terminate_context: marks the context, ends all its commands, at once or at the next
  /// part of what is running, and wakes who waits for them. The errors are those of
  /// markTerminated().
  Result<void> terminate(Context& context) WEFT_EXCLUDES(mutex_);

  /// Runs or waits for what the event needs, then returns. The event is complete then, unless it
  /// is a user event of a terminated context.
  void wait(Event& event) noexcept WEFT_EXCLUDES(mutex_);
  /// Waits for all commands of the queue enqueued before the call.
  void finish(Queue& queue) noexcept WEFT_EXCLUDES(mutex_);
  /// The same for all queues of the context. Throws std::bad_alloc.
  void finish(const Context& context) WEFT_EXCLUDES(mutex_);

  /// Hands all work that has not begun to the workers.
  void kick() noexcept;

  /// See Queue::isIdle.
  bool isIdle(const Queue& queue, std::span<const cl_event> waits) noexcept WEFT_EXCLUDES(mutex_);

  bool isSignaled(const Semaphore& semaphore) noexcept WEFT_EXCLUDES(mutex_);

  BlockPool& blocks() noexcept { return blocks_; }

  void prepareFork() noexcept override WEFT_NO_TSA;
  void afterForkInParent() noexcept override WEFT_NO_TSA;
  void afterForkInChild() noexcept override WEFT_NO_TSA;

 private:
  /// A list of events linked by Event::next_, first in first out.
  struct EventList {
    Event* first = nullptr;
    Event* last = nullptr;
    void push(Event& event) noexcept;
    Event* pop() noexcept;
  };
  /// What a change of the graph leaves to be done.
  struct Changes {
    EventList completing;     ///< their result is known; worked off under the lock
    EventList ready;          ///< to be submitted, without the lock
    EventList completed;      ///< to be released, without the lock
    Waiter* woken = nullptr;  ///< to be woken, without the lock
  };

  void submit(Command& command, std::span<const cl_event> waits) WEFT_EXCLUDES(mutex_);
  void linkToQueue(Command& command) noexcept WEFT_REQUIRES(mutex_);
  void unlinkFromQueue(Command& command, Changes& changes) noexcept WEFT_REQUIRES(mutex_);
  /// Adds the order that the queue asks for. May throw before anything is changed.
  void dependOnQueue(Command& command, size_t waits) WEFT_REQUIRES(mutex_);
  /// Adds the events of a wait list. Whether one of them is a command of another queue.
  bool dependOnWaits(Command& command, std::span<const cl_event> waits) noexcept
      WEFT_REQUIRES(mutex_);
  void dependOn(Command& command, Event& source, Needs needs) noexcept WEFT_REQUIRES(mutex_);
  void met(Command& command, Changes& changes) noexcept WEFT_REQUIRES(mutex_);
  /// The command is Ended without a run; completing it is left to settle().
  void endUnrun(Command& command, cl_int result, Changes& changes) noexcept WEFT_REQUIRES(mutex_);
  void complete(Event& event, Changes& changes) noexcept WEFT_REQUIRES(mutex_);
  void deliverCallbacks(Event& event) noexcept WEFT_REQUIRES(mutex_);
  /// Dependencies that the command's semaphores may add.
  static size_t semaphoreDependencies(Command& command) noexcept;
  /// Pairs signals and waits. Whether that makes another queue wait for this one or the reverse.
  bool linkSemaphores(SemaphoreCommand& command) noexcept WEFT_REQUIRES(mutex_);
  void pair(SemaphoreUse& wait, SemaphoreUse& signal) noexcept WEFT_REQUIRES(mutex_);
  void finishSemaphores(SemaphoreCommand& command, Changes& changes) noexcept WEFT_REQUIRES(mutex_);
  /// A signal whose wait came to nothing is for the next.
  void passOnSignal(Semaphore& semaphore, Changes& changes) noexcept WEFT_REQUIRES(mutex_);
  void abandonSemaphores(SemaphoreCommand& command) noexcept WEFT_REQUIRES(mutex_);

  /// Completes what is completing, submits, wakes and releases.
  void settle(Changes& changes, runtime::Urgency urgency) noexcept WEFT_EXCLUDES(mutex_);

  /// What stands between an event and its run: something to help with first, or null.
  Ref<Event> blockerOf(Event& event) noexcept WEFT_EXCLUDES(mutex_);
  Ref<Event> oldestUpTo(const Queue& queue, uint64_t sequence) noexcept WEFT_EXCLUDES(mutex_);
  void helpOrSleep(Event& event) noexcept WEFT_EXCLUDES(mutex_);
  void sleep(Event& event) noexcept WEFT_EXCLUDES(mutex_);
  /// Whether the calling thread is running a job from within wait().
  static bool isHelping() noexcept;

  /// `ready` gets what the executor may not have begun yet.
  void terminate(Command& command, std::vector<Ref<Command>>& ready, Changes& changes) noexcept
      WEFT_REQUIRES(mutex_);
  void endTerminated(Command& command, Changes& changes) noexcept WEFT_REQUIRES(mutex_);
  void wakeWaiters(Event& event, Changes& changes) noexcept WEFT_REQUIRES(mutex_);
  static bool isWaitedInVain(const Event& event) noexcept;

  /// Ends a command in a forked child.
  void abandon(Command& command) noexcept WEFT_REQUIRES(mutex_);

  BlockPool blocks_;
  Mutex mutex_;
  Queue* queues_ WEFT_GUARDED_BY(mutex_) = nullptr;
  UserEvent* userEvents_ WEFT_GUARDED_BY(mutex_) = nullptr;  ///< not set yet
  /// Threads that sleep for an event; while there are any, new work goes straight to a worker.
  std::atomic<uint32_t> sleepers_{0};
};

}  // namespace weft
