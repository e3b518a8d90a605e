// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every error of clSetKernelExecInfo.
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <array>

#include "support/programs.h"
#include "weft/khr/buffer_device_address.h"

namespace weft::test {
namespace {

TEST(KernelExecInfo, EveryNameWithRightAndWrongValues) {
  const ContextHolder context = makeContext();
  const ProgramHolder program = buildProgram(context, "kernel void k() {}");
  const KernelHolder kernel = makeKernel(program, "k");
  std::array<void*, 2> pointers{context.get(), nullptr};
  const auto set = [&](cl_kernel_exec_info name, size_t size, const void* value) {
    return clSetKernelExecInfo(kernel, name, size, value);
  };
  for (const cl_kernel_exec_info name : {cl_kernel_exec_info{CL_KERNEL_EXEC_INFO_SVM_PTRS},
                                         cl_kernel_exec_info{CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL},
                                         khr::kKernelExecInfoDevicePointers}) {
    EXPECT_EQ(set(name, sizeof pointers, pointers.data()), CL_SUCCESS) << name;
    EXPECT_EQ(set(name, sizeof(void*), pointers.data()), CL_SUCCESS) << name;
    EXPECT_EQ(set(name, 0, nullptr), CL_SUCCESS) << name << ": an empty set";
    EXPECT_EQ(set(name, 0, pointers.data()), CL_SUCCESS) << name;
    EXPECT_EQ(set(name, sizeof(void*), nullptr), CL_INVALID_VALUE) << name;
    EXPECT_EQ(set(name, sizeof(void*) - 1, pointers.data()), CL_INVALID_VALUE) << name;
    EXPECT_EQ(set(name, sizeof pointers - 1, pointers.data()), CL_INVALID_VALUE) << name;
  }
  for (const cl_kernel_exec_info name :
       {CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
    for (const cl_bool value : {cl_bool{CL_TRUE}, cl_bool{CL_FALSE}}) {
      EXPECT_EQ(set(name, sizeof value, &value), CL_SUCCESS) << name;
      EXPECT_EQ(set(name, 0, &value), CL_INVALID_VALUE) << name;
      EXPECT_EQ(set(name, sizeof value - 1, &value), CL_INVALID_VALUE) << name;
    }
    const std::array<cl_bool, 2> more{CL_TRUE, CL_TRUE};
    EXPECT_EQ(set(name, sizeof more, more.data()), CL_INVALID_VALUE) << name;
    EXPECT_EQ(set(name, sizeof(cl_bool), nullptr), CL_INVALID_VALUE) << name;
    EXPECT_EQ(set(name, 0, nullptr), CL_INVALID_VALUE) << name;
  }
  for (const cl_kernel_exec_info name : {0u, 0x4711u, 0xffffffffu}) {
    EXPECT_EQ(set(name, 0, nullptr), CL_INVALID_VALUE) << name;
    EXPECT_EQ(set(name, sizeof(void*), pointers.data()), CL_INVALID_VALUE) << name;
  }
  EXPECT_EQ(clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr),
            CL_INVALID_KERNEL);
}

}  // namespace
}  // namespace weft::test
