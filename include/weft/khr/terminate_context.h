// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

/// cl_khr_terminate_context: what Debian's headers lack of it. Values of the registry.
namespace weft::khr {

using cl_device_terminate_capability_khr = cl_bitfield;
inline constexpr cl_device_terminate_capability_khr CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR = 1;
/// The query's value before OpenCL 2.0, which older tools still ask for.
inline constexpr cl_device_info kDeviceTerminateCapability1x = 0x200F;

}  // namespace weft::khr
