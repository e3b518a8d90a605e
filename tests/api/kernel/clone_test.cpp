// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clCloneKernel, and what stays of a kernel's arguments when a call fails.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/info_query.h"
#include "support/programs.h"

namespace weft::test {
namespace {

class KernelClone : public testing::Test {
 protected:
  cl_int task(cl_kernel kernel) { return clEnqueueTask(queue_, kernel, 0, nullptr, nullptr); }
  /// What a kernel with all its arguments writes.
  int result(cl_kernel kernel) {
    EXPECT_EQ(task(kernel), CL_SUCCESS);
    return readBuffer<int>(queue_, out_, 1)[0];
  }
  void setAll(cl_kernel kernel, int value) {
    setBuffer(kernel, 0, out_);
    setArgument(kernel, 1, value);
    EXPECT_EQ(clSetKernelArg(kernel, 2, 16 * sizeof(int), nullptr), CL_SUCCESS);
  }
  static KernelHolder clone(cl_kernel kernel) {
    cl_int error = 1;
    KernelHolder copy(clCloneKernel(kernel, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    EXPECT_NE(copy.get(), kernel);
    return copy;
  }
  static InfoCall info(cl_kernel kernel, cl_kernel_info parameter) {
    return [=](size_t size, void* value, size_t* sizeRet) {
      return clGetKernelInfo(kernel, parameter, size, value, sizeRet);
    };
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  ProgramHolder program_ =
      buildProgram(context_,
                   "kernel void k(global int* out, int value, local int* scratch) {"
                   "  scratch[15] = value; barrier(CLK_LOCAL_MEM_FENCE); out[0] = scratch[15]; }");
  MemoryHolder out_ = makeBuffer(context_, std::vector<int>{0});
};

TEST_F(KernelClone, IsAnEqualWithACountOfItsOwn) {
  const KernelHolder original = makeKernel(program_, "k");
  EXPECT_EQ(clRetainKernel(original), CL_SUCCESS);
  const KernelHolder copy = clone(original);
  EXPECT_EQ(infoValue<cl_uint>(info(copy, CL_KERNEL_REFERENCE_COUNT)), 1u);
  EXPECT_EQ(infoValue<cl_uint>(info(original, CL_KERNEL_REFERENCE_COUNT)), 2u);
  EXPECT_EQ(clReleaseKernel(original), CL_SUCCESS);
  for (const cl_kernel_info same : {CL_KERNEL_FUNCTION_NAME, CL_KERNEL_NUM_ARGS, CL_KERNEL_CONTEXT,
                                    CL_KERNEL_PROGRAM, CL_KERNEL_ATTRIBUTES})
    EXPECT_EQ(checkInfoRules(info(copy, same)), checkInfoRules(info(original, same))) << same;
  const KernelHolder another(clCloneKernel(original, nullptr));
  EXPECT_NE(another.get(), nullptr) << "the error code is not wanted";
}

TEST_F(KernelClone, HasTheArgumentsOfItsOrigin) {
  const KernelHolder original = makeKernel(program_, "k");
  const KernelHolder unset = clone(original);
  setAll(original, 1);
  EXPECT_EQ(task(unset), CL_INVALID_KERNEL_ARGS) << "what is set later is not for clones";
  const KernelHolder ready = clone(original);
  EXPECT_EQ(result(ready), 1);
  setArgument(ready, 1, 2);
  EXPECT_EQ(result(original), 1);
  setArgument(original, 1, 3);
  EXPECT_EQ(result(ready), 2);
  setAll(unset, 4);
  EXPECT_EQ(result(unset), 4);
}

TEST_F(KernelClone, OutlivesItsOriginAndKeepsTheProgram) {
  KernelHolder original = makeKernel(program_, "k");
  setAll(original, 5);
  KernelHolder copy = clone(original);
  original.reset();
  EXPECT_EQ(result(copy), 5);
  EXPECT_EQ(result(clone(copy)), 5);
  EXPECT_EQ(clBuildProgram(program_, 0, nullptr, "", nullptr, nullptr), CL_INVALID_OPERATION);
  copy.reset();
  EXPECT_EQ(clBuildProgram(program_, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
}

TEST_F(KernelClone, OfNoKernelIsNone) {
  for (const cl_kernel wrong : {cl_kernel{}, reinterpret_cast<cl_kernel>(program_.get())}) {
    cl_int error = 0;
    EXPECT_EQ(clCloneKernel(wrong, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_KERNEL);
    EXPECT_EQ(clCloneKernel(wrong, nullptr), nullptr);
  }
}

TEST_F(KernelClone, AFailedSetLeavesTheArguments) {
  const KernelHolder kernel = makeKernel(program_, "k");
  setAll(kernel, 6);
  const int value = 7;
  const ContextHolder otherContext = makeContext();
  const MemoryHolder foreign = makeBuffer(otherContext, std::vector<int>{0});
  const cl_mem memories[] = {foreign, reinterpret_cast<cl_mem>(queue_.get())};
  const struct {
    cl_uint index;
    size_t size;
    const void* argument;
    cl_int code;
  } rows[] = {
      {3, sizeof value, &value, CL_INVALID_ARG_INDEX},
      {0, sizeof(cl_mem), &memories[0], CL_INVALID_CONTEXT},
      {0, sizeof(cl_mem), &memories[1], CL_INVALID_MEM_OBJECT},
      {0, sizeof(cl_mem) - 1, &memories[0], CL_INVALID_ARG_SIZE},
      {0, 0, nullptr, CL_INVALID_ARG_SIZE},
      {1, sizeof value + 1, &value, CL_INVALID_ARG_SIZE},
      {1, sizeof value, nullptr, CL_INVALID_ARG_VALUE},
      {2, 0, &value, CL_INVALID_ARG_VALUE},
      {2, 64, &value, CL_INVALID_ARG_VALUE},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(clSetKernelArg(kernel, row.index, row.size, row.argument), row.code);
    EXPECT_EQ(result(kernel), 6) << row.code;
  }
  EXPECT_EQ(clSetKernelArg(nullptr, 0, sizeof value, &value), CL_INVALID_KERNEL);
}

}  // namespace
}  // namespace weft::test
