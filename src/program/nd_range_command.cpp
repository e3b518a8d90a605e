// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/nd_range_command.h"

#include <utility>

#include "backend/backend.h"

namespace weft {

Result<Ref<NDRangeCommand>> NDRangeCommand::create(Queue& queue, const Kernel& kernel,
                                                   const RangeArguments& range,
                                                   cl_command_type type) {
  WEFT_TRY_VOID(require(&queue.context() == &kernel.context(), CL_INVALID_CONTEXT));
  auto command = makeRef<NDRangeCommand>(queue, type);
  WEFT_TRY_VOID(command->launch_.prepare(queue, kernel, kernel.arguments(), range,
                                         PreparedLaunch::Runs::Once));
  command->parts = command->launch_.parts();
  command->partTime = command->launch_.partTime();
  command->takesRuns = command->launch_.takesRuns();
  const KernelCode* code = kernel.codeFor(queue.device());
  if (code->blocks && command->parts != 0)
    WEFT_TRY_VOID(command->prepareDescendants(queue, code->blocks));
  return command;
}

Result<void> NDRangeCommand::prepareDescendants(const Queue& queue, const Ref<BlockCodes>& blocks) {
  blocks_ = blocks;
  defaultQueue_ = Queue::defaultOnDevice(queue.context(), queue.device());
  descendants_ = Backend::instance().executor().createDescendants(
      {.job = *this,
       .host = *this,
       .blocks = *blocks_,
       .defaultQueue = defaultQueue_ ? defaultQueue_->onDevice() : nullptr});
  if (descendants_) launch_.setNode(descendants_->node());
  return {};
}

void NDRangeCommand::runPart(size_t part, runtime::Slot& slot) noexcept {
  if (descendants_) return descendants_->runPart(launch_.launch(), part, slot);
  if (hasFailed()) return;
  // A failure has been handed to failed(), which the base turns into the command's status.
  static_cast<void>(slot.runPart(launch_.launch(), part, *this));
}

void NDRangeCommand::jobFinished() noexcept {
  if (descendants_) return descendants_->jobFinished();
  launch_.finish();
  endRun();
}

void NDRangeCommand::releasePayload() noexcept {
  descendants_.reset();
  defaultQueue_ = nullptr;
  blocks_ = nullptr;
  launch_.drop();
}

}  // namespace weft
