// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include "base/error.h"
#include "context/context.h"
#include "platform/platform.h"

/// Handles become objects here, or the error that the specification names for a wrong one.
namespace weft::validate {

/// The object of type T behind `handle`, or `code`. For families whose rule stands elsewhere.
template <class T, class ClHandle>
[[nodiscard]] Result<T*> object(ClHandle* handle, cl_int code) noexcept {
  if (T* found = T::from(handle)) [[likely]]
    return found;
  return clError(code);
}

[[nodiscard]] inline Result<Platform*> platform(cl_platform_id handle) noexcept {
  return object<Platform>(handle, CL_INVALID_PLATFORM);
}
/// For calls where a null platform may mean what the implementation likes: ours.
[[nodiscard]] inline Result<Platform*> platformOrDefault(cl_platform_id handle) {
  if (handle == nullptr) return &Platform::instance();
  return platform(handle);
}
[[nodiscard]] inline Result<Device*> device(cl_device_id handle) noexcept {
  return object<Device>(handle, CL_INVALID_DEVICE);
}
/// For queries and reference counts, which a terminated context still has.
[[nodiscard]] inline Result<Context*> anyContext(cl_context handle) noexcept {
  return object<Context>(handle, CL_INVALID_CONTEXT);
}
[[nodiscard]] inline Result<Context*> context(cl_context handle) noexcept {
  WEFT_TRY(Context * found, anyContext(handle));
  WEFT_TRY_VOID(require(!found->isTerminated(), kContextTerminated));
  return found;
}
/// A device of `context` as the value of a property, which may be anything: it is compared, not
/// looked into. CL_INVALID_DEVICE for any other.
[[nodiscard]] inline Result<Device*> deviceInProperty(const Context& context,
                                                      cl_properties value) noexcept {
  for (Device* const device : context.devices())
    if (reinterpret_cast<cl_properties>(device->handle()) == value) return device;
  return clError(CL_INVALID_DEVICE);
}
/// A device of `context`; CL_INVALID_DEVICE for any other.
[[nodiscard]] inline Result<Device*> deviceOf(const Context& context,
                                              cl_device_id handle) noexcept {
  Device* found = Device::from(handle);
  if (found == nullptr || !context.has(*found)) return clError(CL_INVALID_DEVICE);
  return found;
}

}  // namespace weft::validate
