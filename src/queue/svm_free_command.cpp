// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/svm_free_command.h"

#include <utility>

#include "memory/svm.h"

namespace weft {

SvmFreeCommand::SvmFreeCommand(Queue& queue, std::vector<void*> pointers, Function function,
                               void* userData) noexcept
    : Command(queue, CL_COMMAND_SVM_FREE, 1),
      pointers_(std::move(pointers)),
      function_(function),
      userData_(userData) {}

void SvmFreeCommand::runPart(size_t, runtime::Slot&) noexcept {
  if (function_ != nullptr) {
    function_(queue()->handle(), static_cast<cl_uint>(pointers_.size()), pointers_.data(),
              userData_);
    return;
  }
  SvmRegistry& registry = SvmRegistry::instance();
  for (void* pointer : pointers_) registry.free(context(), pointer, false);
}

}  // namespace weft
