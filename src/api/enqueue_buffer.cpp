// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/adaptor.h"
#include "queue/buffer_command.h"
#include "validate/memory.h"
#include "validate/queue.h"
#include "validate/transfer.h"

// clEnqueueReadBuffer, clEnqueueWriteBuffer, clEnqueueCopyBuffer, clEnqueueFillBuffer.

using namespace weft;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer,
                                                    cl_bool blocking_read, size_t offset,
                                                    size_t size, void* ptr,
                                                    cl_uint num_events_in_wait_list,
                                                    const cl_event* event_wait_list,
                                                    cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(Buffer * source, validate::bufferOf(*queue, buffer));
    WEFT_TRY_VOID(validate::hostReads(*source));
    WEFT_TRY_VOID(validate::range(*source, offset, size));
    WEFT_TRY_VOID(require(ptr != nullptr, CL_INVALID_VALUE));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    const LinearCopy copy{source->data() + offset, static_cast<std::byte*>(ptr), size};
    return enqueueTransfer(
        *queue, {CL_COMMAND_READ_BUFFER, blocking_read != CL_FALSE, waits, event}, copy, source);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer,
                                                     cl_bool blocking_write, size_t offset,
                                                     size_t size, const void* ptr,
                                                     cl_uint num_events_in_wait_list,
                                                     const cl_event* event_wait_list,
                                                     cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(Buffer * target, validate::bufferOf(*queue, buffer));
    WEFT_TRY_VOID(validate::hostWrites(*target));
    WEFT_TRY_VOID(validate::range(*target, offset, size));
    WEFT_TRY_VOID(require(ptr != nullptr, CL_INVALID_VALUE));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    const LinearCopy copy{static_cast<const std::byte*>(ptr), target->data() + offset, size};
    return enqueueTransfer(
        *queue, {CL_COMMAND_WRITE_BUFFER, blocking_write != CL_FALSE, waits, event}, copy, target);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue command_queue,
                                                    cl_mem src_buffer, cl_mem dst_buffer,
                                                    size_t src_offset, size_t dst_offset,
                                                    size_t size, cl_uint num_events_in_wait_list,
                                                    const cl_event* event_wait_list,
                                                    cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(const auto& checked, validate::copyBuffer(queue->context(), src_buffer, dst_buffer,
                                                       src_offset, dst_offset, size));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueTransfer(*queue, {CL_COMMAND_COPY_BUFFER, false, waits, event}, checked.transfer,
                           checked.first, checked.second);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer,
                                                    const void* pattern, size_t pattern_size,
                                                    size_t offset, size_t size,
                                                    cl_uint num_events_in_wait_list,
                                                    const cl_event* event_wait_list,
                                                    cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(const auto& checked,
             validate::fillBuffer(queue->context(), buffer, pattern, pattern_size, offset, size));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueTransfer(*queue, {CL_COMMAND_FILL_BUFFER, false, waits, event}, checked.transfer,
                           checked.first);
  });
}

}  // extern "C"
