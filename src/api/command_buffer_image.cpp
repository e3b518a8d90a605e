// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/adaptor.h"
#include "api/command_buffer_record.h"
#include "validate/image_transfer.h"

// clCommandCopyBufferToImageKHR, clCommandCopyImageKHR, clCommandCopyImageToBufferKHR,
// clCommandFillImageKHR.

namespace weft::khr {

cl_int CL_API_CALL clCommandCopyBufferToImageKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_buffer,
                                                 cl_mem dst_image, size_t src_offset,
                                                 const size_t* dst_origin, const size_t* region,
                                                 WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&]() -> Result<void> {
    return recordTransfer(WEFT_KHR_RECORD_ARGUMENTS, [&](const Context& context) {
      return validate::copyBufferToImage(context, src_buffer, dst_image, src_offset, dst_origin,
                                         region);
    });
  });
}

cl_int CL_API_CALL clCommandCopyImageKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_image,
                                         cl_mem dst_image, const size_t* src_origin,
                                         const size_t* dst_origin, const size_t* region,
                                         WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&]() -> Result<void> {
    return recordTransfer(WEFT_KHR_RECORD_ARGUMENTS, [&](const Context& context) {
      return validate::copyImage(context, src_image, dst_image, src_origin, dst_origin, region);
    });
  });
}

cl_int CL_API_CALL clCommandCopyImageToBufferKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_image,
                                                 cl_mem dst_buffer, const size_t* src_origin,
                                                 const size_t* region, size_t dst_offset,
                                                 WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&]() -> Result<void> {
    return recordTransfer(WEFT_KHR_RECORD_ARGUMENTS, [&](const Context& context) {
      return validate::copyImageToBuffer(context, src_image, dst_buffer, src_origin, region,
                                         dst_offset);
    });
  });
}

cl_int CL_API_CALL clCommandFillImageKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem image,
                                         const void* fill_color, const size_t* origin,
                                         const size_t* region, WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&]() -> Result<void> {
    return recordTransfer(WEFT_KHR_RECORD_ARGUMENTS, [&](const Context& context) {
      return validate::fillImage(context, image, fill_color, origin, region);
    });
  });
}

}  // namespace weft::khr
