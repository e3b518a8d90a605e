// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_khr_terminate_context.
#include <atomic>
#include <chrono>
#include <thread>

#include "support/programs.h"
#include "support/semaphores.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

cl_int terminate(cl_context context) {
  return extensionFunction<clTerminateContextKHR_fn>("clTerminateContextKHR")(context);
}

class TerminateTest : public testing::Test {
 protected:
  static ContextHolder terminable(std::atomic<int>* notified = nullptr) {
    const cl_context_properties list[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
    const cl_device_id only = device();
    cl_int error = CL_INVALID_VALUE;
    const auto notify = [](const char*, const void*, size_t, void* count) {
      if (count) ++*static_cast<std::atomic<int>*>(count);
    };
    ContextHolder context(clCreateContext(list, 1, &only, notify, notified, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return context;
  }
  EventHolder native(cl_command_queue queue, void(CL_CALLBACK* function)(void*), void* argument,
                     const std::vector<cl_event>& waits = {}) {
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNativeKernel(queue, function, &argument, sizeof argument, 0, nullptr,
                                    nullptr, static_cast<cl_uint>(waits.size()),
                                    waits.empty() ? nullptr : waits.data(), &event),
              CL_SUCCESS);
    return EventHolder(event);
  }
  static void waitFor(const std::atomic<int>& value, int wanted) {
    for (int i = 0; i < 20000 && value < wanted; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_GE(value, wanted);
  }

  /// The notification of a context may come after the test has ended, and needs its counter.
  void TearDown() override {
    terminate(context);
    waitFor(notified, 1);
  }

  std::atomic<int> notified{0};
  ContextHolder context = terminable(&notified);
  QueueHolder queue = makeQueue(context);
};

TEST_F(TerminateTest, Rules) {
  const ContextHolder ordinary = makeContext();
  EXPECT_EQ(terminate(nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(terminate(reinterpret_cast<cl_context>(queue.get())), CL_INVALID_CONTEXT);
  EXPECT_EQ(terminate(ordinary), CL_INVALID_OPERATION);
  EXPECT_EQ(terminate(context), CL_SUCCESS);
  EXPECT_EQ(terminate(context), CL_CONTEXT_TERMINATED_KHR);
  waitFor(notified, 1);
  const cl_device_id only = device();
  const cl_context_properties wrong[] = {CL_CONTEXT_TERMINATE_KHR, 7, 0};
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateContext(wrong, 1, &only, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROPERTY);
}

TEST_F(TerminateTest, NothingIsMadeOrEnqueuedAnyMore) {
  const MemoryHolder buffer(clCreateBuffer(context, 0, 4096, nullptr, nullptr));
  const ProgramHolder program = buildProgram(context, "kernel void k() {}");
  const KernelHolder kernel = makeKernel(program, "k");
  const EventHolder user = makeUserEvent(context);
  const SemaphoreHolder semaphore = makeSemaphore(context);
  ASSERT_EQ(terminate(context), CL_SUCCESS);

  cl_int error = CL_SUCCESS;
  const auto refused = [&](auto* object) {
    EXPECT_EQ(object, nullptr);
    EXPECT_EQ(error, CL_CONTEXT_TERMINATED_KHR);
    error = CL_SUCCESS;
  };
  const char* source = "kernel void k() {}";
  const cl_buffer_region region{0, 128};
  const cl_semaphore_properties_khr type[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                              0};
  refused(clCreateBuffer(context, 0, 64, nullptr, &error));
  refused(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  refused(clCreateCommandQueueWithProperties(context, device(), nullptr, &error));
  refused(clCreateProgramWithSource(context, 1, &source, nullptr, &error));
  refused(clCreateKernel(program, "k", &error));
  refused(clCloneKernel(kernel, &error));
  refused(clCreateUserEvent(context, &error));
  refused(semaphores().create(context, type, &error));
  EXPECT_EQ(clSetContextDestructorCallback(
                context, [](cl_context, void*) {}, nullptr),
            CL_CONTEXT_TERMINATED_KHR);

  char byte = 0;
  const size_t one = 1;
  const cl_event list[] = {user};
  const cl_semaphore_khr signal[] = {semaphore};
  cl_event event = nullptr;
  for (const cl_int code :
       {clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, &event),
        clEnqueueTask(queue, kernel, 0, nullptr, &event),
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1, &byte, 0, nullptr, &event),
        clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 1, &byte, 0, nullptr, &event),
        clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event), clEnqueueMarker(queue, &event),
        clEnqueueBarrier(queue), clEnqueueWaitForEvents(queue, 1, list),
        semaphores().signal(queue, 1, signal, nullptr, 0, nullptr, &event)})
    EXPECT_EQ(code, CL_CONTEXT_TERMINATED_KHR);
  clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 1, 0, nullptr, &event, &error);
  EXPECT_EQ(error, CL_CONTEXT_TERMINATED_KHR);
  EXPECT_EQ(event, nullptr);

  // What is left: queries, reference counts, destructor callbacks of memory objects.
  cl_uint count = 0;
  EXPECT_EQ(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clRetainContext(context), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  EXPECT_EQ(clSetMemObjectDestructorCallback(buffer, [](cl_mem, void*) {}, nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(TerminateTest, WaitingCommandsEndAtOnceWithTheirCallbacks) {
  const QueueHolder profiled =
      makeQueue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  const EventHolder gate = makeUserEvent(context);
  const SemaphoreHolder semaphore = makeSemaphore(context);
  std::atomic<int> ran{0};
  const auto count = [](void* argument) { ++**static_cast<std::atomic<int>**>(argument); };
  std::vector<EventHolder> events;
  events.push_back(native(queue, count, &ran, {gate}));
  for (int i = 0; i < 200; ++i) events.push_back(native(queue, count, &ran));
  events.push_back(native(profiled, count, &ran, {events.back(), gate}));
  events.push_back(enqueueWait(profiled, {semaphore}));
  events.push_back(enqueueSignal(profiled, {semaphore}, {gate}));
  cl_event barrier = nullptr;
  EXPECT_EQ(clEnqueueBarrierWithWaitList(profiled, 0, nullptr, &barrier), CL_SUCCESS);
  events.emplace_back(barrier);
  events.push_back(native(profiled, count, &ran));
  std::atomic<int> called{0};
  for (const EventHolder& event : events) {
    const auto callback = [](cl_event, cl_int status, void* counter) {
      if (status == CL_CONTEXT_TERMINATED_KHR) ++*static_cast<std::atomic<int>*>(counter);
    };
    EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, callback, &called), CL_SUCCESS);
  }
  std::thread waiter([&] {
    const cl_event last = events[100];
    EXPECT_EQ(clWaitForEvents(1, &last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    const cl_event user = gate;
    EXPECT_EQ(clWaitForEvents(1, &user), CL_CONTEXT_TERMINATED_KHR);
  });
  std::thread finisher([&] { EXPECT_EQ(clFinish(profiled), CL_SUCCESS); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // more likely asleep; not needed
  EXPECT_EQ(terminate(context), CL_SUCCESS);
  waiter.join();
  finisher.join();
  for (const EventHolder& event : events) {
    EXPECT_EQ(executionStatus(event), CL_CONTEXT_TERMINATED_KHR);
    EXPECT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 0, nullptr, nullptr),
              CL_PROFILING_INFO_NOT_AVAILABLE);
  }
  waitFor(called, static_cast<int>(events.size()));
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(executionStatus(gate), CL_COMPLETE);
}

TEST_F(TerminateTest, RunningKernelEndsBetweenItsParts) {
  // Every group counts itself in and waits for the host, which terminates after the first.
  std::vector<cl_int> shared(2, 0);
  const MemoryHolder buffer(clCreateBuffer(context, CL_MEM_USE_HOST_PTR,
                                           shared.size() * sizeof(cl_int), shared.data(), nullptr));
  const ProgramHolder program = buildProgram(context,
                                             "kernel void k(volatile global int* p) {\n"
                                             "  atomic_inc(p);\n"
                                             "  while (atomic_or(p + 1, 0) == 0) ;\n"
                                             "}\n");
  const KernelHolder kernel = makeKernel(program, "k");
  setBuffer(kernel, 0, buffer);
  constexpr size_t kGroups = 4096, kItems = 1;
  cl_event handle = nullptr;
  ASSERT_EQ(
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kGroups, &kItems, 0, nullptr, &handle),
      CL_SUCCESS);
  const EventHolder event(handle);
  ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  std::atomic_ref<cl_int> begun(shared[0]), leave(shared[1]);
  for (int i = 0; i < 20000 && begun == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_NE(begun, 0);
  EXPECT_EQ(terminate(context), CL_SUCCESS);
  EXPECT_EQ(executionStatus(event), CL_RUNNING);
  leave = 1;
  EXPECT_EQ(clWaitForEvents(1, &handle), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(executionStatus(event), CL_CONTEXT_TERMINATED_KHR);
  EXPECT_LT(begun, static_cast<cl_int>(kGroups));
}

TEST_F(TerminateTest, OtherContextsGoOn) {
  const ContextHolder other = terminable();
  const QueueHolder otherQueue = makeQueue(other);
  const EventHolder gate = makeUserEvent(other);
  std::atomic<int> ran{0};
  const EventHolder event =
      native(otherQueue, [](void* argument) { ++**static_cast<std::atomic<int>**>(argument); },
             &ran, {gate});
  EXPECT_EQ(terminate(context), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(otherQueue), CL_SUCCESS);
  EXPECT_EQ(ran, 1);
}

TEST_F(TerminateTest, RacesWithThreadsThatEnqueue) {
  for (int round = 0; round < 30; ++round) {
    const ContextHolder own = terminable();
    const QueueHolder inOrder = makeQueue(own);
    const QueueHolder free = makeQueue(own, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&, t] {
        cl_int code = CL_SUCCESS;
        for (int i = 0; code == CL_SUCCESS; ++i) {
          cl_event event = nullptr;
          char nothing = 0;
          code = clEnqueueNativeKernel((i + t) % 2 ? inOrder : free, [](void*) {}, &nothing, 1, 0,
                                       nullptr, nullptr, 0, nullptr, &event);
          if (code != CL_SUCCESS) break;
          const EventHolder holder(event);
          if (i % 5 == 0) clWaitForEvents(1, &event);
        }
        EXPECT_EQ(code, CL_CONTEXT_TERMINATED_KHR);
      });
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(terminate(own), CL_SUCCESS);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(clFinish(inOrder), CL_SUCCESS);
    EXPECT_EQ(clFinish(free), CL_SUCCESS);
  }
}

}  // namespace
}  // namespace weft::test
