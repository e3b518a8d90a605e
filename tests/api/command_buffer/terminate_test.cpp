// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command buffers of a context that is terminated (cl_khr_terminate_context).
#include <CL/cl_ext.h>

#include "fixture.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

TEST(CommandBufferOfATerminatedContext, EndsAndRecordsNoMore) {
  const auto terminate = extensionFunction<clTerminateContextKHR_fn>("clTerminateContextKHR");
  ASSERT_NE(terminate, nullptr);
  const CommandBufferApi& api = commandBufferApi();
  const cl_context_properties properties[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  const cl_device_id on = device();
  const ContextHolder context(clCreateContext(properties, 1, &on, nullptr, nullptr, nullptr));
  ASSERT_NE(context.get(), nullptr);
  const QueueHolder queue = makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const MemoryHolder memory = makeBuffer(context, std::vector<cl_int>(16));
  const cl_command_queue handle = queue;
  const CommandBufferHolder buffer(api.clCreateCommandBufferKHR(1, &handle, nullptr, nullptr));
  const CommandBufferHolder recording(api.clCreateCommandBufferKHR(1, &handle, nullptr, nullptr));
  const cl_int value = 1;
  const auto fill = [&](khr::cl_command_buffer into) {
    return api.clCommandFillBufferKHR(into, nullptr, nullptr, memory, &value, 4, 0, 64, 0, nullptr,
                                      nullptr, nullptr);
  };
  ASSERT_EQ(fill(buffer), CL_SUCCESS);
  ASSERT_EQ(api.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
  const EventHolder gate = makeUserEvent(context);
  const cl_event gateHandle = gate;
  cl_event held = nullptr, lazy = nullptr;
  ASSERT_EQ(api.clEnqueueCommandBufferKHR(0, nullptr, buffer, 1, &gateHandle, &held), CL_SUCCESS);
  ASSERT_EQ(api.clEnqueueCommandBufferKHR(0, nullptr, buffer, 0, nullptr, &lazy), CL_SUCCESS);
  const EventHolder heldHolder(held), lazyHolder(lazy);

  ASSERT_EQ(terminate(context), CL_SUCCESS);
  EXPECT_EQ(executionStatus(held), CL_CONTEXT_TERMINATED_KHR);
  clFinish(queue);
  // It may have been over before.
  const cl_int ended = executionStatus(lazy);
  EXPECT_TRUE(ended == CL_COMPLETE || ended == CL_CONTEXT_TERMINATED_KHR) << ended;
  EXPECT_EQ(fill(recording), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(api.clEnqueueCommandBufferKHR(0, nullptr, buffer, 0, nullptr, nullptr),
            CL_CONTEXT_TERMINATED_KHR);
}

}  // namespace
}  // namespace weft::test
