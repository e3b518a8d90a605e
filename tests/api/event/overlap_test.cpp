// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands that do not depend on each other run at the same time: each of two kernels waits until
// the other has begun. One that waits in vain gives up, so a failure does not hang.
#include "support/programs.h"

namespace weft::test {
namespace {

constexpr const char* kSource =
    "kernel void meet(volatile global int* p, int me) {\n"
    "  atomic_xchg(p + me, 1);\n"
    "  for (ulong i = 0; i < 2000000000UL; ++i)\n"
    "    if (atomic_or(p + (1 - me), 0) != 0) {\n"
    "      p[2 + me] = 1;\n"
    "      return;\n"
    "    }\n"
    "}\n";

class OverlapTest : public testing::Test {
 protected:
  void SetUp() override {
    cl_uint units = 0;
    EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr),
              CL_SUCCESS);
    if (units < 2) GTEST_SKIP() << "one compute unit runs one command at a time";
  }
  void launch(cl_command_queue queue, cl_int me) {
    setBuffer(kernel, 0, buffer);
    setArgument(kernel, 1, me);
    const size_t one = 1;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
  }

  ContextHolder context = makeContext();
  ProgramHolder program = buildProgram(context, kSource);
  KernelHolder kernel = makeKernel(program, "meet");
  MemoryHolder buffer = makeBuffer(context, std::vector<cl_int>(4, 0));
  const std::vector<cl_int> met = {1, 1, 1, 1};
};

TEST_F(OverlapTest, CommandsOfOneOutOfOrderQueue) {
  const QueueHolder queue = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  launch(queue, 0);
  launch(queue, 1);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(readBuffer<cl_int>(queue, buffer, 4), met);
}

TEST_F(OverlapTest, CommandsOfTwoInOrderQueues) {
  const QueueHolder first = makeQueue(context);
  const QueueHolder second = makeQueue(context);
  launch(first, 0);
  launch(second, 1);
  EXPECT_EQ(clFlush(second), CL_SUCCESS);
  EXPECT_EQ(clFinish(first), CL_SUCCESS);
  EXPECT_EQ(clFinish(second), CL_SUCCESS);
  EXPECT_EQ(readBuffer<cl_int>(first, buffer, 4), met);
}

}  // namespace
}  // namespace weft::test
