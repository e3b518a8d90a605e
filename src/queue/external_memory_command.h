// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "memory/memory.h"
#include "queue/command.h"

namespace weft {

/// clEnqueueAcquireExternalMemObjectsKHR and clEnqueueReleaseExternalMemObjectsKHR. Only for
/// dma-bufs is there something to run: mappings of other memory show what others write as it is.
class ExternalMemoryCommand final : public Command {
 public:
  /// `type` tells the two apart. Pre: the objects are external.
  ExternalMemoryCommand(Queue& queue, cl_command_type type,
                        std::vector<Ref<Memory>> objects) noexcept;

  void runPart(size_t part, runtime::Slot& slot) noexcept override;

 private:
  ~ExternalMemoryCommand() override = default;
  void releasePayload() noexcept override { objects_.clear(); }

  std::vector<Ref<Memory>> objects_;
};

}  // namespace weft
