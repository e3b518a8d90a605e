// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/runtime/step_plan.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace weft::runtime {
namespace {

/// A step that can be told from others.
class FakeStep final : public Step {
 public:
  explicit FakeStep(size_t parts, bool complete = true) : Step(parts) { complete_ = complete; }
  void run(size_t, size_t, Slot&, Job&) const noexcept override {}
};

/// A recording of steps that come after the given ones.
std::vector<RecordedStep> recording(std::initializer_list<std::vector<uint32_t>> after) {
  std::vector<RecordedStep> recorded;
  for (const std::vector<uint32_t>& before : after)
    recorded.push_back({makeRef<FakeStep>(1), before});
  return recorded;
}

TEST(StepGraph, AChainIsOneSegment) {
  const auto graph = makeRef<StepGraph>(recording({{}, {0}, {1}, {2}}));
  ASSERT_EQ(graph->segments().size(), 1u);
  EXPECT_EQ(graph->segments()[0].first, 0u);
  EXPECT_EQ(graph->segments()[0].last, 4u);
  EXPECT_EQ(graph->segments()[0].unmet, 0u);
  EXPECT_TRUE(graph->segments()[0].successors.empty());
}

TEST(StepGraph, StepsOfASegmentStandSideBySide) {
  // Two chains, recorded in turn.
  const auto graph = makeRef<StepGraph>(recording({{}, {}, {0}, {1}, {2}, {3}}));
  ASSERT_EQ(graph->segments().size(), 2u);
  EXPECT_EQ(graph->position(0), 0u);
  EXPECT_EQ(graph->position(2), 1u);
  EXPECT_EQ(graph->position(4), 2u);
  EXPECT_EQ(graph->position(1), 3u);
  EXPECT_EQ(graph->position(3), 4u);
  EXPECT_EQ(graph->position(5), 5u);
}

TEST(StepGraph, AForkAndAJoinEndSegments) {
  // 0 -> {1, 2} -> 3 -> 4
  const auto graph = makeRef<StepGraph>(recording({{}, {0}, {0}, {1, 2}, {3}}));
  ASSERT_EQ(graph->segments().size(), 4u);
  EXPECT_EQ(graph->segments()[0].successors, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(graph->segments()[1].unmet, 1u);
  EXPECT_EQ(graph->segments()[2].successors, std::vector<uint32_t>{3});
  EXPECT_EQ(graph->segments()[3].unmet, 2u);
  EXPECT_EQ(graph->segments()[3].last - graph->segments()[3].first, 2u);
}

TEST(StepGraph, IndependentStepsAreSegmentsOfTheirOwn) {
  const auto graph = makeRef<StepGraph>(recording({{}, {}, {}}));
  ASSERT_EQ(graph->segments().size(), 3u);
  for (const StepGraph::Segment& segment : graph->segments()) EXPECT_EQ(segment.unmet, 0u);
}

TEST(StepGraph, OfNothing) {
  const auto plan = makeRef<StepPlan>(recording({}));
  EXPECT_TRUE(plan->graph().segments().empty());
  EXPECT_FALSE(plan->hasWork());
  EXPECT_TRUE(plan->isComplete());
}

TEST(StepPlan, AChangeLeavesTheOldPlanAlone) {
  std::vector<RecordedStep> recorded = recording({{}, {}, {0}});
  recorded[2].step = makeRef<FakeStep>(0, false);
  const auto plan = makeRef<StepPlan>(recorded);
  EXPECT_FALSE(plan->isComplete());
  const Ref<const Step> step = makeRef<FakeStep>(5);
  const StepPlan::Change change{2, step};
  const Ref<const StepPlan> changed = plan->with({&change, 1});
  EXPECT_TRUE(changed->isComplete());
  EXPECT_EQ(&changed->graph(), &plan->graph());
  EXPECT_EQ(&changed->step(plan->graph().position(2)), step.get());
  EXPECT_EQ(&plan->step(plan->graph().position(2)), recorded[2].step.get());
  EXPECT_EQ(&changed->step(plan->graph().position(1)), recorded[1].step.get());
}

TEST(StepPlan, OnlyStepsWithPartsAreWork) {
  std::vector<RecordedStep> recorded;
  recorded.push_back({makeRef<FakeStep>(0), {}});
  EXPECT_FALSE(makeRef<StepPlan>(recorded)->hasWork());
  recorded.push_back({makeRef<FakeStep>(2), {0}});
  EXPECT_TRUE(makeRef<StepPlan>(recorded)->hasWork());
}

TEST(StepPlan, ForgetsWhatItHasLearned) {
  const std::vector<RecordedStep> recorded = recording({{}});
  const auto plan = makeRef<StepPlan>(recorded);
  plan->step(0).setCost(7);
  plan->graph().setCost(0, 9);
  plan->forgetCosts();
  EXPECT_EQ(plan->step(0).cost(), 0u);
  EXPECT_EQ(plan->graph().cost(0), 0u);
}

}  // namespace
}  // namespace weft::runtime
