// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/command_buffer.h"

#include <array>

#include "api/adaptor.h"
#include "api/info.h"
#include "validate/command_buffer.h"
#include "validate/queue.h"

// clCreateCommandBufferKHR, clRetainCommandBufferKHR, clReleaseCommandBufferKHR,
// clFinalizeCommandBufferKHR, clEnqueueCommandBufferKHR, clGetCommandBufferInfoKHR.

namespace weft::khr {
namespace {

using api::InfoRow;
using api::InfoWriter;

constexpr std::array kCommandBufferInfo{
    InfoRow<CommandBuffer>{
        kCommandBufferNumQueues,
        [](const CommandBuffer&, const InfoWriter& out) { return out.value(cl_uint{1}); }},
    InfoRow<CommandBuffer>{kCommandBufferQueues,
                           [](const CommandBuffer& buffer, const InfoWriter& out) {
                             return out.value(buffer.queue().handle());
                           }},
    InfoRow<CommandBuffer>{kCommandBufferReferenceCount,
                           [](const CommandBuffer& buffer, const InfoWriter& out) {
                             return out.value(cl_uint{buffer.applicationRefs()});
                           }},
    InfoRow<CommandBuffer>{kCommandBufferState,
                           [](const CommandBuffer& buffer, const InfoWriter& out) {
                             return out.value(buffer.state());
                           }},
    InfoRow<CommandBuffer>{kCommandBufferPropertiesArray,
                           [](const CommandBuffer& buffer, const InfoWriter& out) {
                             return out.array(std::span(buffer.options().list));
                           }},
    InfoRow<CommandBuffer>{kCommandBufferContext,
                           [](const CommandBuffer& buffer, const InfoWriter& out) {
                             return out.value(buffer.context().handle());
                           }},
};

}  // namespace

cl_command_buffer CL_API_CALL
clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue* queues,
                         const cl_command_buffer_properties* properties, cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<CommandBuffer>> {
    WEFT_TRY(Queue * queue, validate::commandBufferQueue(num_queues, queues));
    WEFT_TRY(CommandBufferOptions options, validate::commandBufferOptions(properties));
    return makeRef<CommandBuffer>(*queue, std::move(options));
  });
}

cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer command_buffer) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(CommandBuffer * buffer, validate::commandBuffer(command_buffer));
    buffer->retainApplication();
    return {};
  });
}

cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer command_buffer) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(CommandBuffer * buffer, validate::commandBuffer(command_buffer));
    return require(buffer->releaseApplication(), kInvalidCommandBuffer);
  });
}

cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer command_buffer) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(CommandBuffer * buffer, validate::commandBuffer(command_buffer));
    return buffer->finalize();
  });
}

cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues,
                                             cl_command_buffer command_buffer,
                                             cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(CommandBuffer * buffer, validate::commandBuffer(command_buffer));
    WEFT_TRY(Queue * queue, validate::replayQueue(*buffer, num_queues, queues));
    WEFT_TRY(const WaitList waits,
             validate::waitList(buffer->context(), num_events_in_wait_list, event_wait_list));
    return buffer->enqueue(*queue, waits, event);
  });
}

cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer command_buffer,
                                             cl_command_buffer_info param_name,
                                             size_t param_value_size, void* param_value,
                                             size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const CommandBuffer* buffer, validate::commandBuffer(command_buffer));
    return api::queryInfo<CommandBuffer>(kCommandBufferInfo, *buffer, param_name, param_value_size,
                                         param_value, param_value_size_ret);
  });
}

}  // namespace weft::khr
