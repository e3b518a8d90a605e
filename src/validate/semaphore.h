// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

#include <span>

#include "base/error.h"
#include "queue/semaphore.h"
#include "validate/handles.h"

/// Rules of semaphores.
namespace weft::validate {

[[nodiscard]] inline Result<Semaphore*> semaphore(cl_semaphore_khr handle) noexcept {
  return object<Semaphore>(handle, CL_INVALID_SEMAPHORE_KHR);
}

/// The list of clCreateSemaphoreWithPropertiesKHR.
///   CL_INVALID_VALUE     it is null, or does not say the type
///   CL_INVALID_PROPERTY  an unknown or repeated name or a bad type; or no device for a context of
///                        several
///   CL_INVALID_DEVICE    not exactly one device of the context
[[nodiscard]] Result<SemaphoreOptions> semaphoreOptions(const Context& context,
                                                        const cl_semaphore_properties_khr* list);

/// The semaphores of one command on `queue`.
///   CL_INVALID_VALUE          there are none
///   CL_INVALID_SEMAPHORE_KHR  one of them is not valid
///   CL_INVALID_CONTEXT        one is of another context
///   CL_INVALID_COMMAND_QUEUE  one is not for the device of the queue
[[nodiscard]] Result<std::span<const cl_semaphore_khr>> semaphores(
    const Queue& queue, cl_uint count, const cl_semaphore_khr* list) noexcept;

}  // namespace weft::validate
