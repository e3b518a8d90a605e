// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/adaptor.h"
#include "queue/buffer_command.h"
#include "validate/image_transfer.h"
#include "validate/memory.h"
#include "validate/queue.h"

// clEnqueueMapBuffer, clEnqueueMapImage, clEnqueueUnmapMemObject, clEnqueueMigrateMemObjects. Host
// and device share the bytes, so all three only take their place in the order of commands.

using namespace weft;

extern "C" {

CL_API_ENTRY void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer,
                                                  cl_bool blocking_map, cl_map_flags map_flags,
                                                  size_t offset, size_t size,
                                                  cl_uint num_events_in_wait_list,
                                                  const cl_event* event_wait_list, cl_event* event,
                                                  cl_int* errcode_ret) {
  return api::value(errcode_ret, [&]() -> Result<void*> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(Buffer * memory, validate::bufferOf(*queue, buffer));
    WEFT_TRY_VOID(validate::mapFlags(map_flags));
    WEFT_TRY_VOID(require(size != 0, CL_INVALID_VALUE));
    WEFT_TRY_VOID(validate::range(*memory, offset, size));
    WEFT_TRY(const bool forWriting, validate::hostMaps(*memory, map_flags));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    const auto map = memory->addMap(offset, size, forWriting);
    WEFT_TRY_VOID(require(map.has_value(), CL_INVALID_OPERATION));
    WEFT_TRY_VOID(enqueueMap(
        *queue, {CL_COMMAND_MAP_BUFFER, blocking_map != CL_FALSE, waits, event}, *memory, *map));
    return memory->data() + offset;
  });
}

CL_API_ENTRY void* CL_API_CALL clEnqueueMapImage(cl_command_queue command_queue, cl_mem image,
                                                 cl_bool blocking_map, cl_map_flags map_flags,
                                                 const size_t* origin, const size_t* region,
                                                 size_t* image_row_pitch, size_t* image_slice_pitch,
                                                 cl_uint num_events_in_wait_list,
                                                 const cl_event* event_wait_list, cl_event* event,
                                                 cl_int* errcode_ret) {
  return api::value(errcode_ret, [&]() -> Result<void*> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(Image * memory, validate::imageOf(*queue, image));
    WEFT_TRY_VOID(validate::mapFlags(map_flags));
    WEFT_TRY(const auto pixels, validate::imageRegion(*memory, origin, region));
    WEFT_TRY(const bool forWriting, validate::hostMaps(*memory, map_flags));
    WEFT_TRY_VOID(validate::mapPitches(*memory, image_row_pitch, image_slice_pitch));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    const auto map = memory->addMap(pixels.bytes, forWriting);
    WEFT_TRY_VOID(require(map.has_value(), CL_INVALID_OPERATION));
    WEFT_TRY_VOID(enqueueMap(*queue, {CL_COMMAND_MAP_IMAGE, blocking_map != CL_FALSE, waits, event},
                             *memory, *map));
    *image_row_pitch = pixels.level->rowPitch;
    if (image_slice_pitch)
      *image_slice_pitch = hasSlices(memory->type()) ? pixels.level->slicePitch : 0;
    return pixels.bytes.begin;
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue command_queue,
                                                        cl_mem memobj, void* mapped_ptr,
                                                        cl_uint num_events_in_wait_list,
                                                        const cl_event* event_wait_list,
                                                        cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(Memory * memory, validate::memoryOf(*queue, memobj));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    WEFT_TRY_VOID(require(memory->removeMap(mapped_ptr), CL_INVALID_VALUE));
    return enqueueEmpty(*queue, {CL_COMMAND_UNMAP_MEM_OBJECT, false, waits, event});
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemObjects(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem* mem_objects,
    cl_mem_migration_flags flags, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
    cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY_VOID(validate::migration(*queue, num_mem_objects, mem_objects, flags));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    return enqueueEmpty(*queue, {CL_COMMAND_MIGRATE_MEM_OBJECTS, false, waits, event});
  });
}

}  // extern "C"
