// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "fake_executor.h"
#include "support/objects.h"

namespace weft::test {

/// What ran, in order.
class Journal {
 public:
  void add(char name) {
    const std::scoped_lock lock(mutex_);
    names_ += name;
  }
  std::string names() const {
    const std::scoped_lock lock(mutex_);
    return names_;
  }

 private:
  mutable std::mutex mutex_;
  std::string names_;
};

/// A context over the fake executor, and commands that leave a letter in a journal when they run.
class GraphTest : public testing::Test {
 protected:
  void SetUp() override { fake::executor().runAll(); }
  void TearDown() override {
    fake::executor().runAll();
    EXPECT_EQ(fake::executor().lazy() + fake::executor().urgent(), 0u) << "jobs left over";
  }

  static constexpr cl_command_queue_properties kInOrder = 0;
  static constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

  struct Entry {
    Journal* journal;
    char name;
  };

  /// Enqueues a command that writes `name`.
  void enqueue(cl_command_queue queue, char name, const std::vector<cl_event>& waits = {},
               cl_event* event = nullptr) {
    Entry entry{&journal, name};
    ASSERT_EQ(clEnqueueNativeKernel(
                  queue,
                  [](void* arguments) {
                    auto* const entry = static_cast<Entry*>(arguments);
                    entry->journal->add(entry->name);
                  },
                  &entry, sizeof entry, 0, nullptr, nullptr, static_cast<cl_uint>(waits.size()),
                  waits.empty() ? nullptr : waits.data(), event),
              CL_SUCCESS);
  }
  EventHolder enqueueWithEvent(cl_command_queue queue, char name,
                               const std::vector<cl_event>& waits = {}) {
    cl_event event = nullptr;
    enqueue(queue, name, waits, &event);
    return EventHolder(event);
  }
  EventHolder marker(cl_command_queue queue, const std::vector<cl_event>& waits = {}) {
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(waits.size()),
                                          waits.empty() ? nullptr : waits.data(), &event),
              CL_SUCCESS);
    return EventHolder(event);
  }
  EventHolder barrier(cl_command_queue queue, const std::vector<cl_event>& waits = {}) {
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, static_cast<cl_uint>(waits.size()),
                                           waits.empty() ? nullptr : waits.data(), &event),
              CL_SUCCESS);
    return EventHolder(event);
  }
  EventHolder userEvent() {
    cl_int error = CL_INVALID_VALUE;
    EventHolder event(clCreateUserEvent(context, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return event;
  }
  static cl_int status(cl_event event) {
    cl_int status = 0;
    EXPECT_EQ(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        CL_SUCCESS);
    return status;
  }

  Journal journal;
  ContextHolder context = makeContext();
};

}  // namespace weft::test
