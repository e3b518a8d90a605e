// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command's run leaves behind: output, failures, and nothing that it held.
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "graph_fixture.h"
#include "queue/command.h"
#include "queue/graph.h"

namespace weft::test {
namespace {

/// Runs a function of the test in each of its parts.
class TestCommand final : public Command {
 public:
  using Run = std::function<void(TestCommand& self, size_t part)>;
  TestCommand(Queue& queue, size_t parts, Run run)
      : Command(queue, CL_COMMAND_NATIVE_KERNEL, parts), run_(std::move(run)) {}

  void runPart(size_t part, runtime::Slot&) noexcept override { run_(*this, part); }
  void releasePayload() noexcept override { run_ = nullptr; }
  using Command::fail;

 private:
  Run run_;
};

class CommandTest : public GraphTest {
 protected:
  /// Runs a command on a queue of its own and gives its final status.
  cl_int statusAfter(size_t parts, TestCommand::Run run, cl_context in) {
    const QueueHolder handle = makeQueue(in, kInOrder);
    Queue& queue = *Queue::from(handle.get());
    cl_event event = nullptr;
    Graph::instance().enqueue(makeRef<TestCommand>(queue, parts, std::move(run)), {}, &event);
    const EventHolder holder(event);
    EXPECT_EQ(clFinish(handle), CL_SUCCESS);
    return status(event);
  }
  cl_int statusAfter(size_t parts, TestCommand::Run run) {
    return statusAfter(parts, std::move(run), context);
  }
};

TEST_F(CommandTest, RunsEveryPartOnce) {
  std::vector<size_t> seen;
  EXPECT_EQ(statusAfter(5, [&](auto&, size_t part) { seen.push_back(part); }), CL_COMPLETE);
  EXPECT_EQ(seen, (std::vector<size_t>{0, 1, 2, 3, 4}));
}

TEST_F(CommandTest, FirstFailureIsTheStatus) {
  EXPECT_EQ(statusAfter(3, [](TestCommand& self, size_t part) { self.fail(-100 - int(part)); }),
            -100);
}

TEST_F(CommandTest, FailedCommandStopsWhatWaitsForIt) {
  const QueueHolder handle = makeQueue(context, kOutOfOrder);
  Queue& queue = *Queue::from(handle.get());
  cl_event event = nullptr;
  Graph::instance().enqueue(
      makeRef<TestCommand>(queue, 1, [](TestCommand& self, size_t) { self.fail(-9); }), {}, &event);
  const EventHolder first(event);
  const EventHolder second = enqueueWithEvent(handle, 'a', {event});
  fake::executor().runAll();
  EXPECT_EQ(status(first), -9);
  EXPECT_EQ(status(second), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(journal.names(), "");
}

TEST_F(CommandTest, ExecutorFailureReachesTheApplication) {
  struct Heard {
    std::string text;
    std::atomic<int> calls{0};
  } heard;
  const cl_device_id only = device();
  const ContextHolder listening(clCreateContext(
      nullptr, 1, &only,
      [](const char* text, const void*, size_t, void* data) {
        auto& heard = *static_cast<Heard*>(data);
        heard.text = text;
        ++heard.calls;
      },
      &heard, nullptr));
  EXPECT_EQ(statusAfter(
                2,
                [](TestCommand& self, size_t) {
                  self.failed(runtime::FailureKind::OutOfResources, "no stack");
                },
                listening),
            CL_OUT_OF_RESOURCES);
  for (int i = 0; i < 5000 && heard.calls == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(heard.calls, 1);
  EXPECT_EQ(heard.text, "no stack");
}

TEST_F(CommandTest, OutputIsWrittenBeforeTheCommandIsComplete) {
  testing::internal::CaptureStdout();
  statusAfter(3, [](TestCommand& self, size_t part) {
    self.printed(std::string("part ") + static_cast<char>('0' + part) + "\n");
  });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "part 0\npart 1\npart 2\n");
}

TEST_F(CommandTest, MuchOutputIsWrittenInOrder) {
  testing::internal::CaptureStdout();
  const std::string line(size_t{1} << 20, 'x');
  statusAfter(40, [&](TestCommand& self, size_t part) {
    self.printed(line);
    self.printed(std::string(1, static_cast<char>('A' + part % 26)));
  });
  const std::string output = testing::internal::GetCapturedStdout();
  ASSERT_EQ(output.size(), 40 * (line.size() + 1));
  for (size_t part = 0; part < 40; ++part)
    EXPECT_EQ(output[(part + 1) * (line.size() + 1) - 1], static_cast<char>('A' + part % 26));
}

TEST_F(CommandTest, EventDoesNotKeepWhatTheCommandUsed) {
  const auto resource = std::make_shared<int>(1);
  const QueueHolder handle = makeQueue(context, kInOrder);
  Queue& queue = *Queue::from(handle.get());
  cl_event event = nullptr;
  Graph::instance().enqueue(makeRef<TestCommand>(queue, 1, [resource](auto&, size_t) {}), {},
                            &event);
  const EventHolder holder(event);
  EXPECT_EQ(resource.use_count(), 2);
  EXPECT_EQ(clFinish(handle), CL_SUCCESS);
  EXPECT_EQ(resource.use_count(), 1);
}

}  // namespace
}  // namespace weft::test
