// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/replay_plan.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace weft {
namespace {

/// A step that can be told from others.
class FakeStep final : public Step {
 public:
  explicit FakeStep(size_t parts, bool complete = true) : Step(parts) { complete_ = complete; }
  void run(size_t, size_t, runtime::Slot&, runtime::Job&) const noexcept override {}
};

/// A recording of steps that come after the given ones.
std::vector<RecordedStep> recording(std::initializer_list<std::vector<uint32_t>> after) {
  std::vector<RecordedStep> recorded;
  for (const std::vector<uint32_t>& before : after)
    recorded.push_back({makeRef<FakeStep>(1), before});
  return recorded;
}

TEST(ReplayShape, AChainIsOneSegment) {
  const auto shape = makeRef<ReplayShape>(recording({{}, {0}, {1}, {2}}));
  ASSERT_EQ(shape->segments().size(), 1u);
  EXPECT_EQ(shape->segments()[0].first, 0u);
  EXPECT_EQ(shape->segments()[0].last, 4u);
  EXPECT_EQ(shape->segments()[0].unmet, 0u);
  EXPECT_TRUE(shape->segments()[0].successors.empty());
}

TEST(ReplayShape, StepsOfASegmentStandSideBySide) {
  // Two chains, recorded in turn.
  const auto shape = makeRef<ReplayShape>(recording({{}, {}, {0}, {1}, {2}, {3}}));
  ASSERT_EQ(shape->segments().size(), 2u);
  EXPECT_EQ(shape->position(0), 0u);
  EXPECT_EQ(shape->position(2), 1u);
  EXPECT_EQ(shape->position(4), 2u);
  EXPECT_EQ(shape->position(1), 3u);
  EXPECT_EQ(shape->position(3), 4u);
  EXPECT_EQ(shape->position(5), 5u);
}

TEST(ReplayShape, AForkAndAJoinEndSegments) {
  // 0 -> {1, 2} -> 3 -> 4
  const auto shape = makeRef<ReplayShape>(recording({{}, {0}, {0}, {1, 2}, {3}}));
  ASSERT_EQ(shape->segments().size(), 4u);
  EXPECT_EQ(shape->segments()[0].successors, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(shape->segments()[1].unmet, 1u);
  EXPECT_EQ(shape->segments()[2].successors, std::vector<uint32_t>{3});
  EXPECT_EQ(shape->segments()[3].unmet, 2u);
  EXPECT_EQ(shape->segments()[3].last - shape->segments()[3].first, 2u);
}

TEST(ReplayShape, IndependentStepsAreSegmentsOfTheirOwn) {
  const auto shape = makeRef<ReplayShape>(recording({{}, {}, {}}));
  ASSERT_EQ(shape->segments().size(), 3u);
  for (const ReplayShape::Segment& segment : shape->segments()) EXPECT_EQ(segment.unmet, 0u);
}

TEST(ReplayShape, OfNothing) {
  const auto plan = makeRef<ReplayPlan>(recording({}));
  EXPECT_TRUE(plan->shape().segments().empty());
  EXPECT_FALSE(plan->hasWork());
  EXPECT_TRUE(plan->isComplete());
}

TEST(ReplayPlan, AChangeLeavesTheOldPlanAlone) {
  std::vector<RecordedStep> recorded = recording({{}, {}, {0}});
  recorded[2].step = makeRef<FakeStep>(0, false);
  const auto plan = makeRef<ReplayPlan>(recorded);
  EXPECT_FALSE(plan->isComplete());
  const Ref<const Step> step = makeRef<FakeStep>(5);
  const ReplayPlan::Change change{2, step};
  const Ref<const ReplayPlan> changed = plan->with({&change, 1});
  EXPECT_TRUE(changed->isComplete());
  EXPECT_EQ(&changed->shape(), &plan->shape());
  EXPECT_EQ(&changed->step(plan->shape().position(2)), step.get());
  EXPECT_EQ(&plan->step(plan->shape().position(2)), recorded[2].step.get());
  EXPECT_EQ(&changed->step(plan->shape().position(1)), recorded[1].step.get());
}

TEST(ReplayPlan, OnlyStepsWithPartsAreWork) {
  std::vector<RecordedStep> recorded;
  recorded.push_back({makeRef<EmptyStep>(), {}});
  EXPECT_FALSE(makeRef<ReplayPlan>(recorded)->hasWork());
  recorded.push_back({makeRef<FakeStep>(2), {0}});
  EXPECT_TRUE(makeRef<ReplayPlan>(recorded)->hasWork());
}

TEST(ReplayPlan, ForgetsWhatItHasLearned) {
  const std::vector<RecordedStep> recorded = recording({{}});
  const auto plan = makeRef<ReplayPlan>(recorded);
  plan->step(0).setCost(7);
  plan->shape().setCost(0, 9);
  plan->forgetCosts();
  EXPECT_EQ(plan->step(0).cost(), 0u);
  EXPECT_EQ(plan->shape().cost(0), 0u);
}

}  // namespace
}  // namespace weft
