// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "context/context.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <thread>
#include <vector>

namespace weft::test {
namespace {

struct Notice {
  std::promise<std::string> text;
  std::thread::id thread;
};

void CL_CALLBACK receive(const char* text, const void* privateInfo, size_t privateSize,
                         void* userData) {
  auto* notice = static_cast<Notice*>(userData);
  EXPECT_EQ(privateInfo, nullptr);
  EXPECT_EQ(privateSize, 0u);
  notice->thread = std::this_thread::get_id();
  notice->text.set_value(text);
}

Ref<Context> makeContext(Context::Notify notify, void* userData) {
  Platform& platform = Platform::instance();
  return makeRef<Context>(platform, std::vector{&platform.device()},
                          std::vector<cl_context_properties>{}, notify, userData);
}

TEST(ContextObject, HandsNoticesToTheApplication) {
  Notice notice;
  makeContext(receive, &notice)->notify("something failed");  // outlives its last reference here
  auto text = notice.text.get_future();
  ASSERT_EQ(text.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  EXPECT_EQ(text.get(), "something failed");
  EXPECT_NE(notice.thread, std::this_thread::get_id());
}

TEST(ContextObject, KeepsNoticesWithoutAListener) {
  makeContext(nullptr, nullptr)->notify("nobody listens");
}

TEST(ContextObject, KnowsItsDevices) {
  const Ref<Context> context = makeContext(nullptr, nullptr);
  EXPECT_TRUE(context->has(Platform::instance().device()));
  EXPECT_EQ(context->maxAllocation(), Platform::instance().device().maxAllocation());
}

TEST(Handles, OfAnotherKindAreNotTaken) {
  const Ref<Context> context = makeContext(nullptr, nullptr);
  EXPECT_EQ(Context::from(context->handle()), context.get());
  EXPECT_EQ(Context::from(nullptr), nullptr);
  EXPECT_EQ(Device::from(reinterpret_cast<cl_device_id>(context->handle())), nullptr);
}

TEST(Handles, KeepApplicationAndInternalCountsApart) {
  Ref<Context> internal = makeContext(nullptr, nullptr);
  const cl_context handle = Context::publish(internal);
  Context* const context = Context::from(handle);
  EXPECT_EQ(context->applicationRefs(), 1u);
  context->retainApplication();
  EXPECT_TRUE(context->releaseApplication());
  EXPECT_TRUE(context->releaseApplication());
  EXPECT_FALSE(context->releaseApplication()) << "nothing left to release";
  EXPECT_EQ(Context::from(handle), context) << "still held inside";
}

}  // namespace
}  // namespace weft::test
