// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/queue.h"

#include "backend/backend.h"
#include "queue/graph.h"

namespace weft {

Queue::Queue(Context& context, Device& device, QueueOptions options)
    : context_(&context), device_(device), options_(std::move(options)) {
  // Made here, where an error can still be reported.
  runtime::Executor& executor = Backend::instance().executor();
  placement_ = {
      .workers = options_.throttled ? device.fewerWorkers(executor) : device.workers(executor),
      .priority = options_.priority};
  if ((options_.properties & CL_QUEUE_ON_DEVICE) != 0)
    onDevice_ = std::make_unique<runtime::DeviceQueue>(options_.size);
  Graph::instance().add(*this);
}

Queue::~Queue() { Graph::instance().remove(*this); }

Ref<Queue> Queue::defaultOnDevice(const Context& context, const Device& device) noexcept {
  const Ref<RefCounted> found = context.defaultQueue(device);
  return Ref<Queue>(static_cast<Queue*>(found.get()));
}

void Queue::applicationReleased() noexcept {
  if (onDevice_)
    context_->forgetQueue(*this);
  else
    flush();
}

bool Queue::isIdle(WaitList waits) const noexcept { return Graph::instance().isIdle(*this, waits); }

void Queue::flush() noexcept { Graph::instance().kick(); }

void Queue::finish() noexcept { Graph::instance().finish(*this); }

}  // namespace weft
