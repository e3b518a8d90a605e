// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

/// cl_ext_buffer_device_address 1.0.2, which Debian's headers do not have. Values of the registry.
/// The function has C++ linkage, since applications get it by name.
namespace weft::khr {

using cl_mem_device_address = cl_ulong;

inline constexpr cl_mem_properties kMemDevicePrivateAddress = 0x5000;
inline constexpr cl_mem_info kMemDeviceAddress = 0x5001;
inline constexpr cl_kernel_exec_info kKernelExecInfoDevicePointers = 0x5002;

cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                  cl_mem_device_address arg_value);

}  // namespace weft::khr
