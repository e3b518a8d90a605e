// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/adaptor.h"
#include "queue/buffer_command.h"
#include "validate/image_transfer.h"
#include "validate/memory.h"
#include "validate/queue.h"

// clEnqueueReadImage, clEnqueueWriteImage, clEnqueueCopyImage, clEnqueueCopyImageToBuffer,
// clEnqueueCopyBufferToImage, clEnqueueFillImage.

using namespace weft;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_read, const size_t* origin,
    const size_t* region, size_t row_pitch, size_t slice_pitch, void* ptr,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(Image * source, validate::imageOf(*queue, image));
    WEFT_TRY_VOID(validate::hostReads(*source));
    WEFT_TRY(const auto& from, validate::imageRegion(*source, origin, region));
    WEFT_TRY(const ByteBox& to,
             validate::hostRegion(*source, from.bytes.region, row_pitch, slice_pitch, ptr));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueTransfer(*queue, {CL_COMMAND_READ_IMAGE, blocking_read != CL_FALSE, waits, event},
                           rectCopyOf(from.bytes, to), source);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_write, const size_t* origin,
    const size_t* region, size_t input_row_pitch, size_t input_slice_pitch, const void* ptr,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(Image * target, validate::imageOf(*queue, image));
    WEFT_TRY_VOID(validate::hostWrites(*target));
    WEFT_TRY(const auto& to, validate::imageRegion(*target, origin, region));
    WEFT_TRY(const ByteBox& from, validate::hostRegion(*target, to.bytes.region, input_row_pitch,
                                                       input_slice_pitch, ptr));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueTransfer(*queue,
                           {CL_COMMAND_WRITE_IMAGE, blocking_write != CL_FALSE, waits, event},
                           rectCopyOf(from, to.bytes), target);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image,
                                                   cl_mem dst_image, const size_t* src_origin,
                                                   const size_t* dst_origin, const size_t* region,
                                                   cl_uint num_events_in_wait_list,
                                                   const cl_event* event_wait_list,
                                                   cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(const auto& checked, validate::copyImage(queue->context(), src_image, dst_image,
                                                      src_origin, dst_origin, region));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueTransfer(*queue, {CL_COMMAND_COPY_IMAGE, false, waits, event}, checked.transfer,
                           checked.first, checked.second);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(
    cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer, const size_t* src_origin,
    const size_t* region, size_t dst_offset, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(const auto& checked,
             validate::copyImageToBuffer(queue->context(), src_image, dst_buffer, src_origin,
                                         region, dst_offset));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueTransfer(*queue, {CL_COMMAND_COPY_IMAGE_TO_BUFFER, false, waits, event},
                           checked.transfer, checked.first, checked.second);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t* dst_origin, const size_t* region, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(const auto& checked,
             validate::copyBufferToImage(queue->context(), src_buffer, dst_image, src_offset,
                                         dst_origin, region));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueTransfer(*queue, {CL_COMMAND_COPY_BUFFER_TO_IMAGE, false, waits, event},
                           checked.transfer, checked.first, checked.second);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image,
                                                   const void* fill_color, const size_t* origin,
                                                   const size_t* region,
                                                   cl_uint num_events_in_wait_list,
                                                   const cl_event* event_wait_list,
                                                   cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(const auto& checked,
             validate::fillImage(queue->context(), image, fill_color, origin, region));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueTransfer(*queue, {CL_COMMAND_FILL_IMAGE, false, waits, event}, checked.transfer,
                           checked.first);
  });
}

}  // extern "C"
