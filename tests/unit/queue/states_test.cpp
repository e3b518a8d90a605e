// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The states of commands, in their order, and when each is entered.
#include "graph_fixture.h"
#include "queue/command.h"
#include "queue/graph.h"

namespace weft::test {
namespace {

/// A command with what it has begun: when its own work is over, and all of it, is for the test to
/// say.
class Parent final : public Command {
 public:
  explicit Parent(Queue& queue) : Command(queue, CL_COMMAND_NATIVE_KERNEL, 1) {}

  void runPart(size_t, runtime::Slot&) noexcept override { stateInRun = state(); }
  using Command::endRun;
  using Command::endWork;
  using Command::fail;

  EventState stateInRun = EventState::Queued;

 private:
  void jobFinished() noexcept override {}
};

class StatesTest : public GraphTest {
 protected:
  static EventState state(cl_event event) { return Event::from(event)->state(); }
  // The host is not told those of what has failed.
  static uint64_t started(cl_event event) { return Event::from(event)->time(Stamp::Started); }
  static uint64_t ended(cl_event event) { return Event::from(event)->time(Stamp::Ended); }
  static uint64_t completed(cl_event event) { return Event::from(event)->time(Stamp::Completed); }

  const QueueHolder queue = makeQueue(context, kOutOfOrder | CL_QUEUE_PROFILING_ENABLE);
};

TEST_F(StatesTest, EachFollowsThoseOfTheSpecification) {
  using enum EventState;
  constexpr EventState kAll[] = {Queued, Submitted, Ready, Running, Ended, Complete};
  const auto after = [&](EventState from) {
    std::vector<EventState> states;
    for (const EventState to : kAll)
      if (mayFollow(from, to)) states.push_back(to);
    return states;
  };
  using States = std::vector<EventState>;
  EXPECT_EQ(after(Queued), States{Submitted});
  EXPECT_EQ(after(Submitted), (States{Ready, Ended}));
  EXPECT_EQ(after(Ready), (States{Running, Ended}));
  EXPECT_EQ(after(Running), States{Ended});
  EXPECT_EQ(after(Ended), States{Complete});
  EXPECT_EQ(after(Complete), States{});
}

TEST_F(StatesTest, EndedIsApartFromComplete) {
  for (const bool fails : {false, true}) {
    const EventHolder gate = userEvent();
    const cl_event waits[] = {gate};
    Queue& inner = *Queue::from(queue.get());
    const Ref<Parent> parent = makeRef<Parent>(inner);
    EXPECT_EQ(parent->state(), EventState::Queued);
    cl_event handle = nullptr;
    Graph::instance().enqueue(parent, waits, &handle);
    const EventHolder event(handle);
    const EventHolder after = enqueueWithEvent(queue, 'a', {event});
    EXPECT_EQ(parent->state(), EventState::Submitted);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(parent->state(), EventState::Ready);
    fake::executor().runAll();
    EXPECT_EQ(parent->stateInRun, EventState::Running);
    EXPECT_EQ(parent->state(), EventState::Running);
    parent->endWork();
    EXPECT_EQ(parent->state(), EventState::Ended);
    EXPECT_EQ(status(event), CL_RUNNING);
    EXPECT_EQ(state(after), EventState::Submitted);
    if (fails) parent->fail(-7);  // a child of it has
    parent->endRun();
    EXPECT_EQ(parent->state(), EventState::Complete);
    EXPECT_EQ(status(event), fails ? -7 : CL_COMPLETE);
    EXPECT_LT(ended(event), completed(event));
    fake::executor().runAll();
    EXPECT_EQ(status(after), fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE);
  }
  EXPECT_EQ(journal.names(), "a");
}

// All that one event sets free is Ended before any of it is completed.
TEST_F(StatesTest, WhatHasNoWorkIsEndedBeforeItIsComplete) {
  const EventHolder gate = userEvent();
  const EventHolder first = marker(queue, {gate}), second = marker(queue, {gate});
  EXPECT_EQ(state(first), EventState::Submitted);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  for (const EventHolder* event : {&first, &second}) {
    EXPECT_EQ(status(*event), CL_COMPLETE);
    EXPECT_GT(started(*event), 0u);
    EXPECT_LE(ended(*event), completed(first));
    EXPECT_LE(started(*event), ended(*event));
  }
}

TEST_F(StatesTest, WhatFailsUnrunIsEndedWithoutRunning) {
  const EventHolder gate = userEvent();
  const EventHolder first = enqueueWithEvent(queue, 'a', {gate});
  const EventHolder second = enqueueWithEvent(queue, 'b', {gate});
  const EventHolder third = marker(queue, {second});
  EXPECT_EQ(clSetUserEventStatus(gate, -5), CL_SUCCESS);
  for (const EventHolder* event : {&first, &second, &third})
    EXPECT_EQ(status(*event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_LE(ended(second), completed(first));
  EXPECT_LE(completed(second), ended(third));
  EXPECT_EQ(journal.names(), "");
  const cl_event last = third;
  EXPECT_EQ(clWaitForEvents(1, &last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

}  // namespace
}  // namespace weft::test
