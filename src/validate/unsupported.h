// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include "platform/handle.h"
#include "validate/error.h"

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

/// Flags of a memory object.
///
///   CL_INVALID_VALUE  unknown bits, or flags that exclude each other
[[nodiscard]] inline Result<void> memoryFlagBits(cl_mem_flags flags) noexcept {
  constexpr cl_mem_flags kDevice = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  constexpr cl_mem_flags kHost =
      CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  constexpr cl_mem_flags kPlace =
      CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  const auto atMostOne = [](cl_mem_flags bits) { return (bits & (bits - 1)) == 0; };
  const bool valid = (flags & ~(kDevice | kHost | kPlace | CL_MEM_KERNEL_READ_AND_WRITE)) == 0 &&
                     atMostOne(flags & kDevice) && atMostOne(flags & kHost) &&
                     ((flags & CL_MEM_USE_HOST_PTR) == 0 || atMostOne(flags & kPlace));
  return require(valid, CL_INVALID_VALUE);
}

}  // namespace weft::validate
