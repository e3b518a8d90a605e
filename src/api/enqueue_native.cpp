// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/adaptor.h"
#include "queue/graph.h"
#include "queue/native_command.h"
#include "validate/native.h"
#include "validate/queue.h"

// clEnqueueNativeKernel.

using namespace weft;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNativeKernel(
    cl_command_queue command_queue, NativeCommand::Function user_func, void* args, size_t cb_args,
    cl_uint num_mem_objects, const cl_mem* mem_list, const void** args_mem_loc,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY_VOID(require(user_func != nullptr, CL_INVALID_VALUE));
    WEFT_TRY(
        validate::NativeArguments arguments,
        validate::nativeArguments(*queue, args, cb_args, num_mem_objects, mem_list, args_mem_loc));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    Graph::instance().enqueue(makeRef<NativeCommand>(*queue, user_func, std::move(arguments.bytes),
                                                     std::move(arguments.memory)),
                              waits, event);
    return {};
  });
}

}  // extern "C"
