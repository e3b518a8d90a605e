// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>

#include "api/adaptor.h"
#include "api/info.h"
#include "program/mutable_dispatch.h"
#include "validate/command_buffer.h"

// clUpdateMutableCommandsKHR, clGetMutableCommandInfoKHR.

namespace weft::khr {
namespace {

using api::InfoWriter;
using Row = api::InfoRow<MutableDispatch>;

/// One of the sizes of a launch, as many as it has dimensions.
template <std::array<size_t, 3> LaunchSizes::* kSizes>
Result<void> sizes(const MutableDispatch& dispatch, const InfoWriter& out) {
  const LaunchSizes all = dispatch.state().sizes;
  return out.array(std::span<const size_t>((all.*kSizes).data(), all.dimensions));
}

constexpr std::array kMutableCommandInfo{
    Row{kMutableCommandQueue,
        [](const MutableDispatch& dispatch, const InfoWriter& out) {
          return out.value(dispatch.commandBuffer().queue().handle());
        }},
    Row{kMutableCommandBuffer,
        [](const MutableDispatch& dispatch, const InfoWriter& out) {
          return out.value(dispatch.commandBuffer().handle());
        }},
    Row{kMutableCommandType,
        [](const MutableDispatch&, const InfoWriter& out) {
          return out.value(cl_command_type{CL_COMMAND_NDRANGE_KERNEL});
        }},
    Row{kMutableCommandPropertiesArray,
        [](const MutableDispatch& dispatch, const InfoWriter& out) {
          return out.array(std::span(dispatch.options().list));
        }},
    Row{kMutableDispatchKernel,
        [](const MutableDispatch& dispatch, const InfoWriter& out) {
          return out.value(dispatch.kernel().handle());
        }},
    Row{kMutableDispatchDimensions,
        [](const MutableDispatch& dispatch, const InfoWriter& out) {
          return out.value(dispatch.state().sizes.dimensions);
        }},
    Row{kMutableDispatchGlobalOffset, sizes<&LaunchSizes::offset>},
    Row{kMutableDispatchGlobalSize, sizes<&LaunchSizes::global>},
    Row{kMutableDispatchLocalSize, sizes<&LaunchSizes::local>},
};

}  // namespace

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer command_buffer, cl_uint num_configs,
                                              const cl_command_buffer_update_type* config_types,
                                              const void** configs) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(CommandBuffer * buffer, validate::commandBuffer(command_buffer));
    WEFT_TRY(const auto checked,
             validate::updateConfigs(*buffer, num_configs, config_types, configs));
    return updateDispatches(*buffer, checked);
  });
}

cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command command,
                                              cl_mutable_command_info param_name,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const MutableDispatch* dispatch, validate::mutableCommand(command));
    return api::queryInfo<MutableDispatch>(kMutableCommandInfo, *dispatch, param_name,
                                           param_value_size, param_value, param_value_size_ret);
  });
}

}  // namespace weft::khr
