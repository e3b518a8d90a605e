// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/adaptor.h"
#include "validate/command_buffer.h"
#include "validate/memory.h"

// clCommandCopyBufferToImageKHR, clCommandCopyImageKHR, clCommandCopyImageToBufferKHR,
// clCommandFillImageKHR: of devices that have no images.

namespace weft::khr {
namespace {

/// Checks what can be checked without images: what every command has, and one buffer, if any.
Result<void> unsupportedImageCommand(const validate::RecordArguments& arguments,
                                     const cl_mem* buffer) {
  WEFT_TRY(const validate::Recording recording, validate::plainRecording(arguments));
  if (buffer) WEFT_TRY_VOID(validate::bufferOf(recording.buffer.context(), *buffer));
  return clError(CL_INVALID_OPERATION);
}

}  // namespace

cl_int CL_API_CALL clCommandCopyBufferToImageKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_buffer,
                                                 cl_mem dst_image, size_t src_offset,
                                                 const size_t* dst_origin, const size_t* region,
                                                 WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&] { return unsupportedImageCommand(WEFT_KHR_RECORD_ARGUMENTS, &src_buffer); });
}

cl_int CL_API_CALL clCommandCopyImageKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_image,
                                         cl_mem dst_image, const size_t* src_origin,
                                         const size_t* dst_origin, const size_t* region,
                                         WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&] { return unsupportedImageCommand(WEFT_KHR_RECORD_ARGUMENTS, nullptr); });
}

cl_int CL_API_CALL clCommandCopyImageToBufferKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_image,
                                                 cl_mem dst_buffer, const size_t* src_origin,
                                                 const size_t* region, size_t dst_offset,
                                                 WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&] { return unsupportedImageCommand(WEFT_KHR_RECORD_ARGUMENTS, &dst_buffer); });
}

cl_int CL_API_CALL clCommandFillImageKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem image,
                                         const void* fill_color, const size_t* origin,
                                         const size_t* region, WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&] { return unsupportedImageCommand(WEFT_KHR_RECORD_ARGUMENTS, nullptr); });
}

}  // namespace weft::khr
