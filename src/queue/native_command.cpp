// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/native_command.h"

#include <utility>

namespace weft {

NativeCommand::NativeCommand(Queue& queue, Function function, std::vector<std::byte> arguments,
                             std::vector<Ref<Memory>> memory) noexcept
    : Command(queue, CL_COMMAND_NATIVE_KERNEL, 1),
      function_(function),
      arguments_(std::move(arguments)),
      memory_(std::move(memory)) {}

void NativeCommand::runPart(size_t, runtime::Slot&) noexcept {
  if (hasFailed()) return;
  function_(arguments_.empty() ? nullptr : arguments_.data());
}

void NativeCommand::releasePayload() noexcept {
  memory_.clear();
  arguments_.clear();
}

}  // namespace weft
