// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl.h>

#include "api/adaptor.h"
#include "program/kernel.h"
#include "validate/program.h"

using namespace weft;

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* kernel_name,
                                                  cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Kernel>> {
    WEFT_TRY(Program * object, validate::program(program));
    WEFT_TRY_VOID(require(kernel_name != nullptr, CL_INVALID_VALUE));
    return Kernel::create(*object, kernel_name);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
                                                         cl_kernel* kernels,
                                                         cl_uint* num_kernels_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Program * object, validate::program(program));
    WEFT_TRY(const auto executables, object->executables());
    const size_t count = kernelNames(executables).size();
    if (kernels != nullptr) {
      WEFT_TRY_VOID(require(num_kernels >= count, CL_INVALID_VALUE));
      WEFT_TRY(auto all, Kernel::createAll(*object));
      // The program may have been rebuilt with more kernels since it was asked for their number.
      WEFT_TRY_VOID(require(num_kernels >= all.size(), CL_INVALID_VALUE));
      for (size_t i = 0; i < all.size(); ++i) kernels[i] = Kernel::publish(std::move(all[i]));
    }
    if (num_kernels_ret != nullptr) *num_kernels_ret = static_cast<cl_uint>(count);
    return {};
  });
}

CL_API_ENTRY cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Kernel>> {
    WEFT_TRY(Kernel * object, validate::kernel(source_kernel));
    return object->clone();
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Kernel * object, validate::kernel(kernel));
    object->retainApplication();
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Kernel * object, validate::kernel(kernel));
    return require(object->releaseApplication(), CL_INVALID_KERNEL);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                                               const void* arg_value) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Kernel * object, validate::kernel(kernel));
    return object->arguments().set(arg_index, arg_size, arg_value, object->context());
  });
}
