// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <span>

#include "base/error.h"
#include "program/mutable_dispatch.h"
#include "queue/command_buffer.h"
#include "validate/handles.h"
#include "weft/khr/command_buffer.h"

/// Rules of command buffers and of their commands.
namespace weft::validate {

[[nodiscard]] inline Result<CommandBuffer*> commandBuffer(khr::cl_command_buffer handle) noexcept {
  return object<CommandBuffer>(handle, khr::kInvalidCommandBuffer);
}
[[nodiscard]] inline Result<MutableDispatch*> mutableCommand(
    khr::cl_mutable_command handle) noexcept {
  return object<MutableDispatch>(handle, khr::kInvalidMutableCommand);
}

/// What command buffers of the device can do, and what queues they need and may have.
inline constexpr khr::cl_command_buffer_capabilities kCommandBufferCapabilities =
    khr::kCapabilityKernelPrintf | khr::kCapabilitySimultaneousUse;
inline constexpr cl_command_queue_properties kCommandBufferRequiredQueue = 0;
inline constexpr cl_command_queue_properties kCommandBufferSupportedQueue =
    Device::kHostQueueProperties;
inline constexpr khr::cl_mutable_dispatch_fields kMutableDispatchCapabilities =
    khr::kFieldGlobalOffset | khr::kFieldGlobalSize | khr::kFieldLocalSize | khr::kFieldArguments |
    khr::kFieldExecInfo;

/// The queues of clCreateCommandBufferKHR: one, since commands for several are another extension.
///   CL_INVALID_VALUE                   null, or not one
///   CL_INVALID_COMMAND_QUEUE           not a queue
[[nodiscard]] Result<Queue*> commandBufferQueue(cl_uint count,
                                                const cl_command_queue* queues) noexcept;

/// The list of clCreateCommandBufferKHR; null stands for the defaults.
///   CL_INVALID_VALUE     an unknown or repeated name, or a value with unknown bits
///   CL_INVALID_PROPERTY  valid, but not supported
[[nodiscard]] Result<CommandBufferOptions> commandBufferOptions(
    const khr::cl_command_buffer_properties* list);

/// The queue that one execution goes to: that of the recording, or the one that is given.
///   CL_INVALID_VALUE                   count and list do not go together, or not one queue
///   CL_INVALID_COMMAND_QUEUE           not a queue
///   CL_INCOMPATIBLE_COMMAND_QUEUE_KHR  properties that are missing or not supported
///   CL_INVALID_DEVICE                  another device
///   CL_INVALID_CONTEXT                 another context
[[nodiscard]] Result<Queue*> replayQueue(const CommandBuffer& buffer, cl_uint count,
                                         const cl_command_queue* queues) noexcept;

/// What every recording function is given.
struct RecordArguments {
  khr::cl_command_buffer buffer;
  cl_command_queue queue;
  const khr::cl_command_properties* properties;
  cl_uint waitCount;
  const khr::cl_sync_point* waits;
  khr::cl_sync_point* syncPoint;
  khr::cl_mutable_command* handle;
};

/// Those arguments, checked.
struct Recording {
  CommandBuffer& buffer;
  SyncPoints waits;
};

/// The rules of all recording functions.
///   CL_INVALID_COMMAND_BUFFER_KHR        not a command buffer
///   CL_CONTEXT_TERMINATED_KHR            of a context that has been terminated
///   CL_INVALID_COMMAND_QUEUE             a queue is given
///   CL_INVALID_OPERATION                 the command buffer has been finalized
///   CL_INVALID_SYNC_POINT_WAIT_LIST_KHR  count and list do not go together, or unknown points
[[nodiscard]] Result<Recording> recording(const RecordArguments& arguments) noexcept;

/// The same for commands that have no properties and no handle.
///   CL_INVALID_VALUE  a property, or somewhere to write a handle
[[nodiscard]] Result<Recording> plainRecording(const RecordArguments& arguments) noexcept;

/// The properties of clCommandNDRangeKernelKHR.
///   CL_INVALID_VALUE      an unknown or repeated name, or a value with unknown bits; no local size
///                         although the number of work-groups is not to grow
///   CL_INVALID_OPERATION  fields that the device cannot update
[[nodiscard]] Result<DispatchOptions> dispatchOptions(const CommandBuffer& buffer,
                                                      const khr::cl_command_properties* list,
                                                      const size_t* localSize);

/// The arrays of clUpdateMutableCommandsKHR.
///   CL_INVALID_OPERATION  the command buffer is not mutable, or not finalized
///   CL_INVALID_VALUE      counts and arrays do not go together, an unknown type, a null config
[[nodiscard]] Result<std::span<const khr::MutableDispatchConfig* const>> updateConfigs(
    const CommandBuffer& buffer, cl_uint count, const khr::cl_command_buffer_update_type* types,
    const void* const* configs) noexcept;

}  // namespace weft::validate
