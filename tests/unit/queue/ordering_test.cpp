// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which commands are ready when, in both kinds of queue.
#include "graph_fixture.h"
#include "support/sanitizers.h"

namespace weft::test {
namespace {

using OrderingTest = GraphTest;

// Far more frames than a stack has room for. Sanitizers take their time, and larger frames.
constexpr int kLongChain = kSanitizer ? 100'000 : 1'000'000;

TEST_F(OrderingTest, InOrderQueueOffersItsHeadOnly) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  for (const char name : {'a', 'b', 'c'}) enqueue(queue, name);
  EXPECT_EQ(fake::executor().lazy(), 1u);
  clFlush(queue);
  for (const char* ran : {"a", "ab", "abc"}) {
    EXPECT_EQ(fake::executor().urgent(), 1u);
    EXPECT_TRUE(fake::executor().runOne());
    EXPECT_EQ(journal.names(), ran);
  }
}

TEST_F(OrderingTest, OutOfOrderQueueOffersEverything) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  for (const char name : {'a', 'b', 'c'}) enqueue(queue, name);
  EXPECT_EQ(fake::executor().lazy(), 3u);
}

TEST_F(OrderingTest, WaitListHoldsBackInBothQueues) {
  for (const auto properties : {kInOrder, kOutOfOrder}) {
    Journal fresh;
    const QueueHolder first = makeQueue(context, properties);
    const QueueHolder second = makeQueue(context, properties);
    const EventHolder a = enqueueWithEvent(first, 'a');
    const EventHolder b = enqueueWithEvent(first, 'b');
    const EventHolder c = enqueueWithEvent(second, 'c', {a, b});
    EXPECT_EQ(clFlush(second), CL_SUCCESS);
    EXPECT_EQ(status(c), CL_SUBMITTED);
    fake::executor().runAll();
    EXPECT_EQ(status(c), CL_COMPLETE);
  }
  EXPECT_EQ(journal.names(), "abcabc");
}

TEST_F(OrderingTest, SameEventTwiceInAWaitListCountsAsOne) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder gate = userEvent();
  const EventHolder a = enqueueWithEvent(queue, 'a', {gate, gate, gate, gate, gate, gate});
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_EQ(status(a), CL_COMPLETE);
}

TEST_F(OrderingTest, BarrierSeparatesAnOutOfOrderQueue) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  enqueue(queue, 'a');
  enqueue(queue, 'b');
  const EventHolder wall = barrier(queue);
  enqueue(queue, 'c');
  enqueue(queue, 'd');
  EXPECT_EQ(clFlush(queue), CL_SUCCESS);
  EXPECT_EQ(fake::executor().urgent(), 2u);
  EXPECT_TRUE(fake::executor().runOne());
  EXPECT_EQ(fake::executor().urgent(), 1u);
  EXPECT_EQ(status(wall), CL_SUBMITTED);
  EXPECT_TRUE(fake::executor().runOne());
  EXPECT_EQ(status(wall), CL_COMPLETE);
  EXPECT_EQ(fake::executor().urgent(), 2u);
}

TEST_F(OrderingTest, BarrierWithWaitListHoldsBackLaterCommandsOnly) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder gate = userEvent();
  enqueue(queue, 'a');
  const EventHolder wall = barrier(queue, {gate});
  enqueue(queue, 'b');
  fake::executor().runAll();
  EXPECT_EQ(journal.names(), "a");
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_EQ(journal.names(), "ab");
}

TEST_F(OrderingTest, BarriersInARowAllHold) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder first = userEvent();
  const EventHolder second = userEvent();
  barrier(queue, {first});
  barrier(queue, {second});
  const EventHolder a = enqueueWithEvent(queue, 'a');
  EXPECT_EQ(clSetUserEventStatus(second, CL_COMPLETE), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_EQ(journal.names(), "");
  EXPECT_EQ(clSetUserEventStatus(first, CL_COMPLETE), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_EQ(journal.names(), "a");
}

TEST_F(OrderingTest, MarkerWaitsForAllBeforeItAndHoldsBackNothing) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder gate = userEvent();
  enqueue(queue, 'a', {gate});
  const EventHolder first = marker(queue);
  enqueue(queue, 'b');
  const EventHolder second = marker(queue);
  const EventHolder none = marker(queue, {gate});
  fake::executor().runAll();
  EXPECT_EQ(journal.names(), "b");
  EXPECT_EQ(status(first), CL_SUBMITTED);
  EXPECT_EQ(status(second), CL_SUBMITTED);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(status(none), CL_COMPLETE);
  EXPECT_EQ(status(first), CL_SUBMITTED);
  fake::executor().runAll();
  EXPECT_EQ(status(first), CL_COMPLETE);
  EXPECT_EQ(status(second), CL_COMPLETE);
}

TEST_F(OrderingTest, MarkerWithWaitListDoesNotStandForWhatItDoesNotWaitFor) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder gate = userEvent();
  const EventHolder a = enqueueWithEvent(queue, 'a', {gate});
  const EventHolder b = enqueueWithEvent(queue, 'b');
  const EventHolder few = marker(queue, {b});
  const EventHolder all = marker(queue);
  fake::executor().runAll();
  EXPECT_EQ(status(few), CL_COMPLETE);
  EXPECT_EQ(status(all), CL_SUBMITTED);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_EQ(status(all), CL_COMPLETE);
}

TEST_F(OrderingTest, MarkerInAnInOrderQueueWaitsForItsTurn) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const EventHolder gate = userEvent();
  enqueue(queue, 'a');
  const EventHolder mark = marker(queue, {gate});
  enqueue(queue, 'b');
  fake::executor().runAll();
  EXPECT_EQ(journal.names(), "a");
  EXPECT_EQ(status(mark), CL_SUBMITTED);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_EQ(journal.names(), "ab");
}

TEST_F(OrderingTest, DeprecatedWaitForEventsIsABarrier) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder gate = userEvent();
  const cl_event list[] = {gate};
  EXPECT_EQ(clEnqueueWaitForEvents(queue, 1, list), CL_SUCCESS);
  enqueue(queue, 'a');
  fake::executor().runAll();
  EXPECT_EQ(journal.names(), "");
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_EQ(journal.names(), "a");
}

TEST_F(OrderingTest, FailedEventEndsWhatWaitsForItWithoutARun) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder gate = userEvent();
  const EventHolder a = enqueueWithEvent(queue, 'a', {gate});
  const EventHolder b = enqueueWithEvent(queue, 'b', {a});
  const EventHolder mark = marker(queue, {b});
  EXPECT_EQ(clSetUserEventStatus(gate, -7), CL_SUCCESS);
  EXPECT_EQ(status(gate), -7);
  for (const cl_event event : {a.get(), b.get(), mark.get()})
    EXPECT_EQ(status(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(journal.names(), "");
  const EventHolder late = enqueueWithEvent(queue, 'c', {gate});
  EXPECT_EQ(status(late), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  const cl_event waited = late;
  EXPECT_EQ(clWaitForEvents(1, &waited), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_F(OrderingTest, FailedCommandOfAnInOrderQueueLetsTheNextOneRun) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const EventHolder gate = userEvent();
  const EventHolder a = enqueueWithEvent(queue, 'a', {gate});
  const EventHolder b = enqueueWithEvent(queue, 'b');
  EXPECT_EQ(clSetUserEventStatus(gate, -7), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_EQ(status(a), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(status(b), CL_COMPLETE);
  EXPECT_EQ(journal.names(), "b");
}

TEST_F(OrderingTest, FailureWaitsForItsTurnInAnInOrderQueue) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const EventHolder failed = userEvent();
  EXPECT_EQ(clSetUserEventStatus(failed, -1), CL_SUCCESS);
  const EventHolder a = enqueueWithEvent(queue, 'a');
  const EventHolder b = enqueueWithEvent(queue, 'b', {failed});
  EXPECT_EQ(status(b), CL_SUBMITTED);
  fake::executor().runAll();
  EXPECT_EQ(status(b), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

// What comes after all before it comes after what failed, too: only who asked for a result by
// naming its event gets the failure.
TEST_F(OrderingTest, OrderAloneHandsNoFailureOn) {
  for (const bool early : {true, false}) {
    const QueueHolder queue = makeQueue(context, kOutOfOrder);
    const EventHolder gate = userEvent();
    const auto fail = [&] { EXPECT_EQ(clSetUserEventStatus(gate, -7), CL_SUCCESS); };
    if (early) fail();
    const EventHolder failed = enqueueWithEvent(queue, 'a', {gate});
    const EventHolder mark = marker(queue);
    const EventHolder wall = barrier(queue);
    const EventHolder behind = enqueueWithEvent(queue, 'b');
    const EventHolder named = enqueueWithEvent(queue, 'c', {failed});
    if (!early) fail();
    fake::executor().runAll();
    for (const EventHolder* event : {&mark, &wall, &behind})
      EXPECT_EQ(status(*event), CL_COMPLETE) << early;
    for (const EventHolder* event : {&failed, &named})
      EXPECT_EQ(status(*event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) << early;
  }
  EXPECT_EQ(journal.names(), "bb");
}

TEST_F(OrderingTest, BarrierThatFailsLetsWhatIsBehindItRun) {
  for (const bool early : {true, false}) {
    const QueueHolder queue = makeQueue(context, kOutOfOrder);
    const EventHolder gate = userEvent();
    const auto fail = [&] { EXPECT_EQ(clSetUserEventStatus(gate, -7), CL_SUCCESS); };
    if (early) fail();
    const EventHolder wall = barrier(queue, {gate});
    const EventHolder behind = enqueueWithEvent(queue, 'b');
    const EventHolder named = enqueueWithEvent(queue, 'c', {wall});
    if (!early) fail();
    fake::executor().runAll();
    EXPECT_EQ(status(wall), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) << early;
    EXPECT_EQ(status(behind), CL_COMPLETE) << early;
    EXPECT_EQ(status(named), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) << early;
  }
  EXPECT_EQ(journal.names(), "bb");
}

TEST_F(OrderingTest, LongChainBehindOneEventEndsWithoutRecursion) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder gate = userEvent();
  EventHolder last = marker(queue, {gate});
  for (int i = 1; i < kLongChain; ++i) last = marker(queue, {last});
  EXPECT_EQ(status(last), CL_SUBMITTED);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(status(last), CL_COMPLETE);
}

TEST_F(OrderingTest, LongChainFailsWithoutRecursion) {
  const QueueHolder queue = makeQueue(context, kInOrder);
  const EventHolder gate = userEvent();
  EventHolder last = enqueueWithEvent(queue, 'a', {gate});
  for (int i = 1; i < kLongChain; ++i) last = enqueueWithEvent(queue, 'a', {last});
  EXPECT_EQ(clSetUserEventStatus(gate, -1), CL_SUCCESS);
  EXPECT_EQ(status(last), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(journal.names(), "");
}

TEST_F(OrderingTest, MarkersOverManyCommandsCostNoSquare) {
  const QueueHolder queue = makeQueue(context, kOutOfOrder);
  const EventHolder gate = userEvent();
  constexpr int kCommands = 50'000;
  EventHolder last;
  for (int i = 0; i < kCommands; ++i) {
    enqueue(queue, 'a', {gate});
    last = marker(queue);  // one dependency on each command before it would be 10^9
  }
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  fake::executor().runAll();
  EXPECT_EQ(status(last), CL_COMPLETE);
  EXPECT_EQ(journal.names().size(), size_t{kCommands});
}

}  // namespace
}  // namespace weft::test
