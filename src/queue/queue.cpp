// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/queue.h"

#include "platform/platform.h"
#include "queue/command.h"
#include "queue/graph.h"

namespace weft {

Queue::Queue(Context& context, Device& device, QueueOptions options)
    : Object(&context), context_(&context), device_(device), options_(std::move(options)) {
  context.platform().executor();  // made here, where an error can still be reported
  placement_ = {.workers = options_.throttled ? device.fewerWorkers() : device.workers(),
                .priority = options_.priority};
  context.platform().graph().add(*this);
}

Queue::~Queue() { context_->platform().graph().remove(*this); }

void Queue::enqueue(Ref<Command> command, WaitList waits, cl_event* event) {
  context_->platform().graph().submit(*command, waits);
  if (event) *event = Event::publish(std::move(command));
}

Result<void> Queue::enqueueAndWait(Ref<Command> command, WaitList waits, cl_event* event) {
  Graph& graph = context_->platform().graph();
  graph.submit(*command, waits);
  graph.wait(*command);
  if (command->result() < 0) return clError(command->result());
  if (event) *event = Event::publish(std::move(command));
  return {};
}

Result<void> Queue::enqueue(Ref<Command> command, WaitList waits, cl_event* event, bool blocking) {
  if (blocking) return enqueueAndWait(std::move(command), waits, event);
  enqueue(std::move(command), waits, event);
  return {};
}

bool Queue::isIdle(WaitList waits) const noexcept {
  return context_->platform().graph().isIdle(*this, waits);
}

void Queue::flush() noexcept { context_->platform().graph().kick(); }

void Queue::finish() noexcept { context_->platform().graph().finish(*this); }

}  // namespace weft
