// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared virtual memory in command buffers: copies, fills, and arguments of updates.
#include <array>
#include <cstring>

#include "fixture.h"

namespace weft::test {
namespace {

class Svm : public CommandBufferTest {
 protected:
  void SetUp() override {
    cl_device_svm_capabilities capabilities = 0;
    ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities,
                              &capabilities, nullptr),
              CL_SUCCESS);
    if ((capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) == 0) GTEST_SKIP();
    memory = static_cast<cl_int*>(
        clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 1024, 0));
    ASSERT_NE(memory, nullptr);
    std::memset(memory, 0, 1024);
  }
  void TearDown() override { clSVMFree(context, memory); }

  cl_int copied(khr::cl_command_buffer buffer, void* to, const void* from, size_t size) {
    return api.clCommandSVMMemcpyKHR(buffer, nullptr, nullptr, to, from, size, 0, nullptr, nullptr,
                                     nullptr);
  }
  cl_int filled(khr::cl_command_buffer buffer, void* to, const void* pattern, size_t patternSize,
                size_t size) {
    return api.clCommandSVMMemFillKHR(buffer, nullptr, nullptr, to, pattern, patternSize, size, 0,
                                      nullptr, nullptr, nullptr);
  }

  cl_int* memory = nullptr;
};

TEST_F(Svm, CopiesAndFills) {
  const CommandBufferHolder buffer = make();
  const std::array<cl_int, 2> pattern{3, 4};
  ASSERT_EQ(filled(buffer, memory, pattern.data(), 8, 64), CL_SUCCESS);
  ASSERT_EQ(copied(buffer, memory + 64, memory, 64), CL_SUCCESS);
  finalize(buffer);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  for (size_t i = 0; i < 16; ++i) EXPECT_EQ(memory[64 + i], pattern[i % 2]);
  EXPECT_EQ(memory[80], 0);
}

TEST_F(Svm, Errors) {
  const CommandBufferHolder buffer = make();
  const cl_int pattern[64] = {};
  EXPECT_EQ(copied(buffer, nullptr, memory, 4), CL_INVALID_VALUE);
  EXPECT_EQ(copied(buffer, memory, nullptr, 4), CL_INVALID_VALUE);
  EXPECT_EQ(copied(buffer, memory, memory + 1, 16), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(filled(buffer, nullptr, pattern, 4, 16), CL_INVALID_VALUE);
  EXPECT_EQ(filled(buffer, memory, nullptr, 4, 16), CL_INVALID_VALUE);
  EXPECT_EQ(filled(buffer, memory, pattern, 0, 16), CL_INVALID_VALUE);
  EXPECT_EQ(filled(buffer, memory, pattern, 3, 12), CL_INVALID_VALUE);
  EXPECT_EQ(filled(buffer, memory, pattern, 256, 256), CL_INVALID_VALUE);
  EXPECT_EQ(filled(buffer, memory + 1, pattern, 8, 16), CL_INVALID_VALUE);
  EXPECT_EQ(filled(buffer, memory, pattern, 8, 20), CL_INVALID_VALUE);
}

TEST_F(Svm, PointersAndExecInfoOfUpdates) {
  const ProgramHolder program = buildProgram(
      context, "kernel void add(global int* out, int v) { out[get_global_id(0)] += v; }");
  const KernelHolder kernel = makeKernel(program, "add");
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel, 0, memory), CL_SUCCESS);
  setArgument(kernel, 1, cl_int{2});
  const CommandBufferHolder buffer = makeMutable();
  khr::cl_mutable_command handle = nullptr;
  launch(buffer, kernel, 4, {}, &handle);
  finalize(buffer);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);

  const khr::MutableDispatchArgument pointer{0, 0, memory + 8};
  const khr::MutableDispatchArgument notAPointer{1, 0, memory};
  const khr::MutableDispatchArgument noArgument{2, 0, memory};
  const void* reached = memory;
  const khr::MutableDispatchExecInfo execInfo{CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof reached,
                                              &reached};
  const khr::MutableDispatchExecInfo unknownInfo{0x4711, sizeof reached, &reached};
  const auto update = [&](const khr::MutableDispatchArgument& argument,
                          const khr::MutableDispatchExecInfo& info) {
    khr::MutableDispatchConfig config{};
    config.command = handle;
    config.svmArgumentCount = 1;
    config.svmArguments = &argument;
    config.execInfoCount = 1;
    config.execInfos = &info;
    const khr::cl_command_buffer_update_type type = khr::kStructureTypeMutableDispatchConfig;
    const void* pointers = &config;
    return api.clUpdateMutableCommandsKHR(buffer, 1, &type, &pointers);
  };
  EXPECT_EQ(update(notAPointer, execInfo), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(update(noArgument, execInfo), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(update(pointer, unknownInfo), CL_INVALID_VALUE);
  ASSERT_EQ(update(pointer, execInfo), CL_SUCCESS);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(memory[0], 2);
  EXPECT_EQ(memory[8], 4);
}

}  // namespace
}  // namespace weft::test
