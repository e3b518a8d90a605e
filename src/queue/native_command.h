// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "memory/memory.h"
#include "queue/command.h"

namespace weft {

/// A function of the application, run with a copy of its arguments in which memory objects have
/// been replaced by their addresses.
class NativeCommand final : public Command {
 public:
  using Function = void(CL_CALLBACK*)(void* arguments);

  NativeCommand(Queue& queue, Function function, std::vector<std::byte> arguments,
                std::vector<Ref<Memory>> memory) noexcept;

  void runPart(size_t part, runtime::Slot& slot) noexcept override;

 private:
  ~NativeCommand() override = default;
  void releasePayload() noexcept override;

  Function function_;
  std::vector<std::byte> arguments_;
  std::vector<Ref<Memory>> memory_;
};

}  // namespace weft
