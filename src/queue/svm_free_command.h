// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "queue/command.h"

namespace weft {

/// clEnqueueSVMFree: frees allocations of clSVMAlloc, or has the application's function do it, in
/// its place in the order of commands.
class SvmFreeCommand final : public Command {
 public:
  using Function = void(CL_CALLBACK*)(cl_command_queue queue, cl_uint count, void* pointers[],
                                      void* userData);

  /// `function` may be null; `pointers` are then freed here, those that are not known left alone.
  SvmFreeCommand(Queue& queue, std::vector<void*> pointers, Function function,
                 void* userData) noexcept;

  void runPart(size_t part, runtime::Slot& slot) noexcept override;

 private:
  ~SvmFreeCommand() override = default;

  std::vector<void*> pointers_;
  Function function_;
  void* userData_;
};

}  // namespace weft
