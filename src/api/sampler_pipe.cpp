// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>

#include "api/adaptor.h"
#include "api/info.h"
#include "memory/pipe.h"
#include "validate/handles.h"
#include "validate/image.h"
#include "validate/memory.h"
#include "validate/unsupported.h"

// Pipes, and samplers, which come with image support: the device has none, so no sampler can exist.

using namespace weft;

namespace {

Result<void> noSampler() { return clError(CL_INVALID_SAMPLER); }

constexpr std::array kPipeInfo{
    api::InfoRow<Pipe>{
        CL_PIPE_PACKET_SIZE,
        [](const Pipe& pipe, const api::InfoWriter& out) { return out.value(pipe.packetBytes()); }},
    api::InfoRow<Pipe>{
        CL_PIPE_MAX_PACKETS,
        [](const Pipe& pipe, const api::InfoWriter& out) { return out.value(pipe.maxPackets()); }},
    // There are no properties to give.
    api::InfoRow<Pipe>{CL_PIPE_PROPERTIES,
                       [](const Pipe&, const api::InfoWriter& out) {
                         return out.array(std::span<const cl_pipe_properties>());
                       }},
};

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
  return api::create(errcode_ret, [&]() -> Result<Ref<Pipe>> {
    WEFT_TRY(Context * found, validate::context(context));
    WEFT_TRY_VOID(validate::pipe(flags, pipe_packet_size, pipe_max_packets, properties));
    return Pipe::create(*found, pipe_packet_size, pipe_max_packets);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Memory * memory, validate::memory(pipe));
    WEFT_TRY_VOID(require(memory->pipe() != nullptr, CL_INVALID_MEM_OBJECT));
    return api::queryInfo<Pipe>(kPipeInfo, *memory->pipe(), param_name, param_value_size,
                                param_value, param_value_size_ret);
  });
}

}  // extern "C"
