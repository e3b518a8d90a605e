// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/command_buffer_record.h"

#include "api/adaptor.h"
#include "program/kernel_step.h"
#include "program/mutable_dispatch.h"
#include "queue/command_buffer.h"
#include "validate/command_buffer.h"
#include "validate/program.h"
#include "validate/svm.h"
#include "validate/transfer.h"

// clCommandBarrierWithWaitListKHR, clCommandCopyBufferKHR, clCommandCopyBufferRectKHR,
// clCommandFillBufferKHR, clCommandSVMMemcpyKHR, clCommandSVMMemFillKHR, clCommandNDRangeKernelKHR.

namespace weft::khr {
namespace {

Result<void> recordKernel(const RecordArguments& arguments, cl_kernel handle,
                          const RangeArguments& range) {
  WEFT_TRY(const Recording recording, validate::recording(arguments));
  CommandBuffer& buffer = recording.buffer;
  WEFT_TRY(Kernel * kernel, validate::kernel(handle));
  WEFT_TRY_VOID(require(&kernel->context() == &buffer.context(), CL_INVALID_CONTEXT));
  WEFT_TRY(DispatchOptions options,
           validate::dispatchOptions(buffer, arguments.properties, range.local));
  WEFT_TRY(Ref<const Step> step, makeKernelStep(buffer.queue(), *kernel, kernel->arguments(), range,
                                                options.namesArguments));
  if (arguments.handle == nullptr) {
    WEFT_TRY_VOID(
        record(recording, std::move(step), CommandBuffer::Order::Free, arguments.syncPoint));
    return {};
  }
  auto dispatch = makeRef<MutableDispatch>(buffer, *kernel, std::move(options), range);
  buffer.own(dispatch);
  WEFT_TRY(const size_t place,
           record(recording, std::move(step), CommandBuffer::Order::Free, arguments.syncPoint));
  dispatch->setPlace(place);
  *arguments.handle = dispatch->handle();
  return {};
}

}  // namespace

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(WEFT_KHR_RECORD_PARAMETERS,
                                                   WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Recording recording, validate::plainRecording(WEFT_KHR_RECORD_ARGUMENTS));
    WEFT_TRY_VOID(
        record(recording, makeRef<EmptyStep>(), CommandBuffer::Order::Barrier, sync_point));
    return {};
  });
}

cl_int CL_API_CALL clCommandCopyBufferKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_buffer,
                                          cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                          size_t size, WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&]() -> Result<void> {
    return recordTransfer(WEFT_KHR_RECORD_ARGUMENTS, [&](const Context& context) {
      return validate::copyBuffer(context, src_buffer, dst_buffer, src_offset, dst_offset, size);
    });
  });
}

cl_int CL_API_CALL clCommandCopyBufferRectKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_buffer,
                                              cl_mem dst_buffer, const size_t* src_origin,
                                              const size_t* dst_origin, const size_t* region,
                                              size_t src_row_pitch, size_t src_slice_pitch,
                                              size_t dst_row_pitch, size_t dst_slice_pitch,
                                              WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&]() -> Result<void> {
    return recordTransfer(WEFT_KHR_RECORD_ARGUMENTS, [&](const Context& context) {
      return validate::copyBufferRect(
          context, {src_buffer, src_origin, src_row_pitch, src_slice_pitch},
          {dst_buffer, dst_origin, dst_row_pitch, dst_slice_pitch}, region);
    });
  });
}

cl_int CL_API_CALL clCommandFillBufferKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem buffer,
                                          const void* pattern, size_t pattern_size, size_t offset,
                                          size_t size, WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&]() -> Result<void> {
    return recordTransfer(WEFT_KHR_RECORD_ARGUMENTS, [&](const Context& context) {
      return validate::fillBuffer(context, buffer, pattern, pattern_size, offset, size);
    });
  });
}

cl_int CL_API_CALL clCommandSVMMemcpyKHR(WEFT_KHR_RECORD_PARAMETERS, void* dst_ptr,
                                         const void* src_ptr, size_t size,
                                         WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&]() -> Result<void> {
    return recordTransfer(WEFT_KHR_RECORD_ARGUMENTS, [&](const Context&) {
      return validate::svmMemcpy(dst_ptr, src_ptr, size);
    });
  });
}

cl_int CL_API_CALL clCommandSVMMemFillKHR(WEFT_KHR_RECORD_PARAMETERS, void* svm_ptr,
                                          const void* pattern, size_t pattern_size, size_t size,
                                          WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&]() -> Result<void> {
    return recordTransfer(WEFT_KHR_RECORD_ARGUMENTS, [&](const Context&) {
      return validate::svmMemFill(svm_ptr, pattern, pattern_size, size);
    });
  });
}

cl_int CL_API_CALL clCommandNDRangeKernelKHR(WEFT_KHR_RECORD_PARAMETERS, cl_kernel kernel,
                                             cl_uint work_dim, const size_t* global_work_offset,
                                             const size_t* global_work_size,
                                             const size_t* local_work_size,
                                             WEFT_KHR_SYNC_PARAMETERS) {
  return api::call([&]() -> Result<void> {
    return recordKernel(WEFT_KHR_RECORD_ARGUMENTS, kernel,
                        {.workDim = work_dim,
                         .offset = global_work_offset,
                         .global = global_work_size,
                         .local = local_work_size});
  });
}

}  // namespace weft::khr
