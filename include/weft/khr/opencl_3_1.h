// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

/// What OpenCL 3.1 adds to 3.0, and Debian's headers lack. Values of the registry: those of the
/// extensions that became part of it.
namespace weft::khr {

inline constexpr cl_device_info kDeviceMaxWorkGroupSizes = CL_DEVICE_MAX_WORK_ITEM_SIZES;
inline constexpr cl_device_info kDeviceUuid = CL_DEVICE_UUID_KHR;
inline constexpr cl_device_info kDriverUuid = CL_DRIVER_UUID_KHR;
inline constexpr cl_device_info kDeviceLuidValid = CL_DEVICE_LUID_VALID_KHR;
inline constexpr cl_device_info kDeviceLuid = CL_DEVICE_LUID_KHR;
inline constexpr cl_device_info kDeviceNodeMask = CL_DEVICE_NODE_MASK_KHR;
inline constexpr cl_device_info kDeviceIntegerDotProductCapabilities =
    CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR;

// cl_khr_spirv_queries 1.0
inline constexpr cl_device_info kDeviceSpirvExtendedInstructionSets = 0x12B9;
inline constexpr cl_device_info kDeviceSpirvExtensions = 0x12BA;
inline constexpr cl_device_info kDeviceSpirvCapabilities = 0x12BB;

/// Of cl_khr_suggested_local_work_size, and the last slot of the dispatch table.
using GetKernelSuggestedLocalWorkSize = cl_int(CL_API_CALL*)(cl_command_queue queue,
                                                             cl_kernel kernel, cl_uint workDim,
                                                             const size_t* globalOffset,
                                                             const size_t* globalSize,
                                                             size_t* suggestedLocalSize);

}  // namespace weft::khr

extern "C" CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t* global_work_offset, const size_t* global_work_size,
    size_t* suggested_local_work_size);
