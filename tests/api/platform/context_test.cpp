// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "support/info_query.h"
#include "support/objects.h"

namespace weft::test {
namespace {

void CL_CALLBACK ignoreNotice(const char*, const void*, size_t, void*) {}

InfoCall contextInfo(cl_context context, cl_context_info parameter) {
  return [=](size_t size, void* value, size_t* sizeRet) {
    return clGetContextInfo(context, parameter, size, value, sizeRet);
  };
}

/// The error of clCreateContext with these arguments.
cl_int createError(const cl_context_properties* properties, cl_uint count,
                   const cl_device_id* devices,
                   void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*) = nullptr,
                   void* userData = nullptr) {
  cl_int error = CL_SUCCESS;
  const cl_context context = clCreateContext(properties, count, devices, notify, userData, &error);
  EXPECT_EQ(context == nullptr, error != CL_SUCCESS);
  if (context) clReleaseContext(context);
  return error;
}

TEST(Context, AnswersQueries) {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(platform()),
                                              CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
  const cl_device_id twice[] = {device(), device()};
  cl_int error = CL_INVALID_VALUE;
  ContextHolder context(clCreateContext(properties, 2, twice, ignoreNotice, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_uint>(contextInfo(context, CL_CONTEXT_REFERENCE_COUNT)), 1u);
  EXPECT_EQ(infoValue<cl_uint>(contextInfo(context, CL_CONTEXT_NUM_DEVICES)), 1u);
  EXPECT_EQ(infoList<cl_device_id>(contextInfo(context, CL_CONTEXT_DEVICES)),
            std::vector<cl_device_id>{device()});
  EXPECT_EQ(infoList<cl_context_properties>(contextInfo(context, CL_CONTEXT_PROPERTIES)),
            std::vector<cl_context_properties>(std::begin(properties), std::end(properties)));
  size_t size = 0;
  EXPECT_EQ(clGetContextInfo(context, 0, 0, nullptr, &size), CL_INVALID_VALUE);
  EXPECT_EQ(clGetContextInfo(nullptr, CL_CONTEXT_DEVICES, 0, nullptr, &size), CL_INVALID_CONTEXT);
}

TEST(Context, WithoutPropertiesHasNone) {
  const ContextHolder context = makeContext();
  EXPECT_TRUE(checkInfoRules(contextInfo(context, CL_CONTEXT_PROPERTIES)).empty());
}

TEST(Context, BadArguments) {
  const cl_device_id only = device();
  const cl_device_id wrong[] = {only, nullptr};
  int userData = 0;
  EXPECT_EQ(createError(nullptr, 0, &only), CL_INVALID_VALUE);
  EXPECT_EQ(createError(nullptr, 1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(createError(nullptr, 2, wrong), CL_INVALID_DEVICE);
  EXPECT_EQ(createError(nullptr, 1, &only, nullptr, &userData), CL_INVALID_VALUE);
  const cl_context context = clCreateContext(nullptr, 0, nullptr, nullptr, nullptr, nullptr);
  EXPECT_EQ(context, nullptr) << "a null errcode_ret must not matter";
}

TEST(Context, BadProperties) {
  const cl_device_id only = device();
  const auto ours = reinterpret_cast<cl_context_properties>(platform());
  const cl_context_properties unknown[] = {0x7777, 1, 0};
  const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, ours, CL_CONTEXT_PLATFORM, ours, 0};
  const cl_context_properties noPlatform[] = {CL_CONTEXT_PLATFORM, 0, 0};
  const cl_context_properties badSync[] = {CL_CONTEXT_INTEROP_USER_SYNC, 5, 0};
  const cl_context_properties empty[] = {0};
  EXPECT_EQ(createError(unknown, 1, &only), CL_INVALID_PROPERTY);
  EXPECT_EQ(createError(twice, 1, &only), CL_INVALID_PROPERTY);
  EXPECT_EQ(createError(noPlatform, 1, &only), CL_INVALID_PLATFORM);
  EXPECT_EQ(createError(badSync, 1, &only), CL_INVALID_PROPERTY);
  EXPECT_EQ(createError(empty, 1, &only), CL_SUCCESS);
}

TEST(Context, FromType) {
  cl_int error = CL_INVALID_VALUE;
  const ContextHolder context(
      clCreateContextFromType(nullptr, CL_DEVICE_TYPE_ALL, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(infoList<cl_device_id>(contextInfo(context, CL_CONTEXT_DEVICES)),
            std::vector<cl_device_id>{device()});
  EXPECT_EQ(clCreateContextFromType(nullptr, CL_DEVICE_TYPE_GPU, nullptr, nullptr, &error),
            nullptr);
  EXPECT_EQ(error, CL_DEVICE_NOT_FOUND);
  EXPECT_EQ(clCreateContextFromType(nullptr, 0, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE_TYPE);
  int userData = 0;
  EXPECT_EQ(clCreateContextFromType(nullptr, CL_DEVICE_TYPE_CPU, nullptr, &userData, &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST(Context, CountsReferences) {
  const ContextHolder context = makeContext();
  EXPECT_EQ(clRetainContext(context), CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_uint>(contextInfo(context, CL_CONTEXT_REFERENCE_COUNT)), 2u);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_uint>(contextInfo(context, CL_CONTEXT_REFERENCE_COUNT)), 1u);
  EXPECT_EQ(clRetainContext(nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clReleaseContext(nullptr), CL_INVALID_CONTEXT);
  const auto wrong = reinterpret_cast<cl_context>(device());
  EXPECT_EQ(clReleaseContext(wrong), CL_INVALID_CONTEXT);
}

/// Collects what destructor callbacks report.
struct Record {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<int> order;
  std::thread::id thread;
};

struct Note {
  Record* record;
  int number;
};

void CL_CALLBACK noteDestruction(cl_context, void* userData) {
  const auto* note = static_cast<Note*>(userData);
  const std::lock_guard lock(note->record->mutex);
  note->record->order.push_back(note->number);
  note->record->thread = std::this_thread::get_id();
  note->record->changed.notify_all();
}

TEST(Context, DestructorCallbacksRunInReverse) {
  Record record;
  Note notes[] = {{&record, 1}, {&record, 2}, {&record, 3}};
  ContextHolder context = makeContext();
  EXPECT_EQ(clSetContextDestructorCallback(nullptr, noteDestruction, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clSetContextDestructorCallback(context, nullptr, nullptr), CL_INVALID_VALUE);
  for (Note& note : notes)
    EXPECT_EQ(clSetContextDestructorCallback(context, noteDestruction, &note), CL_SUCCESS);
  EXPECT_EQ(clRetainContext(context), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(context), CL_SUCCESS);
  {
    const std::lock_guard lock(record.mutex);
    EXPECT_TRUE(record.order.empty()) << "the context is still held";
  }
  context.reset();
  std::unique_lock lock(record.mutex);
  EXPECT_TRUE(record.changed.wait_for(lock, std::chrono::seconds(20),
                                      [&] { return record.order.size() == 3; }));
  EXPECT_EQ(record.order, (std::vector<int>{3, 2, 1}));
  EXPECT_NE(record.thread, std::this_thread::get_id()) << "callbacks have a thread of their own";
}

TEST(Context, IsMadeAndReleasedFromManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([] {
      for (int round = 0; round < 200; ++round) makeContext();
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(Context, DefaultDeviceQueueIsAQueue) {
  const ContextHolder context = makeContext();
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(nullptr, device(), nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context, nullptr, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(clSetDefaultDeviceCommandQueue(context, device(), nullptr), CL_INVALID_COMMAND_QUEUE);
}

}  // namespace
}  // namespace weft::test
