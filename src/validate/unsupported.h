// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include "base/error.h"
#include "base/handle.h"

/// Rules of calls for features that no device has. What the specification asks of the arguments
/// comes first; the error for the missing feature is the last one left.
namespace weft::validate {

template <class ClHandle>
[[nodiscard]] Result<void> tagged(const ClHandle* handle, HandleTag tag, cl_int code) noexcept {
  return require(handle != nullptr && handle->tag == tag, code);
}

/// Pointer and count of a wait list must go together, and its events be events.
[[nodiscard]] inline Result<void> waitListShape(cl_uint count, const cl_event* events) noexcept {
  if ((count == 0) != (events == nullptr)) return clError(CL_INVALID_EVENT_WAIT_LIST);
  for (cl_uint i = 0; i < count; ++i)
    WEFT_TRY_VOID(tagged(events[i], HandleTag::Event, CL_INVALID_EVENT_WAIT_LIST));
  return {};
}

/// A command that the queue's device cannot do.
///
///   CL_INVALID_COMMAND_QUEUE, CL_INVALID_EVENT_WAIT_LIST, then CL_INVALID_OPERATION
[[nodiscard]] inline Result<void> unsupportedCommand(cl_command_queue queue, cl_uint count,
                                                     const cl_event* events) noexcept {
  WEFT_TRY_VOID(tagged(queue, HandleTag::Queue, CL_INVALID_COMMAND_QUEUE));
  WEFT_TRY_VOID(waitListShape(count, events));
  return clError(CL_INVALID_OPERATION);
}

}  // namespace weft::validate
