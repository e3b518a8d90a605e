// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/semaphore.h"

#include <algorithm>
#include <utility>

#include "queue/graph.h"

namespace weft {

Semaphore::Semaphore(Context& context, SemaphoreOptions options)
    : context_(&context), options_(std::move(options)) {}

bool Semaphore::has(const Device& device) const noexcept {
  return std::ranges::find(options_.devices, &device) != options_.devices.end();
}

cl_semaphore_payload_khr Semaphore::payload() const noexcept {
  return Graph::instance().isSignaled(*this) ? 1 : 0;
}

void Semaphore::UseList::push(SemaphoreUse& use) noexcept {
  use.next = nullptr;
  use.previous = last;
  use.listed = true;
  (last ? last->next : first) = &use;
  last = &use;
}

SemaphoreUse* Semaphore::UseList::pop() noexcept {
  SemaphoreUse* const use = first;
  if (use) remove(*use);
  return use;
}

void Semaphore::UseList::remove(SemaphoreUse& use) noexcept {
  (use.previous ? use.previous->next : first) = use.next;
  (use.next ? use.next->previous : last) = use.previous;
  use.listed = false;
}

SemaphoreCommand::SemaphoreCommand(Queue& queue, cl_command_type type,
                                   std::span<const cl_semaphore_khr> list)
    : Command(queue, type, 0) {
  uses_.reserve(list.size());
  for (const cl_semaphore_khr handle : list)
    uses_.push_back({.semaphore = Ref<Semaphore>(Semaphore::from(handle)), .command = this});
}

SemaphoreCommand* SemaphoreCommand::from(Command& command) noexcept {
  const cl_command_type type = command.type();
  const bool found =
      type == CL_COMMAND_SEMAPHORE_WAIT_KHR || type == CL_COMMAND_SEMAPHORE_SIGNAL_KHR;
  return found ? static_cast<SemaphoreCommand*>(&command) : nullptr;
}

}  // namespace weft
