// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>

#include "api/adaptor.h"
#include "program/launch_range.h"
#include "program/nd_range_command.h"
#include "queue/graph.h"
#include "queue/queue.h"
#include "validate/program.h"
#include "validate/queue.h"
#include "weft/khr/opencl_3_1.h"

using namespace weft;

namespace {

/// What an application's launch comes with besides its sizes.
struct WaitArguments {
  cl_uint count;
  const cl_event* list;
  cl_event* event;
};

Result<void> enqueueKernel(cl_command_queue queueHandle, cl_kernel kernelHandle,
                           const RangeArguments& range, cl_command_type type,
                           const WaitArguments& waits) {
  WEFT_TRY(Queue * queue, validate::queue(queueHandle));
  WEFT_TRY(const Kernel* kernel, validate::kernel(kernelHandle));
  WEFT_TRY(const WaitList waitList, validate::waitList(queue->context(), waits.count, waits.list));
  WEFT_TRY(Ref<NDRangeCommand> command, NDRangeCommand::create(*queue, *kernel, range, type));
  Graph::instance().enqueue(std::move(command), waitList, waits.event);
  return {};
}

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t* global_work_offset, const size_t* global_work_size, const size_t* local_work_size,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    const RangeArguments range{.workDim = work_dim,
                               .offset = global_work_offset,
                               .global = global_work_size,
                               .local = local_work_size};
    return enqueueKernel(command_queue, kernel, range, CL_COMMAND_NDRANGE_KERNEL,
                         {num_events_in_wait_list, event_wait_list, event});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    constexpr size_t kOne = 1;
    const RangeArguments range{.workDim = 1, .global = &kOne, .local = &kOne};
    return enqueueKernel(command_queue, kernel, range, CL_COMMAND_TASK,
                         {num_events_in_wait_list, event_wait_list, event});
  });
}

/// What a launch without a local size would run with.
CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t* global_work_offset, const size_t* global_work_size,
    size_t* suggested_local_work_size) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(const Kernel* object, validate::kernel(kernel));
    WEFT_TRY_VOID(require(&queue->context() == &object->context(), CL_INVALID_CONTEXT));
    const KernelCode* code = object->codeFor(queue->device());
    WEFT_TRY_VOID(require(code != nullptr, CL_INVALID_PROGRAM_EXECUTABLE));
    WEFT_TRY_VOID(require(suggested_local_work_size != nullptr, CL_INVALID_VALUE));
    WEFT_TRY(
        const NDRange range,
        launchRange({.workDim = work_dim, .offset = global_work_offset, .global = global_work_size},
                    code->info(), groupLimits(*object, queue->device())));
    // Unlike a launch, this call has nothing to say about an empty range.
    WEFT_TRY_VOID(require(!isEmpty(range), CL_INVALID_GLOBAL_WORK_SIZE));
    WEFT_TRY_VOID(object->arguments().take(object->context()));
    std::copy_n(range.localSize.begin(), range.dimensions, suggested_local_work_size);
    return {};
  });
}

/// cl_khr_suggested_local_work_size has the same function.
CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t* global_work_offset, const size_t* global_work_size,
    size_t* suggested_local_work_size) {
  return clGetKernelSuggestedLocalWorkSize(command_queue, kernel, work_dim, global_work_offset,
                                           global_work_size, suggested_local_work_size);
}
