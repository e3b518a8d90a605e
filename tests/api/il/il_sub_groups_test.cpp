// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that say how many sub-groups their work-groups have (SubgroupDispatch).
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "support/info_query.h"
#include "support/programs.h"
#include "support/spirv_tools.h"
#include "weft/khr/opencl_3_1.h"

namespace weft::test {
namespace {

/// out[2 * group] = sub-groups of the group, out[2 * group + 1] = its size, of the first
/// dimension's groups.
std::string moduleText(std::string_view modes, std::string_view extra = {}) {
  return R"(
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
OpCapability Groups
OpCapability SubgroupDispatch
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %count %group %size
)" + std::string(modes) +
         R"(
OpDecorate %count BuiltIn NumSubgroups
OpDecorate %group BuiltIn WorkgroupId
OpDecorate %size BuiltIn WorkgroupSize
OpDecorate %many SpecId 5
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%v3long = OpTypeVector %long 3
%inputLongs = OpTypePointer Input %v3long
%inputInt = OpTypePointer Input %int
%globalInt = OpTypePointer CrossWorkgroup %int
%count = OpVariable %inputInt Input
%group = OpVariable %inputLongs Input
%size = OpVariable %inputLongs Input
%many = OpSpecConstant %int 2
%l1 = OpConstant %long 1
)" + std::string(extra) +
         R"(
%type = OpTypeFunction %void %globalInt
%k = OpFunction %void None %type
%out = OpFunctionParameter %globalInt
%entry = OpLabel
%groups = OpLoad %v3long %group Aligned 32
%g = OpCompositeExtract %long %groups 0
%place = OpShiftLeftLogical %long %g %l1
%to = OpInBoundsPtrAccessChain %globalInt %out %place
%n = OpLoad %int %count Aligned 4
OpStore %to %n Aligned 4
%sizes = OpLoad %v3long %size Aligned 32
%s = OpCompositeExtract %long %sizes 0
%items = OpUConvert %int %s
%next = OpInBoundsPtrAccessChain %globalInt %to %l1
OpStore %next %items Aligned 4
OpReturn
OpFunctionEnd
)";
}

class IlSubGroups : public testing::Test {
 protected:
  ProgramHolder create(const std::string& text, uint32_t version = 0x00010200) {
    const std::string words = assemble(text, version);
    cl_int error = 1;
    ProgramHolder program(clCreateProgramWithIL(context_, words.data(), words.size(), &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return program;
  }
  KernelHolder build(cl_program program) {
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
        << buildLog(program);
    KernelHolder kernel = makeKernel(program, "k");
    setBuffer(kernel, 0, out_);
    return kernel;
  }
  template <class T>
  T subGroupInfo(cl_kernel kernel, cl_kernel_sub_group_info parameter, size_t count = 0) {
    return infoValue<T>([=](size_t size, void* value, size_t* sizeRet) {
      return clGetKernelSubGroupInfo(kernel, device(), parameter, count ? sizeof count : 0,
                                     count ? &count : nullptr, size, value, sizeRet);
    });
  }
  std::array<size_t, 3> localSizeFor(cl_kernel kernel, size_t count) {
    std::array<size_t, 3> sizes{7, 7, 7};
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device(), CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                      sizeof count, &count, sizeof sizes, sizes.data(), nullptr),
              CL_SUCCESS);
    return sizes;
  }
  cl_int enqueue(cl_kernel kernel, size_t global, size_t local = 0) {
    return clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, local ? &local : nullptr, 0,
                                  nullptr, nullptr);
  }
  /// The kernel asks for groups of so many sub-groups, and gets them in all ways of launching it.
  void expectCount(cl_kernel kernel, size_t count) {
    EXPECT_EQ(subGroupInfo<size_t>(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS), count);
    EXPECT_EQ(localSizeFor(kernel, count), (std::array<size_t, 3>{width_ * count, 1, 1}));
    EXPECT_EQ(localSizeFor(kernel, count + 1), (std::array<size_t, 3>{}));

    EXPECT_EQ(enqueue(kernel, width_ * 12, width_ * (count + 1)), CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(enqueue(kernel, width_ * 12, width_ * (count - 1) + (count == 1 ? width_ * 2 : 0)),
              CL_INVALID_WORK_GROUP_SIZE);
    for (const size_t local : {width_ * count, width_ * count - 1, size_t{0}}) {
      EXPECT_EQ(enqueue(kernel, width_ * 12, local), CL_SUCCESS) << local;
      const auto seen = readBuffer<cl_int>(queue_, out_, 2);
      EXPECT_EQ(seen[0], static_cast<cl_int>(count)) << local;
      EXPECT_EQ(seen[1], static_cast<cl_int>(local ? local : width_ * count)) << local;
    }
    const size_t global = width_ * 12;
    size_t suggested = 0;
    EXPECT_EQ(clGetKernelSuggestedLocalWorkSize(queue_, kernel, 1, nullptr, &global, &suggested),
              CL_SUCCESS);
    EXPECT_EQ(suggested, width_ * count);
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  MemoryHolder out_ = makeBuffer(context_, std::vector<cl_int>(1024));
  size_t width_ = [this] {
    const ProgramHolder program = create(moduleText(""));
    const KernelHolder kernel = build(program);
    const size_t most = 4096;
    EXPECT_EQ(subGroupInfo<size_t>(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS), 0u);
    return subGroupInfo<size_t>(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, most);
  }();
};

TEST_F(IlSubGroups, ANumberOfThemIsRequired) {
  const ProgramHolder program = create(moduleText("OpExecutionMode %k SubgroupsPerWorkgroup 3"));
  expectCount(build(program), 3);
  const ProgramHolder one = create(moduleText("OpExecutionMode %k SubgroupsPerWorkgroup 1"));
  expectCount(build(one), 1);
}

TEST_F(IlSubGroups, TheNumberMayBeASpecializationConstant) {
  const ProgramHolder program =
      create(moduleText("OpExecutionModeId %k SubgroupsPerWorkgroupId %many"));
  expectCount(build(program), 2);
  const cl_int four = 4;
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 5, sizeof four, &four), CL_SUCCESS);
  expectCount(build(program), 4);
}

TEST_F(IlSubGroups, BinariesKeepIt) {
  const ProgramHolder program = create(moduleText("OpExecutionMode %k SubgroupsPerWorkgroup 2"));
  build(program);
  const ProgramHolder loaded = loadBinary(context_, binaryOf(program));
  expectCount(build(loaded), 2);
}

TEST_F(IlSubGroups, WhatCannotBeIsAnError) {
  const ProgramHolder none = create(moduleText("OpExecutionMode %k SubgroupsPerWorkgroup 0"));
  EXPECT_EQ(clBuildProgram(none, 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(buildLog(none).find("sub-groups"), std::string::npos) << buildLog(none);
  const ProgramHolder many = create(moduleText("OpExecutionMode %k SubgroupsPerWorkgroup 65536"));
  EXPECT_EQ(enqueue(build(many), 1 << 22), CL_INVALID_WORK_GROUP_SIZE);
  const ProgramHolder both = create(moduleText(
      "OpExecutionMode %k SubgroupsPerWorkgroup 1\nOpExecutionMode %k LocalSize 1024 1 1"));
  EXPECT_EQ(enqueue(build(both), 4096), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(build(both), 4096, 1024), CL_INVALID_WORK_GROUP_SIZE);
}

}  // namespace
}  // namespace weft::test
