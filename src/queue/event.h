// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>

#include "base/callback_thread.h"
#include "base/handle.h"
#include "context/context.h"
#include "weft/runtime/executor.h"

namespace weft {

class Command;
class Event;
class Graph;
class Queue;
class Waiter;

/// The states of the specification, in order. A user event knows Submitted and Complete alone.
enum class EventState : uint8_t {
  Queued,     ///< made, not yet in the graph
  Submitted,  ///< in the graph, with dependencies that are not met
  Ready,      ///< they are met; what has work is handed to the executor
  Running,    ///< its first part has been taken
  Ended,      ///< its own work is done, or none of it will be
  Complete,   ///< and its children's; the result is final
};

/// Whether an event may go from one state to the other. What has no work does not run; what fails
/// before it is run, since an event that it waits for has or its context ends, is Ended at once.
constexpr bool mayFollow(EventState from, EventState to) noexcept {
  switch (to) {
    case EventState::Queued:
      return false;
    case EventState::Submitted:
      return from == EventState::Queued;
    case EventState::Ready:
      return from == EventState::Submitted;
    case EventState::Running:
      return from == EventState::Ready;
    case EventState::Ended:
      return from >= EventState::Submitted && from <= EventState::Running;
    case EventState::Complete:
      return from == EventState::Ended;
  }
  return false;
}

/// The time stamps that CL_QUEUE_PROFILING_ENABLE asks for.
enum class Stamp : uint8_t { Queued, Submitted, Started, Ended, Completed };

/// What a command wants of an event that it waits for.
enum class Needs : uint8_t {
  End,      ///< that it is over, however it ended: the order of a queue
  Success,  ///< else it fails too: wait lists, semaphores
};

/// That `dependant` waits for `source`; linked into the source's list, stored in the dependant.
struct Dependency {
  Event* source = nullptr;  ///< null once it is met
  Command* dependant = nullptr;
  Dependency* next = nullptr;
  Needs needs = Needs::End;
};

/// What a cl_event points to: a command, or a user event.
///
/// Ownership: an event that is not complete holds one reference to itself, so plain pointers
/// to incomplete events are good under the graph's lock. Threads: what is private is guarded by
/// the graph's lock and touched by Graph alone, except for the state, which is atomic, and the
/// result and stamps, which are written before the state that makes them readable.
class Event : public Object<Event, _cl_event, HandleTag::Event> {
 public:
  virtual Context& context() const noexcept = 0;
  /// Null for user events.
  virtual Queue* queue() const noexcept { return nullptr; }
  /// Null for user events.
  virtual Command* command() noexcept { return nullptr; }

  cl_command_type type() const noexcept { return type_; }
  EventState state() const noexcept { return eventState_.load(std::memory_order_acquire); }
  bool isComplete() const noexcept { return state() == EventState::Complete; }
  /// CL_QUEUED to CL_COMPLETE, or the negative code of an abnormal end.
  cl_int executionStatus() const noexcept;
  /// CL_COMPLETE or negative. Pre: isComplete().
  cl_int result() const noexcept { return result_; }

  bool profiled() const noexcept { return profiled_; }
  /// In nanoseconds of nowNanoseconds(). Pre: profiled() and complete.
  uint64_t time(Stamp stamp) const noexcept { return stamps_[static_cast<size_t>(stamp)]; }

  /// Hook of Object: a user event that nobody waits for need not be kept until it is set.
  void applicationReleased() noexcept;

  // Events come and go with every command: their memory is recycled.
  static void* operator new(size_t size);
  static void operator delete(void* memory, size_t size) noexcept;

 protected:
  explicit Event(cl_command_type type) noexcept : type_(type) {}
  ~Event() override;

  void stamp(Stamp stamp) noexcept;
  void enter(EventState next, std::memory_order order = std::memory_order_release) noexcept {
    assert(mayFollow(state(), next) || type_ == CL_COMMAND_USER);
    eventState_.store(next, order);
  }

 private:
  friend class Graph;
  friend class Command;

  const cl_command_type type_;
  bool profiled_ = false;
  std::atomic<EventState> eventState_{EventState::Queued};
  std::atomic<bool> hasCallbacks_{false};
  cl_int result_ = CL_COMPLETE;
  Event* next_ = nullptr;             ///< link of the list the graph is just working on
  Dependency* dependants_ = nullptr;  ///< first come, first served
  Dependency* lastDependant_ = nullptr;
  CallbackThread::TaskList callbacks_;  ///< those that are not due, all EventCallbacks
  Waiter* waiters_ = nullptr;
  std::array<uint64_t, 5> stamps_{};
};

/// One callback of clSetEventCallback: in its event's list, later in that of the callback thread.
/// All that it needs is there from the start, so none is lost for want of memory.
class EventCallback final : public CallbackThread::Task {
 public:
  using Function = void(CL_CALLBACK*)(cl_event event, cl_int status, void* userData);

  EventCallback(cl_int status, Function function, void* userData) noexcept
      : status_(status), function_(function), userData_(userData) {}
  void run() override { function_(event_->handle(), reported_, userData_); }

 private:
  friend class Graph;

  /// Whether a status of its event makes it due; it keeps the event then.
  bool becomeDue(Event& event, cl_int status) noexcept;

  const cl_int status_;
  const Function function_;
  void* const userData_;
  Ref<Event> event_;  ///< once it is due
  cl_int reported_ = CL_COMPLETE;
};

/// clCreateUserEvent: set by the application.
class UserEvent final : public Event {
 public:
  static Ref<UserEvent> create(Context& context);
  Context& context() const noexcept override { return *context_; }

 private:
  explicit UserEvent(Context& context) noexcept;
  ~UserEvent() override = default;

  friend class Graph;

  Ref<Context> context_;
  UserEvent* previousUser_ = nullptr;  ///< neighbours in the graph's list of unset user events
  UserEvent* nextUser_ = nullptr;
};

}  // namespace weft
