// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long launches would take in quick code: formulas over arguments and ranges.
#include "program/launch_outlook.h"

#include <gtest/gtest.h>

#include "unit/program/program_fixture.h"

namespace weft::test {
namespace {

using compiler::WorkFormula;
using Op = WorkFormula::Op;

struct Block {
  void* buffer = nullptr;
  int32_t n = 0;
};

/// 10 instructions, and 5 in a loop of max(0, n) trips.
compiler::KernelInfo loopOverArgument() {
  compiler::KernelInfo kernel;
  kernel.argumentBytes = sizeof(Block);
  kernel.work.steps = {{Op::Number, 0, 10}, {Op::Number, 0, 0}, {Op::Argument, 4, 8},
                       {Op::Largest, 0, 0}, {Op::Number, 0, 5}, {Op::Multiply, 0, 0},
                       {Op::Add, 0, 0}};
  return kernel;
}

runtime::KernelLaunch launchOf(uint64_t items, uint64_t local, const Block* block) {
  runtime::KernelLaunch launch;
  launch.range = {.globalSize = {items, 1, 1}, .localSize = {local, 1, 1}};
  launch.arguments = block;
  return launch;
}

TEST(LaunchOutlooks, ArgumentsSayHowLongLoopsAre) {
  const compiler::KernelInfo kernel = loopOverArgument();
  Block block{.buffer = nullptr, .n = 1};
  const runtime::KernelLaunch launch = launchOf(64, 1, &block);
  EXPECT_EQ(instructionsPerItem(kernel.work, launch), 15);
  const auto shortTime = outlookOf(kernel, launch, 2).quickTime;
  EXPECT_LT(shortTime, std::chrono::microseconds(10));
  block.n = 100'000;
  EXPECT_EQ(instructionsPerItem(kernel.work, launch), 500'010);
  EXPECT_GT(outlookOf(kernel, launch, 2).quickTime, 1000 * shortTime);
  block.n = -5;
  EXPECT_EQ(instructionsPerItem(kernel.work, launch), 10);
  const runtime::KernelLaunch unknown = launchOf(64, 1, nullptr);
  EXPECT_EQ(instructionsPerItem(kernel.work, unknown), 10 + 5 * WorkFormula::kUnknownTrips);
}

TEST(LaunchOutlooks, RangesSayHowMuchThereIs) {
  compiler::KernelInfo kernel;
  kernel.work.steps = {{Op::GlobalSize, 0, 0}, {Op::Number, 0, 2},   {Op::Divide, 0, 0},
                       {Op::LocalSize, 0, 0},  {Op::Smallest, 0, 0}, {Op::GroupCount, 0, 0},
                       {Op::Add, 0, 0}};
  EXPECT_EQ(instructionsPerItem(kernel.work, launchOf(64, 16, nullptr)), 16 + 4);
  EXPECT_EQ(instructionsPerItem(kernel.work, launchOf(16, 16, nullptr)), 8 + 1);
  kernel.work.steps = {{Op::Number, 0, 1000}};
  const auto time = [&](uint64_t items, uint64_t local, unsigned slots) {
    return outlookOf(kernel, launchOf(items, local, nullptr), slots).quickTime.count();
  };
  EXPECT_EQ(time(1024, 1024, 1), 4 * time(1024, 1024, 4)) << "rows are cut";
  kernel.observesGroup = true;
  EXPECT_EQ(time(1024, 1024, 1), time(1024, 1024, 4)) << "a group is not";
  EXPECT_EQ(time(1024, 256, 1), 4 * time(1024, 256, 4));
  kernel.work.steps = {{Op::Number, 0, int64_t{1} << 40}};
  EXPECT_GT(time(uint64_t{1} << 40, 1, 1), 0) << "no overflow";
  kernel.work.steps.clear();
  EXPECT_EQ(time(1024, 256, 1), 0);
}

class OutlooksOfLaunches : public FakePrograms {};

TEST_F(OutlooksOfLaunches, ProfiledQueuesMeasure) {
  fake::KernelDefinition definition;
  definition.info.name = "counts";
  definition.info.work.steps = {{Op::Number, 0, 1000}};
  definition.group = [](const abi::Group*) {};
  fake::define(std::move(definition));
  const ProgramHolder program = this->program("kernel:counts");
  ASSERT_EQ(build(program), CL_SUCCESS);
  for (const bool profiled : {false, true}) {
    cl_int error = 1;
    const KernelHolder kernel(clCreateKernel(program, "counts", &error));
    ASSERT_EQ(error, CL_SUCCESS);
    const QueueHolder queue =
        makeQueue(context_, profiled ? CL_QUEUE_PROFILING_ENABLE : cl_command_queue_properties{0});
    const size_t global = 1 << 20;
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(fake::lastOutlook().measured, profiled);
    EXPECT_GT(fake::lastOutlook().quickTime.count(), 0);
  }
}

}  // namespace
}  // namespace weft::test
