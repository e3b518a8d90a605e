// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/semaphore.h"

#include "weft/khr/semaphore.h"

namespace weft::validate {
Result<SemaphoreOptions> semaphoreOptions(const Context& context,
                                          const cl_semaphore_properties_khr* list) {
  if (list == nullptr) return clError(CL_INVALID_VALUE);
  SemaphoreOptions options;
  bool hasType = false;
  const cl_semaphore_properties_khr* entry = list;
  while (*entry != 0) {
    const cl_semaphore_properties_khr name = *entry++;
    if (name == CL_SEMAPHORE_TYPE_KHR && !hasType) {
      WEFT_TRY_VOID(require(*entry++ == CL_SEMAPHORE_TYPE_BINARY_KHR, CL_INVALID_PROPERTY));
      hasType = true;
    } else if (name == khr::kSemaphoreDeviceHandleList && options.devices.empty()) {
      WEFT_TRY(Device * device, deviceInProperty(context, *entry));
      const bool one = entry[1] == khr::kSemaphoreDeviceHandleListEnd;
      WEFT_TRY_VOID(require(one, CL_INVALID_DEVICE));
      options.devices.push_back(device);
      entry += 2;
    } else {
      return clError(CL_INVALID_PROPERTY);
    }
  }
  WEFT_TRY_VOID(require(hasType, CL_INVALID_VALUE));
  if (options.devices.empty()) {
    WEFT_TRY_VOID(require(context.devices().size() == 1, CL_INVALID_PROPERTY));
    options.devices.push_back(context.devices().front());
  }
  options.list.assign(list, entry + 1);
  return options;
}

Result<std::span<const cl_semaphore_khr>> semaphores(const Queue& queue, cl_uint count,
                                                     const cl_semaphore_khr* list) noexcept {
  WEFT_TRY_VOID(require(count != 0 && list != nullptr, CL_INVALID_VALUE));
  const std::span<const cl_semaphore_khr> all(list, count);
  for (const cl_semaphore_khr handle : all) {
    WEFT_TRY(const Semaphore* one, semaphore(handle));
    if (!one->context().has(queue.device())) return clError(CL_INVALID_COMMAND_QUEUE);
    if (&one->context() != &queue.context()) return clError(CL_INVALID_CONTEXT);
    if (!one->has(queue.device())) return clError(CL_INVALID_COMMAND_QUEUE);
  }
  return all;
}

}  // namespace weft::validate
