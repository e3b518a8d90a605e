// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/nd_range_command.h"

#include <utility>

namespace weft {

NDRangeCommand::NDRangeCommand(Queue& queue, cl_command_type type, const KernelCode& code,
                               TakenArguments taken, const runtime::KernelLaunch& launch) noexcept
    : Command(queue, type, 1),
      code_(code.program),
      arguments_(std::move(taken.snapshot)),
      launch_(launch) {
  const compiler::KernelInfo& kernel = code.info();
  launch_.arguments = arguments_->block();
  launch_.localBytes = taken.localBytes;
  launch_.flushDenormals = kernel.denormsAreZero;
  launch_.kernelName = kernel.name.c_str();
  launch_.barriers = kernel.barriers.data();
  launch_.barrierCount = kernel.barriers.size();
  if (validate::isEmpty(launch_.range)) {
    parts = 0;
    return;
  }
  context().platform().executor().plan(launch_);
  parts = launch_.parts;
}

Result<Ref<NDRangeCommand>> NDRangeCommand::create(Queue& queue, const Kernel& kernel,
                                                   const validate::RangeArguments& arguments,
                                                   cl_command_type type) {
  WEFT_TRY_VOID(require(&queue.context() == &kernel.context(), CL_INVALID_CONTEXT));
  const KernelCode* code = kernel.codeFor(queue.device());
  if (code == nullptr) return clError(CL_INVALID_PROGRAM_EXECUTABLE);
  runtime::KernelLaunch launch;
  WEFT_TRY(launch.range, validate::ndRange(arguments, code->info(), groupLimits(kernel)));
  WEFT_TRY(TakenArguments taken, kernel.arguments().take());
  WEFT_TRY_VOID(require(taken.localBytes <= queue.device().localMemory(), CL_OUT_OF_RESOURCES));
  if (!validate::isEmpty(launch.range)) WEFT_TRY_VOID(kernel.prepare(*code, launch));
  return makeRef<NDRangeCommand>(queue, type, *code, std::move(taken), launch);
}

void NDRangeCommand::runPart(size_t part, runtime::Slot& slot) noexcept {
  // A failure has been handed to failed(), which the base turns into the command's status.
  static_cast<void>(slot.runPart(launch_, part, *this));
}

void NDRangeCommand::releasePayload() noexcept {
  arguments_.reset();
  code_ = nullptr;
}

}  // namespace weft
