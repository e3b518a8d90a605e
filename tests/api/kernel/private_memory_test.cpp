// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel's private memory does to the sizes of its groups: up to the size that it advertises
// a group runs, beyond it there is an error at the enqueue; and what no frame holds, at the build.
#include <gtest/gtest.h>

#include <string>

#include "support/programs.h"

namespace weft::test {
namespace {

const char* const kSource = R"(
kernel void wait(global int* out, uint step) {
  int a[WORDS];
  const ulong n = WORDS, i = get_global_id(0);
  for (uint k = 0; k < 8; ++k) a[(i * 7 + k * step) % n] = k;
  a[n - 1] = i;
  a[step % n] = 1;
  if (out[i] == 0) barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = a[n - 1] + a[step % n] - 1;
}
kernel void plain(global int* out, uint step) {
  int a[WORDS];
  const ulong n = WORDS, i = get_global_id(0);
  for (uint k = 0; k < 8; ++k) a[(i * 7 + k * step) % n] = k;
  a[n - 1] = i;
  a[step % n] = 1;
  out[i] = a[n - 1] + a[step % n] - 1;
}
)";

class PrivateMemoryApi : public testing::Test {
 protected:
  void use(const char* name, uint64_t bytes) {
    const std::string options = "-DWORDS=" + std::to_string(bytes / 4) + "ul";
    kernel_ = makeKernel(buildProgram(context_, kSource, options.c_str()), name);
    ASSERT_EQ(clGetKernelWorkGroupInfo(kernel_, device(), CL_KERNEL_PRIVATE_MEM_SIZE,
                                       sizeof private_, &private_, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clGetKernelWorkGroupInfo(kernel_, device(), CL_KERNEL_WORK_GROUP_SIZE, sizeof most_,
                                       &most_, nullptr),
              CL_SUCCESS);
  }
  /// The code of the enqueue; results are checked where there are any.
  cl_int run(size_t items) {
    std::vector<int> values(2 * items);
    const MemoryHolder buffer = makeBuffer(context_, values);
    const cl_mem handle = buffer;
    const cl_uint step = 1001;
    EXPECT_EQ(clSetKernelArg(kernel_, 0, sizeof handle, &handle), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel_, 1, sizeof step, &step), CL_SUCCESS);
    const size_t global = values.size();
    const cl_int code =
        clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &global, &items, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return code;
    EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, global * sizeof(int), values.data(),
                                  0, nullptr, nullptr),
              CL_SUCCESS);
    for (size_t i = 0; i < global; ++i)
      if (values[i] != static_cast<int>(i)) ADD_FAILURE() << i << " has " << values[i];
    return code;
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  KernelHolder kernel_;
  cl_ulong private_ = 0;
  size_t most_ = 0;
};

TEST_F(PrivateMemoryApi, GroupsRunUpToTheAdvertisedSize) {
  for (const uint64_t bytes : {uint64_t{1} << 10, uint64_t{64} << 10, uint64_t{1} << 20,
                               uint64_t{16} << 20, uint64_t{64} << 20}) {
    SCOPED_TRACE(bytes);
    use("wait", bytes);
    EXPECT_EQ(private_, bytes);
    for (const size_t items : {size_t{1}, size_t{16}, size_t{256}, size_t{1024}, size_t{4096}})
      EXPECT_EQ(run(items), items <= most_ ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE) << items;
    EXPECT_EQ(run(most_), CL_SUCCESS);
  }
}

TEST_F(PrivateMemoryApi, WithoutBarriersGroupsKeepTheirSize) {
  for (const uint64_t bytes : {uint64_t{1} << 10, uint64_t{1} << 20, uint64_t{64} << 20}) {
    SCOPED_TRACE(bytes);
    use("plain", bytes);
    EXPECT_EQ(private_, bytes);
    EXPECT_GE(most_, 1024u);
    EXPECT_EQ(run(most_), CL_SUCCESS);
  }
}

TEST_F(PrivateMemoryApi, WhatNoFrameHoldsIsAnErrorOfTheBuild) {
  for (const uint64_t bytes : {(uint64_t{1} << 30) + 4, (uint64_t{2} << 30) - 4, uint64_t{3} << 30,
                               uint64_t{15} << 30, uint64_t{1} << 40, uint64_t{1} << 60}) {
    SCOPED_TRACE(bytes);
    const ProgramHolder program = makeProgram(context_, kSource);
    const std::string options = "-DWORDS=" + std::to_string(bytes / 4) + "ul";
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr),
              CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(buildLog(program).find("private memory"), std::string::npos) << buildLog(program);
  }
}

}  // namespace
}  // namespace weft::test
