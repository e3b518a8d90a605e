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

NDRange rangeOf(uint64_t items, uint64_t local) {
  return {.globalSize = {items, 1, 1}, .localSize = {local, 1, 1}};
}

TEST(LaunchOutlooks, ArgumentsSayHowLongLoopsAre) {
  const compiler::KernelInfo kernel = loopOverArgument();
  Block block{.buffer = nullptr, .n = 1};
  const NDRange range = rangeOf(64, 1);
  EXPECT_EQ(instructionsPerItem(kernel.work, range, &block), 15);
  const auto shortTime = quickTimeOf(kernel, range, &block, 2);
  EXPECT_LT(shortTime, std::chrono::microseconds(10));
  block.n = 100'000;
  EXPECT_EQ(instructionsPerItem(kernel.work, range, &block), 500'010);
  EXPECT_GT(quickTimeOf(kernel, range, &block, 2), 1000 * shortTime);
  block.n = -5;
  EXPECT_EQ(instructionsPerItem(kernel.work, range, &block), 10);
  EXPECT_EQ(instructionsPerItem(kernel.work, range, nullptr), 10 + 5 * WorkFormula::kUnknownTrips);
}

TEST(LaunchOutlooks, RangesSayHowMuchThereIs) {
  compiler::KernelInfo kernel;
  kernel.work.steps = {{Op::GlobalSize, 0, 0}, {Op::Number, 0, 2},   {Op::Divide, 0, 0},
                       {Op::LocalSize, 0, 0},  {Op::Smallest, 0, 0}, {Op::GroupCount, 0, 0},
                       {Op::Add, 0, 0}};
  EXPECT_EQ(instructionsPerItem(kernel.work, rangeOf(64, 16), nullptr), 16 + 4);
  EXPECT_EQ(instructionsPerItem(kernel.work, rangeOf(16, 16), nullptr), 8 + 1);
  kernel.work.steps = {{Op::Number, 0, 1000}};
  const auto time = [&](uint64_t items, uint64_t local, unsigned slots) {
    return quickTimeOf(kernel, rangeOf(items, local), nullptr, slots).count();
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
