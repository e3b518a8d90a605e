// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the application that commands call, and that wait for other commands.
#include <atomic>
#include <vector>

#include "support/objects.h"

namespace weft::test {
namespace {

/// What a native kernel does: counts, and has another queue do the same before it returns.
struct Task {
  cl_command_queue queue;
  std::atomic<int>* count;
  int depth;  ///< how many more are to be waited for, one in the other
};

void CL_CALLBACK countAndWait(void* arguments) {
  Task task = *static_cast<Task*>(arguments);
  ++*task.count;
  if (task.depth-- == 0) return;
  cl_event event = nullptr;
  EXPECT_EQ(clEnqueueNativeKernel(task.queue, countAndWait, &task, sizeof task, 0, nullptr, nullptr,
                                  0, nullptr, &event),
            CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
}

class NativeWaitStressTest : public testing::Test {
 protected:
  static constexpr int kTasks = 40;
  static constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context, kOutOfOrder);
  QueueHolder other = makeQueue(context, kOutOfOrder);
};

// More of them than there are compute units, so that nobody could run what they wait for if each
// kept its own.
TEST_F(NativeWaitStressTest, NativeKernelsWaitForOtherQueues) {
  for (const int depth : {1, 4}) {
    std::atomic<int> count{0};
    Task task{other, &count, depth};
    for (int i = 0; i < kTasks; ++i)
      ASSERT_EQ(clEnqueueNativeKernel(queue, countAndWait, &task, sizeof task, 0, nullptr, nullptr,
                                      0, nullptr, nullptr),
                CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(count, kTasks * (depth + 1));
  }
}

TEST_F(NativeWaitStressTest, NativeKernelsWaitForUserEvents) {
  cl_int error = CL_INVALID_VALUE;
  const EventHolder gate(clCreateUserEvent(context, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  cl_event waited = gate;
  for (int i = 0; i < kTasks; ++i)
    ASSERT_EQ(clEnqueueNativeKernel(
                  queue,
                  [](void* arguments) {
                    EXPECT_EQ(clWaitForEvents(1, static_cast<cl_event*>(arguments)), CL_SUCCESS);
                  },
                  &waited, sizeof waited, 0, nullptr, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
  ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  // Another command gets its turn, and sets all free.
  ASSERT_EQ(clEnqueueNativeKernel(
                other,
                [](void* arguments) {
                  EXPECT_EQ(clSetUserEventStatus(*static_cast<cl_event*>(arguments), CL_COMPLETE),
                            CL_SUCCESS);
                },
                &waited, sizeof waited, 0, nullptr, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clFlush(other), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(clFinish(other), CL_SUCCESS);
}

TEST_F(NativeWaitStressTest, FreeingFunctionsWaitForOtherQueues) {
  std::atomic<int> count{0};
  Task task{other, &count, 1};
  for (int i = 0; i < kTasks; ++i) {
    void* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    ASSERT_NE(memory, nullptr);
    ASSERT_EQ(clEnqueueSVMFree(
                  queue, 1, &memory,
                  [](cl_command_queue on, cl_uint, void* pointers[], void* argument) {
                    countAndWait(argument);
                    cl_context its = nullptr;
                    EXPECT_EQ(
                        clGetCommandQueueInfo(on, CL_QUEUE_CONTEXT, sizeof its, &its, nullptr),
                        CL_SUCCESS);
                    clSVMFree(its, pointers[0]);
                  },
                  &task, 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(count, 2 * kTasks);
}

}  // namespace
}  // namespace weft::test
