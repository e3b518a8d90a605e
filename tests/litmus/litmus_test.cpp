// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Litmus tests through the public API. Variables:
//   LITMUS_INSTANCES  as instancesOfEach() says
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "litmus/runner.h"

namespace weft::test::litmus {

namespace {

/// A meeting is followed by 64 instances side by side, of which one in a thousand shows what a
/// control permits.
constexpr uint64_t kEnoughMeetings = 10'000;

class Litmus : public testing::TestWithParam<Test> {
 protected:
  void expectNone(const Placement& placement) {
    const Tally tally = run(GetParam(), false, placement, instancesOfEach(), true);
    EXPECT_EQ(tally.forbidden, 0u) << "of " << tally.instances << " instances, " << placement.items
                                   << " work-items for a thread";
    instances_ += tally.instances;
  }
  void TearDown() override { RecordProperty("instances", std::to_string(instances_)); }

 private:
  uint64_t instances_ = 0;
};

TEST_P(Litmus, RowsOfARange) {
  for (size_t items : {1, 16, 64}) expectNone({Threads::FlatRows, items});
}
TEST_P(Litmus, Groups) {
  for (size_t items : {1, 16, 64}) expectNone({Threads::Groups, items});
}
TEST_P(Litmus, GroupsWithBarriers) {
  for (size_t items : {1, 16, 64}) expectNone({Threads::BarrierGroups, items});
}
TEST_P(Litmus, Devices) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one CPU is one device";
  expectNone({Threads::Devices});
}
TEST_P(Litmus, HostAndDevice) { expectNone({Threads::HostAndDevice}); }
TEST_P(Litmus, WorkItemsOfAGroup) {
  for (Threads where : {Threads::GroupInLocal, Threads::GroupInGlobal})
    for (bool alternate : {false, true})
      for (size_t items : {7, 32}) expectNone({where, items, alternate});
}
TEST_P(Litmus, WorkItemsOfASubGroup) {
  for (Threads where : {Threads::SubGroupInLocal, Threads::SubGroupInGlobal})
    for (bool alternate : {false, true})
      for (size_t items : {16, 64}) expectNone({where, items, alternate});
}

/// What happens before in local memory does not by itself in global memory, and the other way
/// round; a fence that names both orders both.
TEST_P(Litmus, LocalAndGlobalMemoryByFences) {
  const bool byFences = std::ranges::none_of(GetParam().threads, [](const auto& thread) {
    return std::ranges::any_of(thread, [](const Step& step) {
      return step.kind != Step::Kind::Fence && step.order != Order::Relaxed;
    });
  });
  if (!byFences) return;
  for (Threads where : {Threads::GroupXInLocal, Threads::GroupYInLocal})
    for (bool alternate : {false, true})
      for (size_t items : {7, 32}) expectNone({where, items, alternate});
}

/// The harness sees what the model forbids, where a test is weakened: else it would prove nothing.
TEST_P(Litmus, ControlIsSeen) {
  const Tally tally = run(GetParam(), true, {Threads::Groups}, 10'000'000, true);
  if (tally.forbidden == 0 && std::thread::hardware_concurrency() < GetParam().threads.size())
    GTEST_SKIP() << "too few CPUs for all threads to run at once";
  if (tally.forbidden == 0 && tally.meetings < kEnoughMeetings)
    GTEST_SKIP() << "the host is too busy to run threads at once";
  EXPECT_GT(tally.forbidden, 0u) << "in " << tally.instances << " instances";
}

INSTANTIATE_TEST_SUITE_P(Tests, Litmus, testing::ValuesIn(tests().begin(), tests().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace

}  // namespace weft::test::litmus
