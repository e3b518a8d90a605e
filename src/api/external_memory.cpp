// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_ext.h>

#include "api/adaptor.h"
#include "queue/external_memory_command.h"
#include "queue/graph.h"
#include "validate/memory.h"
#include "validate/queue.h"

// cl_khr_external_memory: clEnqueueAcquireExternalMemObjectsKHR and
// clEnqueueReleaseExternalMemObjectsKHR.

namespace weft {
namespace {

Result<void> enqueueExternal(cl_command_queue handle, cl_command_type type, cl_uint count,
                             const cl_mem* list, cl_uint waitCount, const cl_event* waitList,
                             cl_event* event) {
  WEFT_TRY(Queue * queue, validate::queue(handle));
  WEFT_TRY(auto objects, validate::externalObjects(*queue, count, list));
  WEFT_TRY(const WaitList waits, validate::waitList(queue->context(), waitCount, waitList));
  WEFT_TRY_VOID(validate::noneFailed(waits));
  Graph::instance().enqueue(makeRef<ExternalMemoryCommand>(*queue, type, std::move(objects)), waits,
                            event);
  return {};
}

}  // namespace
}  // namespace weft

using namespace weft;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clEnqueueAcquireExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    return enqueueExternal(command_queue, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR,
                           num_mem_objects, mem_objects, num_events_in_wait_list, event_wait_list,
                           event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReleaseExternalMemObjectsKHR(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    return enqueueExternal(command_queue, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR,
                           num_mem_objects, mem_objects, num_events_in_wait_list, event_wait_list,
                           event);
  });
}

}  // extern "C"
