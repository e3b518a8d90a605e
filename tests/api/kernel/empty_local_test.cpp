// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments in local memory of no bytes, which OpenCL 3.1 allows.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "support/programs.h"
#include "support/reported_version.h"

namespace weft::test {
namespace {

/// Each array has `n` numbers of the group, or none.
/// `own` has no barrier: work-items get what they have put there themselves.
const char* const kSource = R"(
kernel void own(local int* a, int n, local char* unused, local int* b, int m, global int* out) {
  int l = (int)get_local_id(0), other = (int)get_local_size(0) - 1 - l, r = 1000;
  if (n) a[l] = other * 3;
  if (m) b[l] = other * 5;
  if (n) r += a[l];
  if (m) r += b[l];
  out[get_global_id(0)] = r;
}
kernel void k(local int* a, int n, local char* unused, local int* b, int m, global int* out) {
  int l = (int)get_local_id(0), r = 1000;
  if (n) a[l] = l * 3;
  if (m) b[l] = l * 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = (int)get_local_size(0) - 1 - l;
  if (n) r += a[other];
  if (m) r += b[other];
  out[get_global_id(0)] = r;
})";

class EmptyLocal : public testing::Test {
 protected:
  void SetUp() override {
    if (!expectsOpenCl31()) GTEST_SKIP() << "OpenCL 3.0 is reported";
  }

  static void setSizes(cl_kernel kernel, cl_int n, cl_int m) {
    EXPECT_EQ(clSetKernelArg(kernel, 0, static_cast<size_t>(n) * 4, nullptr), CL_SUCCESS);
    setArgument(kernel, 1, n);
    EXPECT_EQ(clSetKernelArg(kernel, 2, 0, nullptr), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 3, static_cast<size_t>(m) * 4, nullptr), CL_SUCCESS);
    setArgument(kernel, 4, m);
  }
  void expectRuns(cl_kernel kernel, cl_int n, cl_int m) {
    setBuffer(kernel, 5, out_);
    const size_t global = 256, local = 64;
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
        CL_SUCCESS);
    std::vector<cl_int> expected(256);
    for (cl_int i = 0; i < 256; ++i) {
      const cl_int other = 63 - i % 64;
      expected[static_cast<size_t>(i)] = 1000 + (n ? other * 3 : 0) + (m ? other * 5 : 0);
    }
    EXPECT_EQ(readBuffer<cl_int>(queue_, out_, 256), expected) << n << ' ' << m;
  }
  cl_ulong localBytes(cl_kernel kernel) {
    cl_ulong bytes = 0;
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes,
                                       &bytes, nullptr),
              CL_SUCCESS);
    return bytes;
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  ProgramHolder program_ = buildProgram(context_, kSource);
  MemoryHolder out_ = makeBuffer(context_, std::vector<cl_int>(256));
};

TEST_F(EmptyLocal, RunsWithAnySizeAfterAnyOther) {
  for (const char* name : {"k", "own"}) {
    const KernelHolder kernel = makeKernel(program_, name);
    for (const std::array<cl_int, 2> sizes :
         {std::array{64, 64}, {0, 64}, {64, 0}, {0, 0}, {64, 64}, {0, 0}, {0, 64}, {64, 64}}) {
      setSizes(kernel, sizes[0], sizes[1]);
      EXPECT_EQ(localBytes(kernel), cl_ulong{4} * static_cast<cl_ulong>(sizes[0] + sizes[1]));
      expectRuns(kernel, sizes[0], sizes[1]);
    }
  }
}

TEST_F(EmptyLocal, IsSetForClonesToo) {
  const KernelHolder kernel = makeKernel(program_, "k");
  setBuffer(kernel, 5, out_);
  const size_t one = 64;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr),
            CL_INVALID_KERNEL_ARGS);
  setSizes(kernel, 0, 64);
  const KernelHolder copy(clCloneKernel(kernel, nullptr));
  setSizes(kernel, 64, 0);
  expectRuns(copy, 0, 64);
  expectRuns(kernel, 64, 0);
}

TEST_F(EmptyLocal, HasNoValue) {
  const KernelHolder kernel = makeKernel(program_, "k");
  const cl_int value = 1;
  EXPECT_EQ(clSetKernelArg(kernel, 0, 0, &value), CL_INVALID_ARG_VALUE);
}

TEST(LocalOfNoBytes, IsAnErrorBefore31) {
  const ContextHolder context = makeContext();
  const ProgramHolder program = buildProgram(context, kSource);
  const KernelHolder kernel = makeKernel(program, "k");
  EXPECT_EQ(clSetKernelArg(kernel, 0, 0, nullptr),
            expectsOpenCl31() ? CL_SUCCESS : CL_INVALID_ARG_SIZE);
}

}  // namespace
}  // namespace weft::test
