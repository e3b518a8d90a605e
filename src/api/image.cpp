// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/image.h"
#include "api/adaptor.h"
#include "validate/handles.h"
#include "validate/memory.h"
#include "validate/unsupported.h"

// Every entry point for images. The device has no image support yet, so no image can exist, and a
// buffer is not a valid image.

using namespace weft;

namespace {

/// What all ways to make an image come to.
Result<cl_mem> createImage(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                           const cl_image_desc* description, void* hostPointer) {
  WEFT_TRY_VOID(validate::context(context));
  const Memory* const below = description ? Memory::from(description->mem_object) : nullptr;
  WEFT_TRY(const cl_mem_flags complete, validate::imageFlags(flags, below));
  WEFT_TRY(const size_t element, validate::imageElement(format));
  WEFT_TRY_VOID(validate::imageShape(description, element, hostPointer));
  if (below == nullptr) WEFT_TRY_VOID(validate::hostPointer(complete, hostPointer));
  return clError(CL_INVALID_OPERATION);
}

/// The same for clCreateImage2D and clCreateImage3D.
Result<cl_mem> createOldImage(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                              const cl_image_desc& description, void* hostPointer) {
  WEFT_TRY_VOID(validate::context(context));
  WEFT_TRY(const cl_mem_flags complete, validate::imageFlags(flags, nullptr));
  WEFT_TRY(const size_t element, validate::imageElement(format));
  WEFT_TRY_VOID(validate::oldImageShape(description, element, hostPointer));
  WEFT_TRY_VOID(validate::hostPointer(complete, hostPointer));
  return clError(CL_INVALID_OPERATION);
}

/// A command on `image`; copies between two objects name both.
Result<void> imageCommand(cl_command_queue queue, std::initializer_list<cl_mem> objects,
                          cl_uint count, const cl_event* events) {
  WEFT_TRY_VOID(validate::tagged(queue, HandleTag::Queue, CL_INVALID_COMMAND_QUEUE));
  for (cl_mem object : objects)
    WEFT_TRY_VOID(validate::tagged(object, HandleTag::Memory, CL_INVALID_MEM_OBJECT));
  return validate::unsupportedCommand(queue, count, events);
}

}  // namespace

extern "C" {

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                              const cl_image_format* image_format,
                                              const cl_image_desc* image_desc, void* host_ptr,
                                              cl_int* errcode_ret) {
  return api::value(
      errcode_ret, [&] { return createImage(context, flags, image_format, image_desc, host_ptr); });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                                            const cl_mem_properties* properties,
                                                            cl_mem_flags flags,
                                                            const cl_image_format* image_format,
                                                            const cl_image_desc* image_desc,
                                                            void* host_ptr, cl_int* errcode_ret) {
  return api::value(errcode_ret, [&]() -> Result<cl_mem> {
    WEFT_TRY_VOID(validate::context(context));
    WEFT_TRY_VOID(require(properties == nullptr || properties[0] == 0, CL_INVALID_PROPERTY));
    return createImage(context, flags, image_format, image_desc, host_ptr);
  });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format* image_format,
                                                size_t image_width, size_t image_height,
                                                size_t image_row_pitch, void* host_ptr,
                                                cl_int* errcode_ret) {
  return api::value(errcode_ret, [&] {
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = image_width;
    description.image_height = image_height;
    description.image_row_pitch = image_row_pitch;
    return createOldImage(context, flags, image_format, description, host_ptr);
  });
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format* image_format,
                                                size_t image_width, size_t image_height,
                                                size_t image_depth, size_t image_row_pitch,
                                                size_t image_slice_pitch, void* host_ptr,
                                                cl_int* errcode_ret) {
  return api::value(errcode_ret, [&] {
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE3D;
    description.image_width = image_width;
    description.image_height = image_height;
    description.image_depth = image_depth;
    description.image_row_pitch = image_row_pitch;
    description.image_slice_pitch = image_slice_pitch;
    return createOldImage(context, flags, image_format, description, host_ptr);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                                           cl_mem_object_type image_type,
                                                           cl_uint num_entries,
                                                           cl_image_format* image_formats,
                                                           cl_uint* num_image_formats) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY_VOID(validate::context(context));
    WEFT_TRY_VOID(validate::imageQueryFlags(flags));
    WEFT_TRY_VOID(validate::imageType(image_type));
    WEFT_TRY_VOID(require(num_entries != 0 || image_formats == nullptr, CL_INVALID_VALUE));
    if (num_image_formats) *num_image_formats = 0;
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name,
                                               size_t param_value_size, void* param_value,
                                               size_t* param_value_size_ret) {
  return api::call([]() -> Result<void> { return clError(CL_INVALID_MEM_OBJECT); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_read, const size_t* origin,
    const size_t* region, size_t row_pitch, size_t slice_pitch, void* ptr,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&] {
    return imageCommand(command_queue, {image}, num_events_in_wait_list, event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteImage(
    cl_command_queue command_queue, cl_mem image, cl_bool blocking_write, const size_t* origin,
    const size_t* region, size_t input_row_pitch, size_t input_slice_pitch, const void* ptr,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&] {
    return imageCommand(command_queue, {image}, num_events_in_wait_list, event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue command_queue, cl_mem image,
                                                   const void* fill_color, const size_t* origin,
                                                   const size_t* region,
                                                   cl_uint num_events_in_wait_list,
                                                   const cl_event* event_wait_list,
                                                   cl_event* event) {
  return api::call([&] {
    return imageCommand(command_queue, {image}, num_events_in_wait_list, event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image,
                                                   cl_mem dst_image, const size_t* src_origin,
                                                   const size_t* dst_origin, const size_t* region,
                                                   cl_uint num_events_in_wait_list,
                                                   const cl_event* event_wait_list,
                                                   cl_event* event) {
  return api::call([&] {
    return imageCommand(command_queue, {src_image, dst_image}, num_events_in_wait_list,
                        event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyImageToBuffer(
    cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer, const size_t* src_origin,
    const size_t* region, size_t dst_offset, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return api::call([&] {
    return imageCommand(command_queue, {src_image, dst_buffer}, num_events_in_wait_list,
                        event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferToImage(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t* dst_origin, const size_t* region, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return api::call([&] {
    return imageCommand(command_queue, {src_buffer, dst_image}, num_events_in_wait_list,
                        event_wait_list);
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
    WEFT_TRY_VOID(imageCommand(command_queue, {image}, num_events_in_wait_list, event_wait_list));
    return nullptr;
  });
}

}  // extern "C"
