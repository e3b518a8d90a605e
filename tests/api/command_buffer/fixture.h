// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "support/extensions.h"
#include "support/objects.h"
#include "support/programs.h"
#include "weft/khr/command_buffer.h"

/// Command buffers as applications see them: every function is asked for by name.
namespace weft::test {

/// The functions of the extensions.
struct CommandBufferApi {
#define WEFT_FUNCTION(name) \
  decltype(&khr::name) name = extensionFunction<decltype(&khr::name)>(#name)
  WEFT_FUNCTION(clCreateCommandBufferKHR);
  WEFT_FUNCTION(clRetainCommandBufferKHR);
  WEFT_FUNCTION(clReleaseCommandBufferKHR);
  WEFT_FUNCTION(clFinalizeCommandBufferKHR);
  WEFT_FUNCTION(clEnqueueCommandBufferKHR);
  WEFT_FUNCTION(clGetCommandBufferInfoKHR);
  WEFT_FUNCTION(clCommandBarrierWithWaitListKHR);
  WEFT_FUNCTION(clCommandCopyBufferKHR);
  WEFT_FUNCTION(clCommandCopyBufferRectKHR);
  WEFT_FUNCTION(clCommandCopyBufferToImageKHR);
  WEFT_FUNCTION(clCommandCopyImageKHR);
  WEFT_FUNCTION(clCommandCopyImageToBufferKHR);
  WEFT_FUNCTION(clCommandFillBufferKHR);
  WEFT_FUNCTION(clCommandFillImageKHR);
  WEFT_FUNCTION(clCommandNDRangeKernelKHR);
  WEFT_FUNCTION(clCommandSVMMemcpyKHR);
  WEFT_FUNCTION(clCommandSVMMemFillKHR);
  WEFT_FUNCTION(clUpdateMutableCommandsKHR);
  WEFT_FUNCTION(clGetMutableCommandInfoKHR);
#undef WEFT_FUNCTION
};

inline const CommandBufferApi& commandBufferApi() {
  static const CommandBufferApi functions;
  return functions;
}

inline cl_int releaseCommandBuffer(khr::cl_command_buffer buffer) {
  return commandBufferApi().clReleaseCommandBufferKHR(buffer);
}
using CommandBufferHolder = Holder<khr::cl_command_buffer, releaseCommandBuffer>;

using Properties = std::vector<cl_properties>;

/// A context, a queue, and short ways to record and replay.
class CommandBufferTest : public testing::Test {
 protected:
  const CommandBufferApi& api = commandBufferApi();
  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);

  CommandBufferHolder make(const Properties& properties = {}) { return make(queue, properties); }
  CommandBufferHolder make(cl_command_queue forQueue, const Properties& properties = {}) {
    cl_int error = CL_INVALID_VALUE;
    CommandBufferHolder buffer(api.clCreateCommandBufferKHR(
        1, &forQueue, properties.empty() ? nullptr : properties.data(), &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return buffer;
  }
  CommandBufferHolder makeMutable() {
    return make({khr::kCommandBufferFlags, khr::kCommandBufferMutable, 0});
  }

  MemoryHolder ints(std::vector<cl_int> values) { return makeBuffer(context, values); }
  MemoryHolder zeros(size_t count) { return ints(std::vector<cl_int>(count)); }

  using Points = std::vector<khr::cl_sync_point>;

  /// Each records one command and gives its sync point.
  khr::cl_sync_point copy(khr::cl_command_buffer buffer, cl_mem from, cl_mem to, size_t bytes,
                          const Points& waits = {}) {
    khr::cl_sync_point point = 0;
    EXPECT_EQ(api.clCommandCopyBufferKHR(buffer, nullptr, nullptr, from, to, 0, 0, bytes,
                                         count(waits), list(waits), &point, nullptr),
              CL_SUCCESS);
    return point;
  }
  khr::cl_sync_point fill(khr::cl_command_buffer buffer, cl_mem to, cl_int value, size_t bytes,
                          const Points& waits = {}) {
    khr::cl_sync_point point = 0;
    EXPECT_EQ(api.clCommandFillBufferKHR(buffer, nullptr, nullptr, to, &value, sizeof value, 0,
                                         bytes, count(waits), list(waits), &point, nullptr),
              CL_SUCCESS);
    return point;
  }
  khr::cl_sync_point barrier(khr::cl_command_buffer buffer, const Points& waits = {}) {
    khr::cl_sync_point point = 0;
    EXPECT_EQ(api.clCommandBarrierWithWaitListKHR(buffer, nullptr, nullptr, count(waits),
                                                  list(waits), &point, nullptr),
              CL_SUCCESS);
    return point;
  }
  khr::cl_sync_point launch(khr::cl_command_buffer buffer, cl_kernel kernel, size_t items,
                            const Points& waits = {}, khr::cl_mutable_command* handle = nullptr,
                            const Properties& properties = {}) {
    khr::cl_sync_point point = 0;
    EXPECT_EQ(api.clCommandNDRangeKernelKHR(
                  buffer, nullptr, properties.empty() ? nullptr : properties.data(), kernel, 1,
                  nullptr, &items, nullptr, count(waits), list(waits), &point, handle),
              CL_SUCCESS);
    return point;
  }
  void finalize(khr::cl_command_buffer buffer) {
    EXPECT_EQ(api.clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
  }
  cl_int replay(khr::cl_command_buffer buffer) {
    return api.clEnqueueCommandBufferKHR(0, nullptr, buffer, 0, nullptr, nullptr);
  }
  EventHolder replayWithEvent(khr::cl_command_buffer buffer, cl_command_queue on = nullptr,
                              const std::vector<cl_event>& waits = {}) {
    cl_event event = nullptr;
    EXPECT_EQ(api.clEnqueueCommandBufferKHR(on ? 1 : 0, on ? &on : nullptr, buffer,
                                            static_cast<cl_uint>(waits.size()),
                                            waits.empty() ? nullptr : waits.data(), &event),
              CL_SUCCESS);
    return EventHolder(event);
  }
  khr::cl_command_buffer_state state(khr::cl_command_buffer buffer) {
    khr::cl_command_buffer_state found = 99;
    EXPECT_EQ(api.clGetCommandBufferInfoKHR(buffer, khr::kCommandBufferState, sizeof found, &found,
                                            nullptr),
              CL_SUCCESS);
    return found;
  }
  std::vector<cl_int> read(cl_mem buffer, size_t count) {
    return readBuffer<cl_int>(queue, buffer, count);
  }

  static cl_uint count(const Points& points) { return static_cast<cl_uint>(points.size()); }
  static const khr::cl_sync_point* list(const Points& points) {
    return points.empty() ? nullptr : points.data();
  }
};

}  // namespace weft::test
