// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/external_memory_command.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <utility>

namespace weft {
namespace {

bool needsSync(const Ref<Memory>& object) noexcept { return object->external()->needsSync(); }

}  // namespace

ExternalMemoryCommand::ExternalMemoryCommand(Queue& queue, cl_command_type type,
                                             std::vector<Ref<Memory>> objects) noexcept
    : Command(queue, type, std::ranges::any_of(objects, needsSync) ? 1 : 0),
      objects_(std::move(objects)) {}

void ExternalMemoryCommand::runPart(size_t, runtime::Slot&) noexcept {
  if (hasFailed()) return;
  const bool acquires = type() == CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR;
  for (const Ref<Memory>& object : objects_) {
    if (!needsSync(object) || object->external()->sync(acquires)) continue;
    context().notify("a dma-buf cannot be made coherent with the processor's caches");
    fail(CL_OUT_OF_RESOURCES);
  }
}

}  // namespace weft
