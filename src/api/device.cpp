// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/device.h"

#include <array>
#include <utility>
#include <vector>

#include "api/adaptor.h"
#include "api/device_info.h"
#include "api/list.h"
#include "base/clock.h"
#include "validate/context.h"
#include "validate/handles.h"
#include "validate/partition.h"
#include "validate/queue.h"

// clGetDeviceIDs, clGetDeviceInfo, clCreateSubDevices, clRetainDevice, clReleaseDevice,
// clSetDefaultDeviceCommandQueue, clGetDeviceAndHostTimer, clGetHostTimer.

using namespace weft;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type,
                                               cl_uint num_entries, cl_device_id* devices,
                                               cl_uint* num_devices) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Platform* found, validate::platformOrDefault(platform));
    WEFT_TRY_VOID(validate::deviceType(device_type));
    const std::array<cl_device_id, 1> all{found->device().handle()};
    const size_t count = Device::matches(device_type) ? all.size() : 0;
    WEFT_TRY_VOID(api::listHandles<cl_device_id>(std::span(all).first(count), num_entries, devices,
                                                 num_devices));
    return require(count != 0, CL_DEVICE_NOT_FOUND);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name,
                                                size_t param_value_size, void* param_value,
                                                size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Device* found, validate::device(device));
    return api::queryInfo<Device>(api::deviceInfoTable(), *found, param_name, param_value_size,
                                  param_value, param_value_size_ret);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device,
                                                   const cl_device_partition_property* properties,
                                                   cl_uint num_devices, cl_device_id* out_devices,
                                                   cl_uint* num_devices_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Device * parent, validate::device(in_device));
    WEFT_TRY(const PartitionRequest request, validate::partition(*parent, properties));
    WEFT_TRY(auto parts, parent->partition(request));
    WEFT_TRY_VOID(require(!out_devices || num_devices >= parts.size(), CL_INVALID_VALUE));
    if (num_devices_ret) *num_devices_ret = static_cast<cl_uint>(parts.size());
    if (out_devices == nullptr) return {};
    std::vector<Ref<Device>> made;
    for (DevicePart& part : parts) made.push_back(makeRef<Device>(*parent, std::move(part)));
    for (Ref<Device>& device : made) *out_devices++ = Device::publish(std::move(device));
    return {};
  });
}

// A root device is not counted: both succeed and change nothing.
CL_API_ENTRY cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Device * found, validate::device(device));
    if (!found->isRoot()) found->retainApplication();
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Device * found, validate::device(device));
    return require(found->isRoot() || found->releaseApplication(), CL_INVALID_DEVICE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context,
                                                               cl_device_id device,
                                                               cl_command_queue command_queue) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::context(context));
    WEFT_TRY(const Device* target, validate::deviceOf(*found, device));
    WEFT_TRY(Queue * queue, validate::deviceQueue(command_queue));
    const bool fits = &queue->context() == found && &queue->device() == target;
    WEFT_TRY_VOID(require(fits, CL_INVALID_COMMAND_QUEUE));
    found->setDefaultQueue(*target, *queue);
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device,
                                                        cl_ulong* device_timestamp,
                                                        cl_ulong* host_timestamp) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY_VOID(validate::device(device));
    WEFT_TRY_VOID(require(device_timestamp && host_timestamp, CL_INVALID_VALUE));
    *device_timestamp = *host_timestamp = nowNanoseconds();  // one clock serves both
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong* host_timestamp) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY_VOID(validate::device(device));
    WEFT_TRY_VOID(require(host_timestamp != nullptr, CL_INVALID_VALUE));
    *host_timestamp = nowNanoseconds();
    return {};
  });
}

}  // extern "C"
