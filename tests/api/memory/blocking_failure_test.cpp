// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <functional>
#include <vector>

#include "support/objects.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

constexpr size_t kSize = 1024;

/// A blocking call says that an event of its wait list has failed, moves no byte and gives no
/// event.
TEST(BlockingTransfer, TellsOfFailedEventsInItsWaitList) {
  const ContextHolder context = makeContext();
  const std::vector<unsigned char> before(kSize, 1);
  const MemoryHolder buffer(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, kSize,
                                           const_cast<unsigned char*>(before.data()), nullptr));
  std::vector<unsigned char> host(kSize, 2);
  const size_t zero[3] = {}, region[3] = {16, 4, 1};
  const std::vector<EnqueueCall> calls{
      {"ReadBuffer", CL_COMMAND_READ_BUFFER,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueReadBuffer(q, buffer, CL_TRUE, 0, kSize, host.data(), count, list, event);
       }},
      {"WriteBuffer", CL_COMMAND_WRITE_BUFFER,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueWriteBuffer(q, buffer, CL_TRUE, 0, kSize, host.data(), count, list, event);
       }},
      {"ReadBufferRect", CL_COMMAND_READ_BUFFER_RECT,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueReadBufferRect(q, buffer, CL_TRUE, zero, zero, region, 0, 0, 0, 0,
                                        host.data(), count, list, event);
       }},
      {"WriteBufferRect", CL_COMMAND_WRITE_BUFFER_RECT,
       [&](auto q, auto count, auto* list, auto* event) {
         return clEnqueueWriteBufferRect(q, buffer, CL_TRUE, zero, zero, region, 0, 0, 0, 0,
                                         host.data(), count, list, event);
       }},
  };
  const EventHolder failed = makeUserEvent(context);
  ASSERT_EQ(clSetUserEventStatus(failed, -42), CL_SUCCESS);
  const EventHolder done = makeUserEvent(context);
  ASSERT_EQ(clSetUserEventStatus(done, CL_COMPLETE), CL_SUCCESS);
  const cl_event list[] = {done, failed};
  for (const cl_command_queue_properties order :
       {cl_command_queue_properties{0},
        cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
    const QueueHolder queue = makeQueue(context, order);
    for (const EnqueueCall& call : calls) {
      cl_event event = nullptr;
      EXPECT_EQ(call.enqueue(queue, 2, list, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
          << call.name;
      EXPECT_EQ(event, nullptr) << call.name;
      EXPECT_EQ(call.enqueue(queue, 2, list, nullptr), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
          << call.name;
    }
    EXPECT_EQ(host, std::vector<unsigned char>(kSize, 2));
    std::vector<unsigned char> after(kSize);
    EXPECT_EQ(
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kSize, after.data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(after, before);
  }
}

}  // namespace
}  // namespace weft::test
