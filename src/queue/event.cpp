// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/event.h"

#include "base/clock.h"
#include "queue/graph.h"

namespace weft {

Event::~Event() = default;

cl_int Event::executionStatus() const noexcept {
  switch (state()) {
    case EventState::Queued:
      return CL_QUEUED;
    case EventState::Submitted:
    case EventState::Ready:
      return CL_SUBMITTED;
    case EventState::Running:
    case EventState::Ended:
      return CL_RUNNING;
    case EventState::Complete:
      return result_;
  }
  return CL_QUEUED;
}

void Event::stamp(Stamp stamp) noexcept { stamps_[static_cast<size_t>(stamp)] = nowNanoseconds(); }

void Event::applicationReleased() noexcept {
  if (type_ == CL_COMMAND_USER) Graph::instance().userEventReleased(static_cast<UserEvent&>(*this));
}

void* Event::operator new(size_t size) { return Graph::instance().blocks().allocate(size); }

void Event::operator delete(void* memory, size_t size) noexcept {
  Graph::instance().blocks().release(memory, size);
}

bool EventCallback::becomeDue(Event& event, cl_int status) noexcept {
  if (status > status_) return false;
  event_ = Ref<Event>(&event);
  reported_ = status < 0 ? status : status_;
  return true;
}

UserEvent::UserEvent(Context& context) noexcept : Event(CL_COMMAND_USER), context_(&context) {}

Ref<UserEvent> UserEvent::create(Context& context) {
  auto event = Ref<UserEvent>::adopt(new UserEvent(context));
  Graph::instance().add(*event);
  return event;
}

}  // namespace weft
