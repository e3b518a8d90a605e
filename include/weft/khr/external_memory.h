// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

/// cl_khr_external_memory 1.0.1, of which Debian's headers have an experimental version. Values of
/// the registry; functions, types and the other values are those of the header.
namespace weft::khr {

inline constexpr cl_version kExternalMemoryVersion = CL_MAKE_VERSION(1, 0, 1);

inline constexpr cl_mem_properties kMemDeviceHandleList = 0x2051;
inline constexpr cl_mem_properties kMemDeviceHandleListEnd = 0;

inline constexpr cl_device_info kDeviceExternalMemoryAssumesLinearImages = 0x2052;

}  // namespace weft::khr
