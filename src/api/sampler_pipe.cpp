// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/adaptor.h"
#include "validate/handles.h"
#include "validate/image.h"
#include "validate/unsupported.h"

// Samplers and pipes. They come with image support and with pipe support, of which the device has
// neither, so no sampler and no pipe can exist.

using namespace weft;

namespace {

Result<void> noSampler() { return clError(CL_INVALID_SAMPLER); }

}  // namespace

extern "C" {

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                                    cl_addressing_mode addressing_mode,
                                                    cl_filter_mode filter_mode,
                                                    cl_int* errcode_ret) {
  return api::value(errcode_ret, [&]() -> Result<cl_sampler> {
    WEFT_TRY_VOID(validate::context(context));
    WEFT_TRY_VOID(validate::samplerOptions(normalized_coords, addressing_mode, filter_mode));
    return clError(CL_INVALID_OPERATION);
  });
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSamplerWithProperties(
    cl_context context, const cl_sampler_properties* sampler_properties, cl_int* errcode_ret) {
  return api::value(errcode_ret, [&]() -> Result<cl_sampler> {
    WEFT_TRY_VOID(validate::context(context));
    WEFT_TRY_VOID(validate::samplerOptions(sampler_properties));
    return clError(CL_INVALID_OPERATION);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) { return api::call(noSampler); }

CL_API_ENTRY cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return api::call(noSampler);
}

CL_API_ENTRY cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                                 size_t param_value_size, void* param_value,
                                                 size_t* param_value_size_ret) {
  return api::call(noSampler);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags,
                                             cl_uint pipe_packet_size, cl_uint pipe_max_packets,
                                             const cl_pipe_properties* properties,
                                             cl_int* errcode_ret) {
  return api::value(errcode_ret, [&]() -> Result<cl_mem> {
    WEFT_TRY_VOID(validate::context(context));
    WEFT_TRY_VOID(validate::pipe(flags, pipe_packet_size, pipe_max_packets, properties));
    return clError(CL_INVALID_OPERATION);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret) {
  return api::call([]() -> Result<void> { return clError(CL_INVALID_MEM_OBJECT); });
}

}  // extern "C"
