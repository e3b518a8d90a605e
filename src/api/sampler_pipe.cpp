// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <utility>
#include <vector>

#include "api/adaptor.h"
#include "api/info.h"
#include "memory/pipe.h"
#include "memory/sampler.h"
#include "validate/handles.h"
#include "validate/image.h"
#include "validate/memory.h"

// Samplers and pipes.

using namespace weft;

namespace {

using api::InfoRow;
using api::InfoWriter;

Result<Sampler*> samplerOf(cl_sampler handle) {
  return validate::object<Sampler>(handle, CL_INVALID_SAMPLER);
}

/// A member of the options.
template <auto kMember>
Result<void> option(const Sampler& sampler, const InfoWriter& out) {
  return out.value(sampler.options().*kMember);
}

constexpr std::array kSamplerInfo{
    InfoRow<Sampler>{CL_SAMPLER_REFERENCE_COUNT,
                     [](const Sampler& sampler, const InfoWriter& out) {
                       return out.value(cl_uint{sampler.applicationRefs()});
                     }},
    InfoRow<Sampler>{CL_SAMPLER_CONTEXT,
                     [](const Sampler& sampler, const InfoWriter& out) {
                       return out.value(sampler.context().handle());
                     }},
    InfoRow<Sampler>{CL_SAMPLER_NORMALIZED_COORDS, option<&SamplerOptions::normalized>},
    InfoRow<Sampler>{CL_SAMPLER_ADDRESSING_MODE, option<&SamplerOptions::addressing>},
    InfoRow<Sampler>{CL_SAMPLER_FILTER_MODE, option<&SamplerOptions::filter>},
    InfoRow<Sampler>{CL_SAMPLER_MIP_FILTER_MODE, option<&SamplerOptions::mipFilter>},
    InfoRow<Sampler>{CL_SAMPLER_LOD_MIN, option<&SamplerOptions::lodMin>},
    InfoRow<Sampler>{CL_SAMPLER_LOD_MAX, option<&SamplerOptions::lodMax>},
    InfoRow<Sampler>{CL_SAMPLER_PROPERTIES,
                     [](const Sampler& sampler, const InfoWriter& out) {
                       return out.array(sampler.properties());
                     }},
};

constexpr std::array kPipeInfo{
    InfoRow<Pipe>{
        CL_PIPE_PACKET_SIZE,
        [](const Pipe& pipe, const InfoWriter& out) { return out.value(pipe.packetBytes()); }},
    InfoRow<Pipe>{
        CL_PIPE_MAX_PACKETS,
        [](const Pipe& pipe, const InfoWriter& out) { return out.value(pipe.maxPackets()); }},
    // There are no properties to give.
    InfoRow<Pipe>{CL_PIPE_PROPERTIES,
                  [](const Pipe&, const InfoWriter& out) {
                    return out.array(std::span<const cl_pipe_properties>());
                  }},
};

}  // namespace

extern "C" {

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords,
                                                    cl_addressing_mode addressing_mode,
                                                    cl_filter_mode filter_mode,
                                                    cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Sampler>> {
    WEFT_TRY(Context * found, validate::context(context));
    WEFT_TRY(const SamplerOptions options,
             validate::samplerOptions(normalized_coords, addressing_mode, filter_mode));
    return makeRef<Sampler>(*found, options, std::vector<cl_sampler_properties>());
  });
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSamplerWithProperties(
    cl_context context, const cl_sampler_properties* sampler_properties, cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Sampler>> {
    WEFT_TRY(Context * found, validate::context(context));
    WEFT_TRY(auto list, validate::samplerProperties(sampler_properties));
    return makeRef<Sampler>(*found, list.options, std::move(list.properties));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Sampler * found, samplerOf(sampler));
    found->retainApplication();
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Sampler * found, samplerOf(sampler));
    return require(found->releaseApplication(), CL_INVALID_SAMPLER);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                                 size_t param_value_size, void* param_value,
                                                 size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Sampler* found, samplerOf(sampler));
    return api::queryInfo<Sampler>(kSamplerInfo, *found, param_name, param_value_size, param_value,
                                   param_value_size_ret);
  });
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
