// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_ext.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "api/adaptor.h"
#include "dispatch.h"
#include "platform/platform.h"
#include "weft/khr/buffer_device_address.h"
#include "weft/khr/command_buffer.h"
#include "weft/khr/icd.h"
#include "weft/khr/opencl_3_1.h"
#include "weft/khr/unified_svm.h"

// clGetExtensionFunctionAddress and its kin, and the functions of cl_khr_icd.

using namespace weft;

namespace {

void* find(std::span<const icd::NamedFunction> functions, const char* name) noexcept {
  if (name == nullptr) return nullptr;
  const auto found = std::find_if(
      functions.begin(), functions.end(),
      [name](const icd::NamedFunction& row) { return std::string_view(row.name) == name; });
  return found == functions.end() ? nullptr : found->address;
}

}  // namespace

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries,
                                                       cl_platform_id* platforms,
                                                       cl_uint* num_platforms) {
  return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

CL_API_ENTRY void* CL_API_CALL clGetExtensionFunctionAddress(const char* func_name) {
  return find(icd::extensionFunctions(), func_name);
}

CL_API_ENTRY void* CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                                        const char* func_name) {
  if (Platform::from(platform) == nullptr) return nullptr;
  return find(icd::extensionFunctions(), func_name);
}

}  // extern "C"

namespace weft::icd {
namespace {

template <class Function>
void* address(Function* function) noexcept {
  return reinterpret_cast<void*>(function);
}

/// cl_khr_create_command_queue has the core function's signature and meaning.
cl_command_queue CL_API_CALL
createCommandQueueWithProperties(cl_context context, cl_device_id device,
                                 const cl_queue_properties_khr* properties, cl_int* errcodeRet) {
  return clCreateCommandQueueWithProperties(context, device, properties, errcodeRet);
}

/// cl_khr_il_program likewise.
cl_program CL_API_CALL createProgramWithIl(cl_context context, const void* il, size_t length,
                                           cl_int* errcodeRet) {
  return clCreateProgramWithIL(context, il, length, errcodeRet);
}

}  // namespace

std::span<const NamedFunction> extensionFunctions() noexcept {
  static const NamedFunction kFunctions[] = {
      {"clIcdGetPlatformIDsKHR", address(clIcdGetPlatformIDsKHR)},
      {"clCreateCommandQueueWithPropertiesKHR", address(createCommandQueueWithProperties)},
      {"clCreateProgramWithILKHR", address(createProgramWithIl)},
      {"clGetKernelSuggestedLocalWorkSizeKHR", address(clGetKernelSuggestedLocalWorkSizeKHR)},
      // A part of OpenCL 3.1 that loaders of the distribution have no symbol for.
      {"clGetKernelSuggestedLocalWorkSize", address(clGetKernelSuggestedLocalWorkSize)},
      {"clCreateCommandBufferKHR", address(khr::clCreateCommandBufferKHR)},
      {"clRetainCommandBufferKHR", address(khr::clRetainCommandBufferKHR)},
      {"clReleaseCommandBufferKHR", address(khr::clReleaseCommandBufferKHR)},
      {"clFinalizeCommandBufferKHR", address(khr::clFinalizeCommandBufferKHR)},
      {"clEnqueueCommandBufferKHR", address(khr::clEnqueueCommandBufferKHR)},
      {"clGetCommandBufferInfoKHR", address(khr::clGetCommandBufferInfoKHR)},
      {"clCommandBarrierWithWaitListKHR", address(khr::clCommandBarrierWithWaitListKHR)},
      {"clCommandCopyBufferKHR", address(khr::clCommandCopyBufferKHR)},
      {"clCommandCopyBufferRectKHR", address(khr::clCommandCopyBufferRectKHR)},
      {"clCommandCopyBufferToImageKHR", address(khr::clCommandCopyBufferToImageKHR)},
      {"clCommandCopyImageKHR", address(khr::clCommandCopyImageKHR)},
      {"clCommandCopyImageToBufferKHR", address(khr::clCommandCopyImageToBufferKHR)},
      {"clCommandFillBufferKHR", address(khr::clCommandFillBufferKHR)},
      {"clCommandFillImageKHR", address(khr::clCommandFillImageKHR)},
      {"clCommandNDRangeKernelKHR", address(khr::clCommandNDRangeKernelKHR)},
      {"clCommandSVMMemcpyKHR", address(khr::clCommandSVMMemcpyKHR)},
      {"clCommandSVMMemFillKHR", address(khr::clCommandSVMMemFillKHR)},
      {"clUpdateMutableCommandsKHR", address(khr::clUpdateMutableCommandsKHR)},
      {"clGetMutableCommandInfoKHR", address(khr::clGetMutableCommandInfoKHR)},
      {"clTerminateContextKHR", address(clTerminateContextKHR)},
      {"clCreateSemaphoreWithPropertiesKHR", address(clCreateSemaphoreWithPropertiesKHR)},
      {"clEnqueueWaitSemaphoresKHR", address(clEnqueueWaitSemaphoresKHR)},
      {"clEnqueueSignalSemaphoresKHR", address(clEnqueueSignalSemaphoresKHR)},
      {"clGetSemaphoreInfoKHR", address(clGetSemaphoreInfoKHR)},
      {"clGetSemaphoreHandleForTypeKHR", address(clGetSemaphoreHandleForTypeKHR)},
      {"clRetainSemaphoreKHR", address(clRetainSemaphoreKHR)},
      {"clReleaseSemaphoreKHR", address(clReleaseSemaphoreKHR)},
      {"clEnqueueAcquireExternalMemObjectsKHR", address(clEnqueueAcquireExternalMemObjectsKHR)},
      {"clEnqueueReleaseExternalMemObjectsKHR", address(clEnqueueReleaseExternalMemObjectsKHR)},
      {"clGetImageRequirementsInfoEXT", address(clGetImageRequirementsInfoEXT)},
      {"clHostMemAllocINTEL", address(clHostMemAllocINTEL)},
      {"clDeviceMemAllocINTEL", address(clDeviceMemAllocINTEL)},
      {"clSharedMemAllocINTEL", address(clSharedMemAllocINTEL)},
      {"clMemFreeINTEL", address(clMemFreeINTEL)},
      {"clMemBlockingFreeINTEL", address(clMemBlockingFreeINTEL)},
      {"clGetMemAllocInfoINTEL", address(clGetMemAllocInfoINTEL)},
      {"clSetKernelArgMemPointerINTEL", address(clSetKernelArgMemPointerINTEL)},
      {"clEnqueueMemFillINTEL", address(clEnqueueMemFillINTEL)},
      {"clEnqueueMemcpyINTEL", address(clEnqueueMemcpyINTEL)},
      {"clEnqueueMigrateMemINTEL", address(clEnqueueMigrateMemINTEL)},
      {"clEnqueueMemAdviseINTEL", address(clEnqueueMemAdviseINTEL)},
      {"clSVMAllocWithPropertiesKHR", address(khr::clSVMAllocWithPropertiesKHR)},
      {"clSVMFreeWithPropertiesKHR", address(khr::clSVMFreeWithPropertiesKHR)},
      {"clGetSVMPointerInfoKHR", address(khr::clGetSVMPointerInfoKHR)},
      {"clGetSVMSuggestedTypeIndexKHR", address(khr::clGetSVMSuggestedTypeIndexKHR)},
      {"clSetKernelArgDevicePointerEXT", address(khr::clSetKernelArgDevicePointerEXT)},
  };
  return kFunctions;
}

}  // namespace weft::icd
