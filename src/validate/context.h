// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <vector>

#include "base/error.h"
#include "context/context.h"

/// Rules of clCreateContext and its kin.
namespace weft::validate {

/// CL_INVALID_DEVICE_TYPE unless every bit is a device type of the specification.
[[nodiscard]] Result<void> deviceType(cl_device_type type) noexcept;

/// A copy of a property list with its terminator; empty when `list` is null.
///
///   CL_INVALID_PLATFORM  CL_CONTEXT_PLATFORM names something else
///   CL_INVALID_PROPERTY  an unknown or repeated name, or a bad value
[[nodiscard]] Result<std::vector<cl_context_properties>> contextProperties(
    const cl_context_properties* list);

/// CL_INVALID_VALUE when there are user data and no callback for them.
[[nodiscard]] Result<void> contextCallback(Context::Notify notify, const void* userData) noexcept;

/// The devices in order, repeats dropped.
///
///   CL_INVALID_VALUE   the list is null or empty
///   CL_INVALID_DEVICE  one of them is not a device
[[nodiscard]] Result<std::vector<Device*>> contextDevices(cl_uint count,
                                                          const cl_device_id* devices);

}  // namespace weft::validate
