// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/command_buffer.h"

#include <algorithm>

#include "validate/queue.h"

namespace weft::validate {
namespace {

/// A name of a property list and where its value goes.
struct PropertyRow {
  cl_properties name;
  cl_properties known;  ///< bits that exist
  cl_properties* value;
  bool seen = false;
};

/// Reads a list of names and bit fields. Gives the number of its elements, terminator included.
/// CL_INVALID_VALUE for what is not in the rows or comes twice.
Result<size_t> readProperties(const cl_properties* list, std::span<PropertyRow> rows) noexcept {
  size_t i = 0;
  for (; list[i] != 0; i += 2) {
    const auto row = std::ranges::find(rows, list[i], &PropertyRow::name);
    if (row == rows.end() || row->seen) return clError(CL_INVALID_VALUE);
    row->seen = true;
    if ((list[i + 1] & ~row->known) != 0) return clError(CL_INVALID_VALUE);
    *row->value = list[i + 1];
  }
  return i + 1;
}

/// Every bit that has a name, whether or not the device supports it: one of these is that of the
/// extension for several devices.
constexpr khr::cl_command_buffer_flags kKnownFlags =
    khr::kCommandBufferSimultaneousUse | khr::kCommandBufferMutable | khr::kDeviceSideSync;
constexpr khr::cl_command_buffer_flags kSupportedFlags =
    khr::kCommandBufferSimultaneousUse | khr::kCommandBufferMutable;
constexpr khr::cl_mutable_dispatch_fields kKnownFields =
    khr::kFieldGlobalOffset | khr::kFieldGlobalSize | khr::kFieldLocalSize | khr::kFieldArguments |
    khr::kFieldExecInfo;

}  // namespace

Result<Queue*> commandBufferQueue(cl_uint count, const cl_command_queue* queues) noexcept {
  WEFT_TRY_VOID(require(count == 1 && queues != nullptr, CL_INVALID_VALUE));
  return queue(queues[0]);
}

Result<CommandBufferOptions> commandBufferOptions(const khr::cl_command_buffer_properties* list) {
  CommandBufferOptions options;
  if (list == nullptr) return options;
  PropertyRow rows[] = {
      {khr::kCommandBufferFlags, kKnownFlags, &options.flags},
      {khr::kCommandBufferMutableDispatchAsserts, khr::kAssertNoAdditionalWorkGroups,
       &options.asserts},
  };
  WEFT_TRY(const size_t size, readProperties(list, rows));
  WEFT_TRY_VOID(require((options.flags & ~kSupportedFlags) == 0, CL_INVALID_PROPERTY));
  options.list.assign(list, list + size);
  return options;
}

Result<Queue*> replayQueue(const CommandBuffer& buffer, cl_uint count,
                           const cl_command_queue* queues) noexcept {
  WEFT_TRY_VOID(require((count == 0) == (queues == nullptr) && count <= 1, CL_INVALID_VALUE));
  Queue* found = &buffer.queue();
  if (count != 0) {
    WEFT_TRY(found, queue(queues[0]));
  }
  const cl_command_queue_properties properties = found->options().properties;
  const bool compatible =
      (properties & kCommandBufferRequiredQueue) == kCommandBufferRequiredQueue &&
      (properties & ~kCommandBufferSupportedQueue) == 0;
  WEFT_TRY_VOID(require(compatible, khr::kIncompatibleCommandQueue));
  WEFT_TRY_VOID(require(&found->device() == &buffer.device(), CL_INVALID_DEVICE));
  WEFT_TRY_VOID(require(&found->context() == &buffer.context(), CL_INVALID_CONTEXT));
  return found;
}

Result<Recording> recording(const RecordArguments& arguments) noexcept {
  WEFT_TRY(CommandBuffer * buffer, commandBuffer(arguments.buffer));
  WEFT_TRY_VOID(require(!buffer->context().isTerminated(), kContextTerminated));
  WEFT_TRY_VOID(require(arguments.queue == nullptr, CL_INVALID_COMMAND_QUEUE));
  WEFT_TRY_VOID(require((arguments.waitCount == 0) == (arguments.waits == nullptr),
                        khr::kInvalidSyncPointWaitList));
  const SyncPoints waits(arguments.waits, arguments.waitCount);
  WEFT_TRY_VOID(buffer->canRecord(waits));
  return Recording{*buffer, waits};
}

Result<Recording> plainRecording(const RecordArguments& arguments) noexcept {
  WEFT_TRY(const Recording checked, recording(arguments));
  const bool noProperties = arguments.properties == nullptr || arguments.properties[0] == 0;
  WEFT_TRY_VOID(require(noProperties, CL_INVALID_VALUE));
  WEFT_TRY_VOID(require(arguments.handle == nullptr, CL_INVALID_VALUE));
  return checked;
}

Result<DispatchOptions> dispatchOptions(const CommandBuffer& buffer,
                                        const khr::cl_command_properties* list,
                                        const size_t* localSize) {
  DispatchOptions options;
  options.fields = kMutableDispatchCapabilities;
  if (list != nullptr) {
    PropertyRow rows[] = {
        {khr::kMutableDispatchUpdatableFields, kKnownFields, &options.fields},
        {khr::kMutableDispatchAsserts, khr::kAssertNoAdditionalWorkGroups, &options.asserts},
    };
    WEFT_TRY(const size_t size, readProperties(list, rows));
    options.list.assign(list, list + size);
    options.namesArguments = rows[0].seen && (options.fields & khr::kFieldArguments) != 0;
  }
  WEFT_TRY_VOID(
      require((options.fields & ~kMutableDispatchCapabilities) == 0, CL_INVALID_OPERATION));
  const auto asserts = options.asserts | buffer.options().asserts;
  const bool bounded = (asserts & khr::kAssertNoAdditionalWorkGroups) != 0;
  WEFT_TRY_VOID(require(!bounded || localSize != nullptr, CL_INVALID_VALUE));
  return options;
}

Result<std::span<const khr::MutableDispatchConfig* const>> updateConfigs(
    const CommandBuffer& buffer, cl_uint count, const khr::cl_command_buffer_update_type* types,
    const void* const* configs) noexcept {
  WEFT_TRY_VOID(require(buffer.isMutable(), CL_INVALID_OPERATION));
  WEFT_TRY_VOID(require(buffer.state() != khr::kStateRecording, CL_INVALID_OPERATION));
  WEFT_TRY_VOID(require((count == 0) == (types == nullptr), CL_INVALID_VALUE));
  WEFT_TRY_VOID(require((count == 0) == (configs == nullptr), CL_INVALID_VALUE));
  for (cl_uint i = 0; i < count; ++i) {
    WEFT_TRY_VOID(require(types[i] == khr::kStructureTypeMutableDispatchConfig, CL_INVALID_VALUE));
    WEFT_TRY_VOID(require(configs[i] != nullptr, CL_INVALID_VALUE));
  }
  return std::span(reinterpret_cast<const khr::MutableDispatchConfig* const*>(configs), count);
}

}  // namespace weft::validate
