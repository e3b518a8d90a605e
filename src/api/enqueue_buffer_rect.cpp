// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/adaptor.h"
#include "queue/buffer_command.h"
#include "validate/memory.h"
#include "validate/queue.h"
#include "validate/transfer.h"

// clEnqueueReadBufferRect, clEnqueueWriteBufferRect, clEnqueueCopyBufferRect.

using namespace weft;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBufferRect(
    cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
    const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
    size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
    size_t host_slice_pitch, void* ptr, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(Buffer * source, validate::bufferOf(*queue, buffer));
    WEFT_TRY_VOID(validate::hostReads(*source));
    WEFT_TRY(const RectRegion box, validate::rectRegion(region));
    WEFT_TRY(const RectLayout from, validate::rectLayout(*source, buffer_origin, box,
                                                         buffer_row_pitch, buffer_slice_pitch));
    WEFT_TRY(const RectLayout to,
             validate::rectLayout(host_origin, box, host_row_pitch, host_slice_pitch));
    WEFT_TRY_VOID(require(ptr != nullptr, CL_INVALID_VALUE));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueTransfer(
        *queue, {CL_COMMAND_READ_BUFFER_RECT, blocking_read != CL_FALSE, waits, event},
        rectCopyOf(source->data(), from, static_cast<std::byte*>(ptr), to, box), source);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBufferRect(
    cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
    const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
    size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
    size_t host_slice_pitch, const void* ptr, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(Buffer * target, validate::bufferOf(*queue, buffer));
    WEFT_TRY_VOID(validate::hostWrites(*target));
    WEFT_TRY(const RectRegion box, validate::rectRegion(region));
    WEFT_TRY(const RectLayout to, validate::rectLayout(*target, buffer_origin, box,
                                                       buffer_row_pitch, buffer_slice_pitch));
    WEFT_TRY(const RectLayout from,
             validate::rectLayout(host_origin, box, host_row_pitch, host_slice_pitch));
    WEFT_TRY_VOID(require(ptr != nullptr, CL_INVALID_VALUE));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueTransfer(
        *queue, {CL_COMMAND_WRITE_BUFFER_RECT, blocking_write != CL_FALSE, waits, event},
        rectCopyOf(static_cast<const std::byte*>(ptr), from, target->data(), to, box), target);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferRect(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer, const size_t* src_origin,
    const size_t* dst_origin, const size_t* region, size_t src_row_pitch, size_t src_slice_pitch,
    size_t dst_row_pitch, size_t dst_slice_pitch, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(const auto& checked,
             validate::copyBufferRect(
                 queue->context(), {src_buffer, src_origin, src_row_pitch, src_slice_pitch},
                 {dst_buffer, dst_origin, dst_row_pitch, dst_slice_pitch}, region));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueTransfer(*queue, {CL_COMMAND_COPY_BUFFER_RECT, false, waits, event},
                           checked.transfer, checked.first, checked.second);
  });
}

}  // extern "C"
