// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <vector>

#include "support/extensions.h"
#include "support/objects.h"
#include "weft/khr/semaphore.h"

/// Semaphores as an application uses them.
namespace weft::test {

struct SemaphoreFunctions {
#define WEFT_EXTENSION(name) extensionFunction<cl##name##KHR_fn>("cl" #name "KHR")
  clCreateSemaphoreWithPropertiesKHR_fn create = WEFT_EXTENSION(CreateSemaphoreWithProperties);
  clEnqueueWaitSemaphoresKHR_fn wait = WEFT_EXTENSION(EnqueueWaitSemaphores);
  clEnqueueSignalSemaphoresKHR_fn signal = WEFT_EXTENSION(EnqueueSignalSemaphores);
  clGetSemaphoreInfoKHR_fn info = WEFT_EXTENSION(GetSemaphoreInfo);
  clRetainSemaphoreKHR_fn retain = WEFT_EXTENSION(RetainSemaphore);
  clReleaseSemaphoreKHR_fn release = WEFT_EXTENSION(ReleaseSemaphore);
#undef WEFT_EXTENSION
};

inline const SemaphoreFunctions& semaphores() {
  static const SemaphoreFunctions functions;
  return functions;
}

inline cl_int releaseSemaphore(cl_semaphore_khr semaphore) {
  return semaphores().release(semaphore);
}
using SemaphoreHolder = Holder<cl_semaphore_khr, releaseSemaphore>;

inline SemaphoreHolder makeSemaphore(cl_context context) {
  const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                              0};
  cl_int error = CL_INVALID_VALUE;
  SemaphoreHolder semaphore(semaphores().create(context, list, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  return semaphore;
}

inline EventHolder enqueueSignal(cl_command_queue queue, std::vector<cl_semaphore_khr> list,
                                 const std::vector<cl_event>& waits = {}) {
  cl_event event = nullptr;
  EXPECT_EQ(semaphores().signal(queue, static_cast<cl_uint>(list.size()), list.data(), nullptr,
                                static_cast<cl_uint>(waits.size()),
                                waits.empty() ? nullptr : waits.data(), &event),
            CL_SUCCESS);
  return EventHolder(event);
}

inline EventHolder enqueueWait(cl_command_queue queue, std::vector<cl_semaphore_khr> list,
                               const std::vector<cl_event>& waits = {}) {
  cl_event event = nullptr;
  EXPECT_EQ(semaphores().wait(queue, static_cast<cl_uint>(list.size()), list.data(), nullptr,
                              static_cast<cl_uint>(waits.size()),
                              waits.empty() ? nullptr : waits.data(), &event),
            CL_SUCCESS);
  return EventHolder(event);
}

inline cl_semaphore_payload_khr payload(cl_semaphore_khr semaphore) {
  cl_semaphore_payload_khr value = 77;
  EXPECT_EQ(semaphores().info(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof value, &value, nullptr),
            CL_SUCCESS);
  return value;
}

}  // namespace weft::test
