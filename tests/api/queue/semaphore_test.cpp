// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_khr_semaphore.
#include "support/semaphores.h"

#include <thread>

#include "support/info_query.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

constexpr cl_semaphore_properties_khr kType[] = {CL_SEMAPHORE_TYPE_KHR,
                                                 CL_SEMAPHORE_TYPE_BINARY_KHR};

class SemaphoreTest : public testing::TestWithParam<cl_command_queue_properties> {
 protected:
  QueueHolder newQueue() { return makeQueue(context, GetParam()); }
  cl_int createError(const std::vector<cl_semaphore_properties_khr>& list) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(semaphores().create(context, list.data(), &error), nullptr);
    return error;
  }

  ContextHolder context = makeContext();
};

INSTANTIATE_TEST_SUITE_P(Queues, SemaphoreTest,
                         testing::Values(cl_command_queue_properties{0},
                                         cl_command_queue_properties{
                                             CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}));

TEST(Semaphores, AreReported) {
  const auto types = infoList<cl_semaphore_type_khr>([](size_t size, void* value, size_t* ret) {
    return clGetPlatformInfo(platform(), CL_PLATFORM_SEMAPHORE_TYPES_KHR, size, value, ret);
  });
  EXPECT_EQ(types, std::vector<cl_semaphore_type_khr>{CL_SEMAPHORE_TYPE_BINARY_KHR});
  const auto ofDevice = infoList<cl_semaphore_type_khr>([](size_t size, void* value, size_t* ret) {
    return clGetDeviceInfo(device(), CL_DEVICE_SEMAPHORE_TYPES_KHR, size, value, ret);
  });
  EXPECT_EQ(ofDevice, types);
}

TEST_P(SemaphoreTest, PropertyRules) {
  const auto self = reinterpret_cast<cl_semaphore_properties_khr>(device());
  const auto other = reinterpret_cast<cl_semaphore_properties_khr>(context.get());
  const auto list = khr::kSemaphoreDeviceHandleList;
  EXPECT_EQ(createError({0}), CL_INVALID_VALUE);
  EXPECT_EQ(createError({list, self, 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(createError({kType[0], 7, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(createError({kType[0], kType[1], kType[0], kType[1], 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(createError({kType[0], kType[1], 0x7777, 1, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(createError({kType[0], kType[1], list, self, 0, list, self, 0, 0}),
            CL_INVALID_PROPERTY);
  EXPECT_EQ(createError({kType[0], kType[1], list, 0, 0}), CL_INVALID_DEVICE);
  EXPECT_EQ(createError({kType[0], kType[1], list, self, self, 0, 0}), CL_INVALID_DEVICE);
  EXPECT_EQ(createError({kType[0], kType[1], list, other, 0, 0}), CL_INVALID_DEVICE);
  EXPECT_EQ(createError({kType[0], kType[1], list, 12345, 0, 0}), CL_INVALID_DEVICE);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(semaphores().create(context, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(semaphores().create(nullptr, kType, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
}

TEST_P(SemaphoreTest, AnswersEveryQuery) {
  const auto self = reinterpret_cast<cl_semaphore_properties_khr>(device());
  const std::vector<cl_semaphore_properties_khr> given = {
      kType[0], kType[1], khr::kSemaphoreDeviceHandleList, self, 0, 0};
  const SemaphoreHolder semaphore(semaphores().create(context, given.data(), nullptr));
  const auto call = [&](cl_semaphore_info_khr name) {
    return [&semaphore, name](size_t size, void* value, size_t* sizeRet) {
      return semaphores().info(semaphore, name, size, value, sizeRet);
    };
  };
  EXPECT_EQ(infoValue<cl_context>(call(CL_SEMAPHORE_CONTEXT_KHR)), context.get());
  EXPECT_EQ(infoValue<cl_uint>(call(CL_SEMAPHORE_REFERENCE_COUNT_KHR)), 1u);
  EXPECT_EQ(infoList<cl_semaphore_properties_khr>(call(CL_SEMAPHORE_PROPERTIES_KHR)), given);
  EXPECT_EQ(infoValue<cl_semaphore_type_khr>(call(CL_SEMAPHORE_TYPE_KHR)),
            cl_semaphore_type_khr{CL_SEMAPHORE_TYPE_BINARY_KHR});
  EXPECT_EQ(infoValue<cl_semaphore_payload_khr>(call(CL_SEMAPHORE_PAYLOAD_KHR)), 0u);
  EXPECT_EQ(infoList<cl_device_id>(call(khr::kSemaphoreDeviceHandleList)),
            std::vector<cl_device_id>{device()});
  EXPECT_EQ(semaphores().info(semaphore, 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(semaphores().retain(semaphore), CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_uint>(call(CL_SEMAPHORE_REFERENCE_COUNT_KHR)), 2u);
  EXPECT_EQ(semaphores().release(semaphore), CL_SUCCESS);
  const auto wrong = reinterpret_cast<cl_semaphore_khr>(context.get());
  for (const cl_semaphore_khr handle : {cl_semaphore_khr{nullptr}, wrong}) {
    EXPECT_EQ(semaphores().retain(handle), CL_INVALID_SEMAPHORE_KHR);
    EXPECT_EQ(semaphores().release(handle), CL_INVALID_SEMAPHORE_KHR);
    EXPECT_EQ(semaphores().info(handle, CL_SEMAPHORE_TYPE_KHR, 0, nullptr, nullptr),
              CL_INVALID_SEMAPHORE_KHR);
  }
}

TEST_P(SemaphoreTest, EnqueueRules) {
  const QueueHolder queue = newQueue();
  const SemaphoreHolder semaphore = makeSemaphore(context);
  const ContextHolder otherContext = makeContext();
  const SemaphoreHolder foreign = makeSemaphore(otherContext);
  const EventHolder failed = makeUserEvent(context);
  EXPECT_EQ(clSetUserEventStatus(failed, -5), CL_SUCCESS);
  const cl_semaphore_khr good = semaphore;
  const cl_semaphore_khr mixed[] = {good, foreign};
  const cl_semaphore_khr nulls[] = {good, nullptr};
  const cl_event failedList[] = {failed};
  for (const auto enqueue : {semaphores().wait, semaphores().signal}) {
    const auto code = [&](cl_uint count, const cl_semaphore_khr* list) {
      return enqueue(queue, count, list, nullptr, 0, nullptr, nullptr);
    };
    EXPECT_EQ(code(0, &good), CL_INVALID_VALUE);
    EXPECT_EQ(code(0, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(code(1, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(code(2, nulls), CL_INVALID_SEMAPHORE_KHR);
    EXPECT_EQ(code(2, mixed), CL_INVALID_CONTEXT);
    EXPECT_EQ(enqueue(queue, 1, &good, nullptr, 1, failedList, nullptr),
              CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    const EnqueueCall call{
        "semaphores", 0,
        [&](cl_command_queue on, cl_uint count, const cl_event* list, cl_event* event) {
          return enqueue(on, 1, &good, nullptr, count, list, event);
        }};
    checkWaitListErrors(call, context, queue);
  }
  EXPECT_EQ(payload(semaphore), 0u) << "a call that failed changed the semaphore";
}

TEST_P(SemaphoreTest, HasNoHandles) {
  const auto handle =
      extensionFunction<clGetSemaphoreHandleForTypeKHR_fn>("clGetSemaphoreHandleForTypeKHR");
  const SemaphoreHolder semaphore = makeSemaphore(context);
  int file = -1;
  const auto code = [&](cl_semaphore_khr of, cl_device_id on) {
    return handle(of, on, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof file, &file, nullptr);
  };
  EXPECT_EQ(code(nullptr, device()), CL_INVALID_SEMAPHORE_KHR);
  EXPECT_EQ(code(semaphore, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(code(semaphore, device()), CL_INVALID_VALUE);
  EXPECT_EQ(file, -1);
}

TEST_P(SemaphoreTest, PayloadFollowsTheCommands) {
  const QueueHolder queue = newQueue();
  const SemaphoreHolder semaphore = makeSemaphore(context);
  for (int round = 0; round < 3; ++round) {
    const EventHolder signal = enqueueSignal(queue, {semaphore});
    const cl_event signaled = signal;
    EXPECT_EQ(clWaitForEvents(1, &signaled), CL_SUCCESS);
    EXPECT_EQ(payload(semaphore), 1u);
    const EventHolder wait = enqueueWait(queue, {semaphore});
    const cl_event waited = wait;
    EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
    EXPECT_EQ(payload(semaphore), 0u);
    cl_command_type type = 0;
    EXPECT_EQ(clGetEventInfo(wait, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
    EXPECT_EQ(type, cl_command_type{CL_COMMAND_SEMAPHORE_WAIT_KHR});
    EXPECT_EQ(clGetEventInfo(signal, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(type, cl_command_type{CL_COMMAND_SEMAPHORE_SIGNAL_KHR});
  }
}

TEST_P(SemaphoreTest, WaitsMayComeBeforeTheirSignals) {
  const QueueHolder waiting = newQueue();
  const QueueHolder signaling = newQueue();
  const SemaphoreHolder first = makeSemaphore(context);
  const SemaphoreHolder second = makeSemaphore(context);
  const EventHolder wait = enqueueWait(waiting, {first, second});
  EXPECT_EQ(clFlush(waiting), CL_SUCCESS);
  EXPECT_GT(executionStatus(wait), CL_COMPLETE);
  const EventHolder one = enqueueSignal(signaling, {second});
  EXPECT_EQ(clFinish(signaling), CL_SUCCESS);
  EXPECT_GT(executionStatus(wait), CL_COMPLETE);
  const EventHolder two = enqueueSignal(signaling, {first});
  EXPECT_EQ(clFinish(waiting), CL_SUCCESS);
  EXPECT_EQ(executionStatus(wait), CL_COMPLETE);
  EXPECT_EQ(payload(first) + payload(second), 0u);
}

TEST_P(SemaphoreTest, CanBeUsedAgainWhileItsCommandsWait) {
  const QueueHolder signaling = newQueue();
  const QueueHolder late = newQueue();
  const QueueHolder waiting = newQueue();
  const QueueHolder other = newQueue();
  const SemaphoreHolder semaphore = makeSemaphore(context);
  const EventHolder gate = makeUserEvent(context);
  const EventHolder firstSignal = enqueueSignal(late, {semaphore}, {gate});
  const EventHolder firstWait = enqueueWait(waiting, {semaphore});
  // Both calls have returned: the second pair is independent of the first.
  const EventHolder secondSignal = enqueueSignal(signaling, {semaphore});
  const EventHolder secondWait = enqueueWait(other, {semaphore});
  const cl_event second = secondWait;
  EXPECT_EQ(clWaitForEvents(1, &second), CL_SUCCESS);
  EXPECT_GT(executionStatus(firstWait), CL_COMPLETE);
  EXPECT_EQ(payload(semaphore), 0u);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(waiting), CL_SUCCESS);
  EXPECT_EQ(executionStatus(firstWait), CL_COMPLETE);
  EXPECT_EQ(clFinish(other), CL_SUCCESS);
}

TEST_P(SemaphoreTest, FailedSignalTakesItsWaitAlong) {
  const QueueHolder signaling = newQueue();
  const QueueHolder waiting = newQueue();
  const SemaphoreHolder semaphore = makeSemaphore(context);
  const EventHolder gate = makeUserEvent(context);
  const EventHolder signal = enqueueSignal(signaling, {semaphore}, {gate});
  const EventHolder wait = enqueueWait(waiting, {semaphore});
  EXPECT_EQ(clSetUserEventStatus(gate, -9), CL_SUCCESS);
  EXPECT_EQ(clFinish(waiting), CL_SUCCESS);
  EXPECT_EQ(executionStatus(wait), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(payload(semaphore), 0u);
  // The semaphore itself is as good as new.
  const EventHolder again = enqueueSignal(signaling, {semaphore});
  const EventHolder waitAgain = enqueueWait(waiting, {semaphore});
  EXPECT_EQ(clFinish(waiting), CL_SUCCESS);
  EXPECT_EQ(executionStatus(waitAgain), CL_COMPLETE);
}

TEST_P(SemaphoreTest, FailedSignalTakesALaterWaitAlong) {
  const QueueHolder signaling = newQueue();
  const QueueHolder waiting = newQueue();
  const SemaphoreHolder semaphore = makeSemaphore(context);
  const SemaphoreHolder good = makeSemaphore(context);
  const auto failedSignal = [&] {
    const EventHolder gate = makeUserEvent(context);
    const EventHolder signal = enqueueSignal(signaling, {semaphore}, {gate});
    EXPECT_EQ(clSetUserEventStatus(gate, -9), CL_SUCCESS);
    EXPECT_EQ(clFinish(signaling), CL_SUCCESS);
    EXPECT_LT(executionStatus(signal), 0);
  };
  failedSignal();
  enqueueSignal(signaling, {good});
  const EventHolder wait = enqueueWait(waiting, {good, semaphore});
  EXPECT_EQ(clFinish(waiting), CL_SUCCESS);
  EXPECT_EQ(executionStatus(wait), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(payload(semaphore), 0u);
  EXPECT_EQ(payload(good), 1u) << "the wait that failed leaves it to the next";
  // Who has seen the failure may signal once more.
  failedSignal();
  enqueueSignal(signaling, {semaphore});
  const EventHolder second = enqueueWait(waiting, {semaphore});
  EXPECT_EQ(clFinish(waiting), CL_SUCCESS);
  EXPECT_EQ(executionStatus(second), CL_COMPLETE);
  // And nothing of it is left for the wait after that.
  const EventHolder third = enqueueWait(waiting, {semaphore});
  EXPECT_EQ(clFlush(waiting), CL_SUCCESS);
  EXPECT_GT(executionStatus(third), CL_COMPLETE);
  enqueueSignal(signaling, {semaphore});
  EXPECT_EQ(clFinish(waiting), CL_SUCCESS);
  EXPECT_EQ(executionStatus(third), CL_COMPLETE);
}

TEST_P(SemaphoreTest, FailedWaitLeavesTheSignalToTheNext) {
  const QueueHolder signaling = newQueue();
  const QueueHolder failing = newQueue();
  const QueueHolder waiting = newQueue();
  const SemaphoreHolder semaphore = makeSemaphore(context);
  const EventHolder gate = makeUserEvent(context);
  const EventHolder signal = enqueueSignal(signaling, {semaphore});
  EXPECT_EQ(clFinish(signaling), CL_SUCCESS);
  const EventHolder failed = enqueueWait(failing, {semaphore}, {gate});
  const EventHolder next = enqueueWait(waiting, {semaphore});
  EXPECT_EQ(clSetUserEventStatus(gate, -9), CL_SUCCESS);
  EXPECT_EQ(clFinish(failing), CL_SUCCESS);
  EXPECT_LT(executionStatus(failed), 0);
  EXPECT_EQ(clFinish(waiting), CL_SUCCESS);
  EXPECT_EQ(executionStatus(next), CL_COMPLETE);
  EXPECT_EQ(payload(semaphore), 0u);
}

TEST_P(SemaphoreTest, MayBeReleasedWhileCommandsUseIt) {
  const QueueHolder queue = newQueue();
  const QueueHolder other = newQueue();
  const EventHolder gate = makeUserEvent(context);
  EventHolder wait;
  {
    const SemaphoreHolder semaphore = makeSemaphore(context);
    const EventHolder signal = enqueueSignal(queue, {semaphore}, {gate});
    wait = enqueueWait(other, {semaphore});
  }
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(other), CL_SUCCESS);
  EXPECT_EQ(executionStatus(wait), CL_COMPLETE);
  // A wait that nobody signals, and its queue, are gone when the semaphore's last users are.
  {
    const SemaphoreHolder semaphore = makeSemaphore(context);
    enqueueSignal(queue, {semaphore});
  }
}

TEST_P(SemaphoreTest, ThreadsPlayPingPong) {
  const SemaphoreHolder ping = makeSemaphore(context);
  const SemaphoreHolder pong = makeSemaphore(context);
  constexpr int kRounds = 500;
  int ball = 0;  // only ever touched by the side that has it
  const auto play = [&](const SemaphoreHolder& mine, const SemaphoreHolder& theirs, int parity) {
    const QueueHolder queue = newQueue();
    for (int i = 0; i < kRounds; ++i) {
      const EventHolder wait = enqueueWait(queue, {mine});
      const cl_event waited = wait;
      EXPECT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
      EXPECT_EQ(ball % 2, parity);
      ++ball;
      enqueueSignal(queue, {theirs});
      EXPECT_EQ(clFlush(queue), CL_SUCCESS);
    }
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  };
  std::thread other([&] { play(pong, ping, 1); });
  const QueueHolder queue = newQueue();
  enqueueSignal(queue, {ping});
  play(ping, pong, 0);
  other.join();
  EXPECT_EQ(ball, 2 * kRounds);
}

}  // namespace
}  // namespace weft::test
