// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches do when machine code is provisional, or not to be had in the form that is best.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "program/launch_planner.h"
#include "unit/program/program_fixture.h"
#include "weft/support/log.h"

namespace weft::test {
namespace {

using compiler::ErrorKind;
using compiler::Form;

std::atomic<int> groupsRun{0};

void countGroup(const abi::Group* group) {
  groupsRun += static_cast<int>((group->boxEnd[0] - group->globalBase[0]) / group->localSize[0]);
}

/// Lines of the log while it lives.
class Lines {
 public:
  Lines() {
    log::configure(log::Level::Info, [](log::Level, std::string_view line) noexcept {
      const std::scoped_lock lock(mutex());
      all().emplace_back(line);
    });
  }
  ~Lines() {
    log::configure(log::Level::Off, nullptr);
    all().clear();
  }
  static size_t with(const std::string& text) {
    const std::scoped_lock lock(mutex());
    return static_cast<size_t>(std::ranges::count_if(
        all(), [&](const std::string& line) { return line.find(text) != line.npos; }));
  }

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  static std::vector<std::string>& all() {
    static std::vector<std::string> instance;
    return instance;
  }
};

class TiersOfLaunches : public FakePrograms {
 protected:
  void SetUp() override {
    FakePrograms::SetUp();
    fake::KernelDefinition definition;
    definition.info.name = "barriers";
    definition.info.usesBarrier = definition.info.observesGroup = definition.info.barrierLoops =
        true;
    definition.group = countGroup;
    definition.item = [](abi::WorkItem*) {};
    fake::define(std::move(definition));
    fake::KernelDefinition counting;
    counting.info.name = "counting";
    counting.info.observesGroup = true;
    counting.group = countGroup;
    fake::define(std::move(counting));
  }
  void TearDown() override {
    fake::failForm(std::nullopt, ErrorKind::Internal);
    fake::makeProvisional(false);
    FakePrograms::TearDown();
  }

  /// A launch of the program's first kernel; null when it cannot be had.
  Ref<PlannedLaunch> plan(const compiler::BuildOutput& built, compiler::ImageClasses images = {}) {
    static constexpr size_t kGlobal = 64, kLocal = 8;
    const LaunchRequest request{
        .sizes = LaunchSizes({.workDim = 1, .global = &kGlobal, .local = &kLocal}),
        .images = images};
    auto launch =
        makeRef<PlannedLaunch>(built.program, 0, request,
                               NDRange{.globalSize = {kGlobal, 1, 1}, .localSize = {kLocal, 1, 1}});
    return planner_.provide(*launch, known_, {}) ? launch : nullptr;
  }

  LaunchPlanner planner_{LaunchPolicy{.overrides = {}, .subGroupSize = 32}};
  PlannedLaunches known_;
};

TEST_F(TiersOfLaunches, FibersRunWhatTheCompilerCannotMakeLoopsOf) {
  const Lines lines;
  const auto compiler = compiler::createCompiler({});
  const auto built = compiler->build("kernel:barriers", "");
  ASSERT_TRUE(built);
  // Lanes are not what there is too much of.
  for (const auto& [kind, width] : {std::pair{ErrorKind::Internal, 1u}, {ErrorKind::TooMany, 0u}}) {
    fake::failForm(Form::BarrierLoops, kind);
    for (int round = 0; round < 3; ++round) {
      const Ref<PlannedLaunch> launch = plan(*built);
      ASSERT_TRUE(launch);
      EXPECT_EQ(launch->codes()[0]->key.form, Form::Fibers);
      EXPECT_EQ(launch->codes()[0]->key.width, width);
      EXPECT_EQ(launch->shape.boxes[0].slicing.entryKind, runtime::EntryKind::Fibers);
    }
    const std::string line = "kernel barriers runs as fibers at width " + std::to_string(width);
    EXPECT_EQ(Lines::with(line), 1u) << "said once";
  }
  fake::failForm(Form::BarrierLoops, ErrorKind::OutOfMemory);
  EXPECT_FALSE(plan(*built)) << "may go better another time";
  fake::failForm(std::nullopt, ErrorKind::Internal);
  const Ref<PlannedLaunch> launch = plan(*built);
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->codes()[0]->key.form, Form::BarrierLoops);
}

TEST_F(TiersOfLaunches, CodeForAnyImagesRunsWhereThereIsTooMuchOther) {
  const auto compiler = compiler::createCompiler({});
  const auto built = compiler->build("kernel:barriers", "");
  ASSERT_TRUE(built);
  const compiler::ImageClasses images{0x603};
  const Ref<PlannedLaunch> first = plan(*built, images);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->codes()[0]->key.images, images);
  fake::failImages(true);
  const Ref<PlannedLaunch> other = plan(*built, {0x604});
  fake::failImages(false);
  ASSERT_TRUE(other);
  compiler::VariantKey key = first->codes()[0]->key;
  key.images = {};
  EXPECT_EQ(other->codes()[0]->key, key) << "all else is as it was";
}

TEST_F(TiersOfLaunches, LaterLaunchesTakeBetterCode) {
  fake::makeProvisional(true);
  const ProgramHolder program = this->program("kernel:counting");
  ASSERT_EQ(build(program), CL_SUCCESS);
  cl_int error = 1;
  const KernelHolder kernel(clCreateKernel(program, "counting", &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const QueueHolder queue = makeQueue(context_);
  const size_t global = 64, local = 8;
  const auto groupsOfLaunch = [&] {
    groupsRun = 0;
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    return groupsRun.load();
  };
  EXPECT_EQ(groupsOfLaunch(), 0) << "the fake's quick code does nothing";
  EXPECT_EQ(groupsOfLaunch(), 0);
  fake::improve();
  EXPECT_EQ(groupsOfLaunch(), 8);
  const int calls = fake::variantCalls();
  EXPECT_EQ(groupsOfLaunch(), 8);
  EXPECT_EQ(fake::variantCalls(), calls) << "settled code is kept at hand";
}

TEST_F(TiersOfLaunches, LaunchesThatWaitTakeWhatHasComeMeanwhile) {
  fake::makeProvisional(true);
  const ProgramHolder program = this->program("kernel:counting");
  ASSERT_EQ(build(program), CL_SUCCESS);
  cl_int error = 1;
  const KernelHolder kernel(clCreateKernel(program, "counting", &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const QueueHolder queue = makeQueue(context_);
  const size_t global = 64, local = 8;
  cl_event gate = clCreateUserEvent(context_, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  groupsRun = 0;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 1, &gate, nullptr),
            CL_SUCCESS);
  fake::improve();
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(groupsRun, 8);
  clReleaseEvent(gate);
}

}  // namespace
}  // namespace weft::test
