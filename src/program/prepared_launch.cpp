// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/prepared_launch.h"

#include <string>
#include <utility>

#include "memory/far_memory.h"
#include "platform/platform.h"

namespace weft {

namespace {

Result<void> noStacks(const Kernel& kernel, const compiler::KernelInfo& info) {
  kernel.context().notify(
      "kernel " + info.name + " needs stacks beyond the device's limits, with " +
      std::to_string(info.privateBytes) + " bytes of private memory for each work-item");
  return clError(CL_OUT_OF_RESOURCES);
}

}  // namespace

Result<void> PreparedLaunch::prepare(const Queue& queue, const Kernel& kernel,
                                     const KernelArguments& arguments,
                                     const validate::RangeArguments& range) {
  const Device& device = queue.device();
  const KernelCode* code = kernel.codeFor(device);
  if (code == nullptr) return clError(CL_INVALID_PROGRAM_EXECUTABLE);
  WEFT_TRY(launch_.range, validate::ndRange(range, code->info(), groupLimits(kernel, device)));
  WEFT_TRY(TakenArguments taken, arguments.take());
  WEFT_TRY_VOID(require(taken.localBytes <= device.localMemory(), CL_OUT_OF_RESOURCES));
  launch_.farIndices = taken.hasFarPointers || FarMemory::exists();
  launch_.measured = queue.profiling();
  // What is known of a launch decides whether it waits for final code.
  launch_.arguments = taken.snapshot->block();
  const bool empty = validate::isEmpty(launch_.range);
  if (!empty) WEFT_TRY_VOID(kernel.prepare(*code, launch_));
  if (code->info().usesProgramScope) {
    auto variables = code->program->programScope();
    if (!variables) return clError(CL_OUT_OF_RESOURCES);
    launch_.programScope = *variables;
  }
  fill(*code, std::move(taken));
  launch_.zeroLocal = kernel.context().zeroesLocalMemory();
  if (empty) return {};
  const runtime::Executor& executor = kernel.context().platform().executor();
  if (!executor.hasStacksFor(launch_)) return noStacks(kernel, code->info());
  executor.plan(launch_, {.workers = device.workers()});
  return {};
}

void PreparedLaunch::fill(const KernelCode& code, TakenArguments taken) noexcept {
  const compiler::KernelInfo& kernel = code.info();
  code_ = code.program;
  arguments_ = std::move(taken.snapshot);
  launch_.arguments = arguments_->block();
  launch_.localBytes = taken.localBytes;
  launch_.flushDenormals = kernel.denormsAreZero;
  launch_.kernelName = kernel.name.c_str();
  launch_.barriers = kernel.barriers.data();
  launch_.barrierCount = kernel.barriers.size();
}

}  // namespace weft
