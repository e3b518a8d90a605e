// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include "base/error.h"
#include "queue/queue.h"
#include "validate/handles.h"

/// Rules of command queues and of wait lists.
namespace weft::validate {

/// A queue of either kind.
[[nodiscard]] inline Result<Queue*> anyQueue(cl_command_queue handle) noexcept {
  return object<Queue>(handle, CL_INVALID_COMMAND_QUEUE);
}
/// A queue of the host, which commands may be enqueued to.
[[nodiscard]] inline Result<Queue*> queue(cl_command_queue handle) noexcept {
  WEFT_TRY(Queue * found, anyQueue(handle));
  WEFT_TRY_VOID(require(found->onDevice() == nullptr, CL_INVALID_COMMAND_QUEUE));
  return found;
}
/// A queue on the device.
[[nodiscard]] inline Result<Queue*> deviceQueue(cl_command_queue handle) noexcept {
  WEFT_TRY(Queue * found, anyQueue(handle));
  WEFT_TRY_VOID(require(found->onDevice() != nullptr, CL_INVALID_COMMAND_QUEUE));
  return found;
}

/// The bit field of a queue.
///   CL_INVALID_VALUE  a bit that is no queue property, a queue on the device that is not out of
///                     order, or a default one that is not on the device
[[nodiscard]] Result<void> queueProperties(cl_command_queue_properties properties) noexcept;

/// The list of clCreateCommandQueueWithProperties; null stands for the defaults.
///   CL_INVALID_VALUE             an unknown or repeated name, a bad value, or a size for a host
///                                queue
///   CL_INVALID_QUEUE_PROPERTIES  a queue on the device that is too large, or has a priority
[[nodiscard]] Result<QueueOptions> queueOptions(const cl_queue_properties* list);

/// Events that a command of `context` waits for.
///   CL_INVALID_EVENT_WAIT_LIST  one is invalid
///   CL_INVALID_CONTEXT          one is of another context
[[nodiscard]] Result<void> waitedEvents(const Context& context, WaitList events) noexcept;

/// An event_wait_list with its count, of a command that is to be enqueued.
///   CL_CONTEXT_TERMINATED_KHR   nothing can be enqueued in the context any more
///   CL_INVALID_EVENT_WAIT_LIST  count and list do not go together, or an event is invalid
///   CL_INVALID_CONTEXT          an event is of another context
[[nodiscard]] inline Result<WaitList> waitList(const Context& context, cl_uint count,
                                               const cl_event* list) noexcept {
  WEFT_TRY_VOID(require(!context.isTerminated(), kContextTerminated));
  if ((count == 0) != (list == nullptr)) return clError(CL_INVALID_EVENT_WAIT_LIST);
  if (count != 0) WEFT_TRY_VOID(waitedEvents(context, {list, count}));
  return WaitList(list, count);
}

/// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when one of them has ended abnormally: for commands
/// that are refused then. Pre: waitList() is content.
[[nodiscard]] Result<void> noneFailed(WaitList waits) noexcept;

/// The list of a call that is about nothing but events: clWaitForEvents and the like.
///   CL_INVALID_VALUE    there are none
///   CL_INVALID_EVENT    one of them is not valid
///   CL_INVALID_CONTEXT  they are of different contexts, or not of `context` unless it is null
///   CL_CONTEXT_TERMINATED_KHR  nothing can be enqueued in `context` any more
[[nodiscard]] Result<WaitList> eventList(const Context* context, cl_uint count,
                                         const cl_event* list) noexcept;

}  // namespace weft::validate
