// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs from SPIR-V through the API.
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <string>

#include "support/info_query.h"
#include "support/programs.h"
#include "support/spirv_tools.h"

namespace weft::test {
namespace {

/// r[i] = a[i] * factor + offset(), where the constants' numbers are 3 and 8.
std::string moduleText(bool imports) {
  return std::string(R"(
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %id
OpExecutionMode %k VecTypeHint 262149
OpExecutionMode %k LocalSizeHint 4 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %factor SpecId 3
OpDecorate %wide SpecId 8
)") + (imports ? "OpDecorate %offset LinkageAttributes \"offset\" Import\n" : "") +
         R"(
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%v3long = OpTypeVector %long 3
%inputIds = OpTypePointer Input %v3long
%globalInt = OpTypePointer CrossWorkgroup %int
%id = OpVariable %inputIds Input
%factor = OpSpecConstant %int 1
%wide = OpSpecConstant %long 0
%type = OpTypeFunction %void %globalInt %globalInt
%offsetType = OpTypeFunction %int
)" + (imports ? "%offset = OpFunction %int None %offsetType\nOpFunctionEnd\n" : "") +
         R"(
%k = OpFunction %void None %type
%a = OpFunctionParameter %globalInt
%r = OpFunctionParameter %globalInt
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%from = OpInBoundsPtrAccessChain %globalInt %a %i
%to = OpInBoundsPtrAccessChain %globalInt %r %i
%x = OpLoad %int %from Aligned 4
%product = OpIMul %int %x %factor
)" + (imports ? "%added = OpFunctionCall %int %offset\n" : "%added = OpUConvert %int %wide\n") +
         R"(
%sum = OpIAdd %int %product %added
OpStore %to %sum Aligned 4
OpReturn
OpFunctionEnd
)";
}

/// offset() as any number of objects may define it, with the variable that it reads.
std::string sharedText() {
  return R"(
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpExtension "SPV_KHR_linkonce_odr"
OpMemoryModel Physical64 OpenCL
OpDecorate %offset LinkageAttributes "offset" LinkOnceODR
OpDecorate %place LinkageAttributes "place" LinkOnceODR
%int = OpTypeInt 32 0
%value = OpConstant %int 23
%globalInt = OpTypePointer CrossWorkgroup %int
%place = OpVariable %globalInt CrossWorkgroup %value
%offsetType = OpTypeFunction %int
%offset = OpFunction %int None %offsetType
%entry = OpLabel
%read = OpLoad %int %place Aligned 4
OpReturnValue %read
OpFunctionEnd
)";
}

class IlApi : public testing::Test {
 protected:
  ProgramHolder create(const std::string& words, cl_int expected = CL_SUCCESS) {
    cl_int error = 1;
    ProgramHolder program(clCreateProgramWithIL(context_, words.data(), words.size(), &error));
    EXPECT_EQ(error, expected);
    EXPECT_EQ(program.get() != nullptr, expected == CL_SUCCESS);
    return program;
  }
  void build(cl_program program) {
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
        << buildLog(program);
  }
  void expectRuns(cl_program program, int factor, int offset) {
    const KernelHolder kernel = makeKernel(program, "k");
    std::vector<int> a(333), expected(333);
    for (int i = 0; i < 333; ++i) {
      a[static_cast<size_t>(i)] = i * 5;
      expected[static_cast<size_t>(i)] = i * 5 * factor + offset;
    }
    const MemoryHolder from = makeBuffer(context_, a);
    const MemoryHolder to = makeBuffer(context_, std::vector<int>(333));
    setBuffer(kernel, 0, from);
    setBuffer(kernel, 1, to);
    const size_t global = 333;
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(readBuffer<int>(queue_, to, 333), expected);
  }
  InfoCall programInfo(cl_program program, cl_program_info parameter) {
    return [=](size_t size, void* value, size_t* sizeRet) {
      return clGetProgramInfo(program, parameter, size, value, sizeRet);
    };
  }
  InfoCall deviceInfo(cl_device_info parameter) {
    return [=](size_t size, void* value, size_t* sizeRet) {
      return clGetDeviceInfo(device(), parameter, size, value, sizeRet);
    };
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  const std::string words_ = assemble(moduleText(false));
};

TEST_F(IlApi, BuildsAndRuns) {
  const ProgramHolder program = create(words_);
  build(program);
  expectRuns(program, 1, 0);
  const auto il = infoList<char>(programInfo(program, CL_PROGRAM_IL));
  EXPECT_EQ(std::string(il.begin(), il.end()), words_);
  EXPECT_EQ(infoText(programInfo(program, CL_PROGRAM_SOURCE)), "");
  EXPECT_EQ(infoText(programInfo(program, CL_PROGRAM_KERNEL_NAMES)), "k");
}

/// Attributes are those of OpenCL C: clGetKernelInfo, CL_KERNEL_ATTRIBUTES.
TEST_F(IlApi, KernelsHaveNoAttributes) {
  const auto attributesIn = [](cl_program program) {
    const KernelHolder kernel = makeKernel(program, "k");
    return infoText([&](size_t size, void* value, size_t* sizeRet) {
      return clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, size, value, sizeRet);
    });
  };
  const ProgramHolder program = create(words_);
  build(program);
  EXPECT_EQ(attributesIn(program), "");
  const ProgramHolder compiled = create(words_);
  ASSERT_EQ(clCompileProgram(compiled, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  const cl_program part = compiled;
  cl_int error = 1;
  const ProgramHolder linked(
      clLinkProgram(context_, 0, nullptr, nullptr, 1, &part, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(attributesIn(linked), "");
}

// The second time from the disk cache, where there is one.
TEST_F(IlApi, BuildsAgain) {
  for (int i = 0; i < 2; ++i) {
    const ProgramHolder program = create(words_);
    build(program);
    expectRuns(program, 1, 0);
  }
}

TEST_F(IlApi, ExtensionFunction) {
  using Create = cl_program(CL_API_CALL*)(cl_context, const void*, size_t, cl_int*);
  const auto create = reinterpret_cast<Create>(
      clGetExtensionFunctionAddressForPlatform(platform(), "clCreateProgramWithILKHR"));
  ASSERT_NE(create, nullptr);
  cl_int error = 1;
  const ProgramHolder program(create(context_, words_.data(), words_.size(), &error));
  EXPECT_EQ(error, CL_SUCCESS);
  build(program);
  expectRuns(program, 1, 0);
}

TEST_F(IlApi, SpecializationConstants) {
  const ProgramHolder program = create(words_);
  const cl_int factor = -7;
  const cl_long wide = 1000;
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 3, 4, &factor), CL_SUCCESS);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 8, 8, &wide), CL_SUCCESS);
  build(program);
  expectRuns(program, -7, 1000);
  // For the next build.
  const cl_int other = 2;
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 3, 4, &other), CL_SUCCESS);
  expectRuns(program, -7, 1000);
  build(program);
  expectRuns(program, 2, 1000);

  EXPECT_EQ(clSetProgramSpecializationConstant(program, 4, 4, &factor), CL_INVALID_SPEC_ID);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 3, 8, &wide), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 3, 4, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramSpecializationConstant(nullptr, 3, 4, &factor), CL_INVALID_PROGRAM);
  const ProgramHolder source = makeProgram(context_, "kernel void k() {}");
  EXPECT_EQ(clSetProgramSpecializationConstant(source, 3, 4, &factor), CL_INVALID_PROGRAM);
}

TEST_F(IlApi, LinksWithSource) {
  const ProgramHolder il = create(assemble(moduleText(true)));
  const ProgramHolder source = makeProgram(context_, "int offset(void) { return 17; }");
  for (cl_program program : {il.get(), source.get()})
    ASSERT_EQ(clCompileProgram(program, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
              CL_SUCCESS)
        << buildLog(program);
  const cl_program inputs[] = {il, source};
  cl_int error = 1;
  const ProgramHolder linked(
      clLinkProgram(context_, 0, nullptr, nullptr, 2, inputs, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  expectRuns(linked, 1, 17);
  // What is imported and not there fails the build.
  EXPECT_EQ(clBuildProgram(il, 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(buildLog(il).find("offset"), std::string::npos);
}

// Nothing in an object need use what it defines in common with others.
TEST_F(IlApi, LinksWhatSeveralDefine) {
  const ProgramHolder il = create(assemble(moduleText(true)));
  const ProgramHolder one = create(assemble(sharedText()));
  const ProgramHolder other = create(assemble(sharedText()));
  const cl_program inputs[] = {one, il, other};
  for (cl_program program : inputs)
    ASSERT_EQ(clCompileProgram(program, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
              CL_SUCCESS)
        << buildLog(program);
  for (const cl_uint count : {2u, 3u}) {
    cl_int error = 1;
    const ProgramHolder linked(
        clLinkProgram(context_, 0, nullptr, nullptr, count, inputs, nullptr, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    expectRuns(linked, 1, 23);
  }
}

TEST_F(IlApi, BinaryOfSpirv) {
  const ProgramHolder program = create(words_);
  build(program);
  const ProgramHolder loaded = loadBinary(context_, binaryOf(program));
  build(loaded);
  expectRuns(loaded, 1, 0);
}

TEST_F(IlApi, Refuses) {
  cl_int error = 1;
  EXPECT_EQ(clCreateProgramWithIL(nullptr, words_.data(), words_.size(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateProgramWithIL(context_, nullptr, words_.size(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithIL(context_, words_.data(), 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  create("kernel void k() {}", CL_INVALID_VALUE);
  create(words_.substr(0, words_.size() - 6), CL_INVALID_VALUE);
  // What is a module, and no right one.
  std::string wrong = words_;
  wrong.resize(wrong.size() - 8);
  const ProgramHolder program = create(wrong);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr),
            CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(buildLog(program).find("error:"), std::string::npos);
}

TEST_F(IlApi, TheDeviceSaysSo) {
  const std::string versions = infoText(deviceInfo(CL_DEVICE_IL_VERSION));
  EXPECT_EQ(versions.find("SPIR-V_1.6"), 0u);
  EXPECT_NE(versions.find("SPIR-V_1.0"), std::string::npos);
  const auto all = infoList<cl_name_version>(deviceInfo(CL_DEVICE_ILS_WITH_VERSION));
  ASSERT_EQ(all.size(), 7u);
  EXPECT_STREQ(all[0].name, "SPIR-V");
  EXPECT_EQ(all[0].version, CL_MAKE_VERSION(1, 6, 0));
  const std::string extensions = infoText(deviceInfo(CL_DEVICE_EXTENSIONS));
  for (const char* name : {"cl_khr_il_program", "cl_khr_spirv_linkonce_odr",
                           "cl_khr_spirv_no_integer_wrap_decoration"})
    EXPECT_NE(extensions.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace weft::test
