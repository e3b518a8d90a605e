// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

/// Device queries of extensions to the language that Debian's headers lack: cl_khr_kernel_clock
/// 1.0 and cl_ext_float_atomics 1.0. Values of the registry.
namespace weft::khr {

inline constexpr cl_device_info kDeviceKernelClockCapabilities = 0x1076;
using cl_device_kernel_clock_capabilities_khr = cl_bitfield;
inline constexpr cl_bitfield kKernelClockScopeDevice = 1 << 0;
inline constexpr cl_bitfield kKernelClockScopeWorkGroup = 1 << 1;
inline constexpr cl_bitfield kKernelClockScopeSubGroup = 1 << 2;

inline constexpr cl_device_info kDeviceSingleFpAtomicCapabilities = 0x4231;
inline constexpr cl_device_info kDeviceDoubleFpAtomicCapabilities = 0x4232;
inline constexpr cl_device_info kDeviceHalfFpAtomicCapabilities = 0x4233;
using cl_device_fp_atomic_capabilities_ext = cl_bitfield;
inline constexpr cl_bitfield kGlobalFpAtomicLoadStore = 1 << 0;
inline constexpr cl_bitfield kGlobalFpAtomicAdd = 1 << 1;
inline constexpr cl_bitfield kGlobalFpAtomicMinMax = 1 << 2;
inline constexpr cl_bitfield kLocalFpAtomicLoadStore = 1 << 16;
inline constexpr cl_bitfield kLocalFpAtomicAdd = 1 << 17;
inline constexpr cl_bitfield kLocalFpAtomicMinMax = 1 << 18;

}  // namespace weft::khr
