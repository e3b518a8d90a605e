// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/khr/external_memory.h"

#include <algorithm>
#include <climits>

#include "validate/memory.h"
#include "weft/khr/buffer_device_address.h"

// What an object is made with, and the rules of external memory.

namespace weft::validate {
namespace {

bool isHandleType(cl_mem_properties name) noexcept {
  return std::ranges::find(kExternalMemoryHandleTypes, name) != kExternalMemoryHandleTypes.end();
}

/// Takes the devices at `entry`, which is then behind their end.
Result<std::vector<Device*>> takeDevices(const Context& context, const cl_mem_properties*& entry) {
  std::vector<Device*> devices;
  do {
    WEFT_TRY(Device * device, deviceInProperty(context, *entry));
    if (std::ranges::find(devices, device) == devices.end()) devices.push_back(device);
  } while (*++entry != khr::kMemDeviceHandleListEnd);
  ++entry;
  return devices;
}

Result<MemoryProperties> memoryProperties(const Context& context, const cl_mem_properties* list,
                                          bool ofBuffer) {
  MemoryProperties given;
  if (list == nullptr) return given;
  bool hasAddress = false;
  const cl_mem_properties* entry = list;
  while (*entry != 0) {
    const cl_mem_properties name = *entry++;
    if (name == khr::kMemDevicePrivateAddress && ofBuffer && !hasAddress) {
      const cl_mem_properties value = *entry++;
      WEFT_TRY_VOID(require(value == CL_TRUE || value == CL_FALSE, CL_INVALID_PROPERTY));
      hasAddress = true;
      given.hasFixedAddress = value == CL_TRUE;
    } else if (isHandleType(name) && !given.isExternal()) {
      WEFT_TRY_VOID(require(*entry <= INT_MAX, CL_INVALID_PROPERTY));
      given.externalFile = static_cast<int>(*entry++);
    } else if (name == khr::kMemDeviceHandleList && given.externalDevices.empty()) {
      WEFT_TRY(given.externalDevices, takeDevices(context, entry));
    } else {
      return clError(CL_INVALID_PROPERTY);
    }
  }
  WEFT_TRY_VOID(require(given.isExternal() || given.externalDevices.empty(), CL_INVALID_PROPERTY));
  given.list.assign(list, entry + 1);
  return given;
}

}  // namespace

Result<MemoryProperties> bufferProperties(const Context& context, const cl_mem_properties* list) {
  return memoryProperties(context, list, true);
}

Result<MemoryProperties> imageProperties(const Context& context, const cl_mem_properties* list) {
  return memoryProperties(context, list, false);
}

Result<void> externalSize(const MemoryProperties& properties, size_t size,
                          cl_int sizeCode) noexcept {
  if (!properties.isExternal()) return {};
  const std::optional<size_t> bytes = ExternalMemory::bytesOf(properties.externalFile);
  WEFT_TRY_VOID(require(bytes.has_value(), CL_INVALID_PROPERTY));
  return require(size <= *bytes, sizeCode);
}

Result<std::vector<Ref<Memory>>> externalObjects(const Queue& queue, cl_uint count,
                                                 const cl_mem* list) {
  WEFT_TRY_VOID(require((count == 0) == (list == nullptr), CL_INVALID_VALUE));
  std::vector<Ref<Memory>> objects;
  objects.reserve(count);
  for (cl_uint i = 0; i < count; ++i) {
    WEFT_TRY(Memory * one, memory(list[i]));
    WEFT_TRY_VOID(require(one->external() != nullptr, CL_INVALID_MEM_OBJECT));
    const std::vector<Device*>& devices = one->properties().externalDevices;
    const bool isForDevice =
        one->context().has(queue.device()) &&
        (devices.empty() || std::ranges::find(devices, &queue.device()) != devices.end());
    WEFT_TRY_VOID(require(isForDevice, CL_INVALID_COMMAND_QUEUE));
    WEFT_TRY_VOID(require(&one->context() == &queue.context(), CL_INVALID_CONTEXT));
    objects.emplace_back(one);
  }
  return objects;
}

}  // namespace weft::validate
