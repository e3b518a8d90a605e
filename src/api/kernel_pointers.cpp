// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_ext.h>

#include "api/adaptor.h"
#include "validate/program.h"
#include "validate/svm.h"
#include "weft/khr/buffer_device_address.h"

// Raw pointers for kernels: clSetKernelArgSVMPointer, clSetKernelExecInfo,
// clSetKernelArgMemPointerINTEL of cl_intel_unified_shared_memory, clSetKernelArgDevicePointerEXT
// of cl_ext_buffer_device_address.

using namespace weft;

namespace {

Result<void> setAddress(cl_kernel kernel, cl_uint index, const void* address) {
  WEFT_TRY(Kernel * object, validate::kernel(kernel));
  return object->arguments().setAddress(index, address);
}

}  // namespace

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
                                                         const void* arg_value) {
  return api::call([&] { return setAddress(kernel, arg_index, arg_value); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                                              const void* arg_value) {
  return api::call([&] { return setAddress(kernel, arg_index, arg_value); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel,
                                                    cl_kernel_exec_info param_name,
                                                    size_t param_value_size,
                                                    const void* param_value) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Kernel* object, validate::kernel(kernel));
    return object->arguments().setExecInfo(param_name, param_value_size, param_value);
  });
}

}  // extern "C"

cl_int CL_API_CALL khr::clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                       cl_mem_device_address arg_value) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Kernel * object, validate::kernel(kernel));
    WEFT_TRY_VOID(validate::deviceAddressArgument(*object, arg_index));
    return object->arguments().setAddress(arg_index, reinterpret_cast<const void*>(arg_value));
  });
}
