// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/nd_range_command.h"

#include <utility>

namespace weft {

Result<Ref<NDRangeCommand>> NDRangeCommand::create(Queue& queue, const Kernel& kernel,
                                                   const RangeArguments& range,
                                                   cl_command_type type) {
  WEFT_TRY_VOID(require(&queue.context() == &kernel.context(), CL_INVALID_CONTEXT));
  auto command = makeRef<NDRangeCommand>(queue, type);
  WEFT_TRY_VOID(command->launch_.prepare(queue, kernel, kernel.arguments(), range));
  command->parts = command->launch_.parts();
  return command;
}

void NDRangeCommand::runPart(size_t part, runtime::Slot& slot) noexcept {
  if (hasFailed()) return;
  // A failure has been handed to failed(), which the base turns into the command's status.
  static_cast<void>(slot.runPart(launch_.launch(), part, *this));
}

}  // namespace weft
