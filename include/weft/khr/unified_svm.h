// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>

/// cl_khr_unified_svm 0.9.0 (experimental), which Debian's headers do not have. Values of the
/// registry. The functions have C++ linkage, since applications get them by name.
namespace weft::khr {

inline constexpr cl_version kUnifiedSvmVersion = CL_MAKE_VERSION(0, 9, 0);

inline constexpr cl_platform_info kPlatformSvmTypeCapabilities = 0x0909;
inline constexpr cl_device_info kDeviceSvmTypeCapabilities = 0x1077;
inline constexpr cl_kernel_exec_info kKernelExecInfoSvmIndirectAccess = 0x11BB;

using cl_svm_capabilities = cl_bitfield;

inline constexpr cl_svm_capabilities kSvmSingleAddressSpace = 1 << 0;
inline constexpr cl_svm_capabilities kSvmSystemAllocated = 1 << 1;
inline constexpr cl_svm_capabilities kSvmDeviceOwned = 1 << 2;
inline constexpr cl_svm_capabilities kSvmDeviceUnassociated = 1 << 3;
inline constexpr cl_svm_capabilities kSvmContextAccess = 1 << 4;
inline constexpr cl_svm_capabilities kSvmHostOwned = 1 << 5;
inline constexpr cl_svm_capabilities kSvmHostRead = 1 << 6;
inline constexpr cl_svm_capabilities kSvmHostWrite = 1 << 7;
inline constexpr cl_svm_capabilities kSvmHostMap = 1 << 8;
inline constexpr cl_svm_capabilities kSvmDeviceRead = 1 << 9;
inline constexpr cl_svm_capabilities kSvmDeviceWrite = 1 << 10;
inline constexpr cl_svm_capabilities kSvmDeviceAtomicAccess = 1 << 11;
inline constexpr cl_svm_capabilities kSvmConcurrentAccess = 1 << 12;
inline constexpr cl_svm_capabilities kSvmConcurrentAtomicAccess = 1 << 13;
inline constexpr cl_svm_capabilities kSvmIndirectAccess = 1 << 14;

using cl_svm_alloc_properties = cl_properties;
using cl_svm_alloc_access_flags = cl_bitfield;
using cl_svm_free_properties = cl_properties;
using cl_svm_free_flags = cl_bitfield;
using cl_svm_pointer_info = cl_uint;

inline constexpr cl_svm_alloc_properties kSvmAllocAssociatedDevice = 0x2078;
inline constexpr cl_svm_alloc_properties kSvmAllocAccessFlags = 0x2079;
inline constexpr cl_svm_alloc_properties kSvmAllocAlignment = 0x207A;

inline constexpr cl_svm_alloc_access_flags kSvmHostNoRead = 1 << 0;
inline constexpr cl_svm_alloc_access_flags kSvmHostNoWrite = 1 << 1;
inline constexpr cl_svm_alloc_access_flags kSvmDeviceNoRead = 1 << 8;
inline constexpr cl_svm_alloc_access_flags kSvmDeviceNoWrite = 1 << 9;

inline constexpr cl_svm_pointer_info kSvmInfoTypeIndex = 0x2088;
inline constexpr cl_svm_pointer_info kSvmInfoCapabilities = 0x2089;
inline constexpr cl_svm_pointer_info kSvmInfoProperties = 0x208A;
inline constexpr cl_svm_pointer_info kSvmInfoAccessFlags = 0x208B;
inline constexpr cl_svm_pointer_info kSvmInfoBasePointer = 0x419B;
inline constexpr cl_svm_pointer_info kSvmInfoSize = 0x419C;
inline constexpr cl_svm_pointer_info kSvmInfoAssociatedDevice = 0x419D;

void* CL_API_CALL clSVMAllocWithPropertiesKHR(cl_context context,
                                              const cl_svm_alloc_properties* properties,
                                              cl_uint svm_type_index, size_t size,
                                              cl_int* errcode_ret);
cl_int CL_API_CALL clSVMFreeWithPropertiesKHR(cl_context context,
                                              const cl_svm_free_properties* properties,
                                              cl_svm_free_flags flags, void* ptr);
cl_int CL_API_CALL clGetSVMPointerInfoKHR(cl_context context, cl_device_id device, const void* ptr,
                                          cl_svm_pointer_info param_name, size_t param_value_size,
                                          void* param_value, size_t* param_value_size_ret);
cl_int CL_API_CALL clGetSVMSuggestedTypeIndexKHR(cl_context context,
                                                 cl_svm_capabilities required_capabilities,
                                                 cl_svm_capabilities desired_capabilities,
                                                 const cl_svm_alloc_properties* properties,
                                                 size_t size, cl_uint* suggested_svm_type_index);

}  // namespace weft::khr
