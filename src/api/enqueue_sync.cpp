// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/adaptor.h"
#include "queue/buffer_command.h"
#include "queue/graph.h"
#include "validate/queue.h"

// clEnqueueMarkerWithWaitList, clEnqueueBarrierWithWaitList, and of OpenCL 1.1 clEnqueueMarker,
// clEnqueueBarrier, clEnqueueWaitForEvents.

namespace weft {
namespace {

Result<void> enqueueSync(Queue& queue, cl_command_type type, Command::Order order, WaitList waits,
                         cl_event* event) {
  Graph::instance().enqueue(makeRef<EmptyCommand>(queue, type, order), waits, event);
  return {};
}

Result<void> enqueueSync(cl_command_queue handle, cl_command_type type, Command::Order order,
                         cl_uint count, const cl_event* list, cl_event* event) {
  WEFT_TRY(Queue * queue, validate::queue(handle));
  WEFT_TRY(const WaitList waits, validate::waitList(queue->context(), count, list));
  return enqueueSync(*queue, type, order, waits, event);
}

}  // namespace
}  // namespace weft

using namespace weft;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue command_queue,
                                                            cl_uint num_events_in_wait_list,
                                                            const cl_event* event_wait_list,
                                                            cl_event* event) {
  return api::call([&]() -> Result<void> {
    return enqueueSync(command_queue, CL_COMMAND_MARKER, Command::Order::Marker,
                       num_events_in_wait_list, event_wait_list, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue command_queue,
                                                             cl_uint num_events_in_wait_list,
                                                             const cl_event* event_wait_list,
                                                             cl_event* event) {
  return api::call([&]() -> Result<void> {
    return enqueueSync(command_queue, CL_COMMAND_BARRIER, Command::Order::Barrier,
                       num_events_in_wait_list, event_wait_list, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarker(cl_command_queue command_queue, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY_VOID(validate::queue(command_queue));
    WEFT_TRY_VOID(require(event != nullptr, CL_INVALID_VALUE));
    return enqueueSync(command_queue, CL_COMMAND_MARKER, Command::Order::Marker, 0, nullptr, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue command_queue) {
  return api::call([&]() -> Result<void> {
    return enqueueSync(command_queue, CL_COMMAND_BARRIER, Command::Order::Barrier, 0, nullptr,
                       nullptr);
  });
}

// Later commands wait for the events: a barrier with a wait list.
CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue command_queue,
                                                       cl_uint num_events,
                                                       const cl_event* event_list) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(const WaitList waits, validate::eventList(&queue->context(), num_events, event_list));
    return enqueueSync(*queue, CL_COMMAND_BARRIER, Command::Order::Barrier, waits, nullptr);
  });
}

}  // extern "C"
