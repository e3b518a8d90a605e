// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/context.h"

#include <algorithm>

#include "validate/handles.h"
#include "weft/khr/initialize_memory.h"

namespace weft::validate {
namespace {

constexpr auto kInitializable = static_cast<cl_context_properties>(
    khr::CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | khr::CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR);

}  // namespace

Result<void> deviceType(cl_device_type type) noexcept {
  constexpr cl_device_type kKnown = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
                                    CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                    CL_DEVICE_TYPE_CUSTOM;
  const bool valid = type == CL_DEVICE_TYPE_ALL || (type != 0 && (type & ~kKnown) == 0);
  return require(valid, CL_INVALID_DEVICE_TYPE);
}

Result<std::vector<cl_context_properties>> contextProperties(const cl_context_properties* list) {
  std::vector<cl_context_properties> copy;
  if (list == nullptr) return copy;
  for (; *list != 0; list += 2) {
    const cl_context_properties name = list[0];
    const cl_context_properties value = list[1];
    for (size_t i = 0; i < copy.size(); i += 2)
      WEFT_TRY_VOID(require(copy[i] != name, CL_INVALID_PROPERTY));
    switch (name) {
      case CL_CONTEXT_PLATFORM:
        WEFT_TRY_VOID(platform(reinterpret_cast<cl_platform_id>(value)));
        break;
      case CL_CONTEXT_INTEROP_USER_SYNC:
      case CL_CONTEXT_TERMINATE_KHR:
        WEFT_TRY_VOID(require(value == CL_TRUE || value == CL_FALSE, CL_INVALID_PROPERTY));
        break;
      case CL_CONTEXT_MEMORY_INITIALIZE_KHR:
        WEFT_TRY_VOID(require((value & ~kInitializable) == 0, CL_INVALID_PROPERTY));
        break;
      default:
        return clError(CL_INVALID_PROPERTY);
    }
    copy.insert(copy.end(), {name, value});
  }
  copy.push_back(0);
  return copy;
}

Result<void> contextCallback(Context::Notify notify, const void* userData) noexcept {
  return require(notify != nullptr || userData == nullptr, CL_INVALID_VALUE);
}

Result<std::vector<Device*>> contextDevices(cl_uint count, const cl_device_id* devices) {
  WEFT_TRY_VOID(require(count != 0 && devices != nullptr, CL_INVALID_VALUE));
  std::vector<Device*> found;
  for (cl_uint i = 0; i < count; ++i) {
    WEFT_TRY(Device * one, device(devices[i]));
    if (std::find(found.begin(), found.end(), one) == found.end()) found.push_back(one);
  }
  return found;
}

}  // namespace weft::validate
