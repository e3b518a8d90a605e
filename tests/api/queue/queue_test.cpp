// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_ext.h>

#include <vector>

#include "support/info_query.h"
#include "support/objects.h"

namespace weft::test {
namespace {

class QueueTest : public testing::Test {
 protected:
  template <class T>
  static T info(cl_command_queue queue, cl_command_queue_info name) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetCommandQueueInfo(queue, name, size, value, sizeRet);
    });
  }
  ContextHolder context = makeContext();
};

TEST_F(QueueTest, CreationRules) {
  constexpr cl_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  using List = std::vector<cl_queue_properties>;
  const struct {
    List list;
    cl_int code;
  } rows[] = {
      {{0}, CL_SUCCESS},
      {{CL_QUEUE_PROPERTIES, 0, 0}, CL_SUCCESS},
      {{CL_QUEUE_PROPERTIES, kOutOfOrder | CL_QUEUE_PROFILING_ENABLE, 0}, CL_SUCCESS},
      {{CL_QUEUE_PROPERTIES, 1 << 10, 0}, CL_INVALID_VALUE},
      {{0x4321, 0, 0}, CL_INVALID_VALUE},
      {{CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0}, CL_INVALID_VALUE},
      {{CL_QUEUE_SIZE, 1024, 0}, CL_INVALID_VALUE},
      {{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}, CL_INVALID_VALUE},
      {{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT | kOutOfOrder, 0}, CL_INVALID_VALUE},
      {{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | kOutOfOrder, CL_QUEUE_SIZE, 1024, 0}, CL_SUCCESS},
      {{CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR, 0}, CL_SUCCESS},
      {{CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_MED_KHR, 0}, CL_SUCCESS},
      {{CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR,
        CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_LOW_KHR, 0},
       CL_SUCCESS},
      {{CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_MED_KHR, 0}, CL_SUCCESS},
      {{CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_HIGH_KHR, 0}, CL_SUCCESS},
      {{CL_QUEUE_PRIORITY_KHR, 0, 0}, CL_INVALID_VALUE},
      {{CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR | CL_QUEUE_PRIORITY_LOW_KHR, 0},
       CL_INVALID_VALUE},
      {{CL_QUEUE_THROTTLE_KHR, 8, 0}, CL_INVALID_VALUE},
      {{CL_QUEUE_THROTTLE_KHR, CL_QUEUE_THROTTLE_LOW_KHR, CL_QUEUE_THROTTLE_KHR,
        CL_QUEUE_THROTTLE_LOW_KHR, 0},
       CL_INVALID_VALUE},
      {{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | kOutOfOrder, CL_QUEUE_PRIORITY_KHR,
        CL_QUEUE_PRIORITY_HIGH_KHR, 0},
       CL_INVALID_QUEUE_PROPERTIES},
      {{CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | kOutOfOrder, CL_QUEUE_THROTTLE_KHR,
        CL_QUEUE_THROTTLE_LOW_KHR, 0},
       CL_INVALID_QUEUE_PROPERTIES},
  };
  for (const auto& row : rows) {
    cl_int error = CL_INVALID_OPERATION;
    const QueueHolder queue(
        clCreateCommandQueueWithProperties(context, device(), row.list.data(), &error));
    EXPECT_EQ(error, row.code);
    EXPECT_EQ(queue.get() != nullptr, row.code == CL_SUCCESS);
    if (!queue.get()) continue;
    EXPECT_EQ(infoList<cl_queue_properties>([&](size_t size, void* value, size_t* sizeRet) {
                return clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, size, value,
                                             sizeRet);
              }),
              row.list);
  }
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateCommandQueueWithProperties(nullptr, device(), nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateCommandQueue(context, device(), cl_bitfield{1} << 20, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateCommandQueue(nullptr, device(), 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateCommandQueue(context, reinterpret_cast<cl_device_id>(context.get()), 0, &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
}

TEST_F(QueueTest, AnswersEveryQuery) {
  const QueueHolder queue(
      clCreateCommandQueue(context, device(), CL_QUEUE_PROFILING_ENABLE, nullptr));
  EXPECT_EQ(info<cl_context>(queue, CL_QUEUE_CONTEXT), context.get());
  EXPECT_EQ(info<cl_device_id>(queue, CL_QUEUE_DEVICE), device());
  EXPECT_EQ(info<cl_uint>(queue, CL_QUEUE_REFERENCE_COUNT), 1u);
  EXPECT_EQ(info<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES),
            cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
  EXPECT_EQ(info<cl_command_queue>(queue, CL_QUEUE_DEVICE_DEFAULT), nullptr);
  size_t size = 1;
  EXPECT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 0, nullptr, &size),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clGetCommandQueueInfo(queue, 0x9999, 0, nullptr, &size), CL_INVALID_VALUE);
}

TEST_F(QueueTest, HandlesOfOtherKindsAreRefused) {
  for (const cl_command_queue wrong :
       {cl_command_queue{nullptr}, reinterpret_cast<cl_command_queue>(context.get())}) {
    EXPECT_EQ(clRetainCommandQueue(wrong), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clReleaseCommandQueue(wrong), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clFlush(wrong), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clFinish(wrong), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clGetCommandQueueInfo(wrong, CL_QUEUE_CONTEXT, 0, nullptr, nullptr),
              CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clSetCommandQueueProperty(wrong, 0, CL_TRUE, nullptr), CL_INVALID_COMMAND_QUEUE);
  }
  const QueueHolder queue = makeQueue(context);
  EXPECT_EQ(clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, nullptr),
            CL_INVALID_OPERATION);
}

TEST_F(QueueTest, RetainAndReleaseCount) {
  const QueueHolder queue = makeQueue(context);
  EXPECT_EQ(clRetainCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(info<cl_uint>(queue, CL_QUEUE_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseCommandQueue(queue), CL_SUCCESS);
  EXPECT_EQ(info<cl_uint>(queue, CL_QUEUE_REFERENCE_COUNT), 1u);
}

TEST_F(QueueTest, EmptyQueueFinishes) {
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    const QueueHolder queue = makeQueue(context, properties);
    EXPECT_EQ(clFlush(queue), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  }
}

}  // namespace
}  // namespace weft::test
