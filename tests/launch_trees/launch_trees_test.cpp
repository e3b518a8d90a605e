// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs whose kernels enqueue others, compared with a plain computation of their sums.
//   LAUNCH_TREES_SEED      the first program; another one each day
//   LAUNCH_TREES_PART      and for each of these numbers; 0
//   LAUNCH_TREES_PROGRAMS  how many; 6
//   LAUNCH_TREES_SECONDS   goes on for so long instead
//   LAUNCH_TREES_PRINT     prints the program of LAUNCH_TREES_SEED and does nothing else
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "api/device_enqueue/fixture.h"
#include "support/test_day.h"
#include "tree.h"

namespace weft::trees {
namespace {

using namespace weft::test;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kProgramsByDefault = 6;
/// Of the same kernel, in flight at once.
constexpr size_t kRuns = 2;
/// A queue in which some tens of launches have room.
constexpr cl_uint kSmallQueue = 16384;
constexpr cl_uint kLargeQueue = 16 << 20;
constexpr std::chrono::minutes kPatience{4};

uint64_t fromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

struct Totals {
  uint64_t programs = 0, launches = 0, items = 0, failing = 0, refused = 0;
};

/// Runs programs on one context.
class Runner {
 public:
  /// What is wrong with it; empty when nothing is.
  std::string run(const Program& program) {
    const Expected expected = simulate(program);
    const ProgramHolder built = buildProgram(
        context_, print(program), program.isDetailed ? "-cl-std=CL3.0 -g" : "-cl-std=CL3.0");
    if (testing::Test::HasFailure()) return "does not build\n";
    std::vector<Run> runs(kRuns);
    for (Run& each : runs) begin(each, program, expected, built);
    std::ostringstream wrong;
    for (Run& each : runs) compare(each, expected, wrong);
    totals.launches += kRuns * expected.launches;
    totals.items += kRuns * expected.items;
    totals.failing += !expected.succeeds;
    return wrong.str();
  }

  Totals totals;

 private:
  struct Run {
    QueueHolder queue;
    KernelHolder kernel;
    MemoryHolder sums, cells, wrong;
    cl_event event = nullptr;
  };

  void begin(Run& run, const Program& program, const Expected& expected, cl_program built) {
    run.queue = makeQueue(context_);
    run.kernel = makeKernel(built, "root");
    run.sums = makeBuffer(context_, std::vector<cl_uint>(expected.sums.size()));
    // With room for launches that should not have been.
    std::vector<cl_int> cells(4 * size_t{expected.cells} + 4096);
    cells[0] = 1 + 2 + static_cast<cl_int>(program.root.range.items());
    run.cells = makeBuffer(context_, cells);
    run.wrong = makeBuffer(context_, std::vector<cl_int>(kComplaints));
    setBuffer(run.kernel, 0, run.sums);
    setBuffer(run.kernel, 1, run.cells);
    setBuffer(run.kernel, 2, run.wrong);
    setArgument(run.kernel, 3, program.number);
    setArgument(run.kernel, 4, other_.get());
    setArgument(run.kernel, 5, small_.get());
    const Range& range = program.root.range;
    EXPECT_EQ(clEnqueueNDRangeKernel(
                  run.queue, run.kernel, range.dimensions, range.offset.data(), range.global.data(),
                  range.hasLocal ? range.local.data() : nullptr, 0, nullptr, &run.event),
              CL_SUCCESS);
    EXPECT_EQ(clFlush(run.queue), CL_SUCCESS);
  }

  void compare(Run& run, const Expected& expected, std::ostream& wrong) {
    const EventHolder holder(run.event);
    const cl_int status = statusOf(run.event);
    const cl_int due =
        expected.succeeds ? CL_COMPLETE : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (status != due) wrong << "ends with " << status << " rather than " << due << "\n";
    const auto sums = readBuffer<cl_uint>(run.queue, run.sums, expected.sums.size());
    for (size_t i = 0; i < sums.size(); ++i)
      if (sums[i] != expected.sums[i])
        wrong << "sum " << i << " is " << sums[i] << " rather than " << expected.sums[i] << "\n";
    const auto cells = readBuffer<cl_int>(run.queue, run.cells, 1);
    if (static_cast<uint32_t>(cells[0]) != expected.cells)
      wrong << cells[0] << " cells rather than " << expected.cells << "\n";
    constexpr const char* kComplaint[kComplaints - 1] = {
        "launches began before the one that they waited for was complete",
        "launches began before their user event was set",
        "launches began before their parent had ended",
        "launches began before their parent's work-group had ended",
        "markers were refused",
        "events were not valid",
        "launches were refused"};
    const auto complaints = readBuffer<cl_int>(run.queue, run.wrong, kComplaints);
    for (size_t i = 0; i + 1 < kComplaints; ++i)
      if (complaints[i] != 0) wrong << complaints[i] << " times: " << kComplaint[i] << "\n";
    totals.refused += static_cast<uint64_t>(complaints[kComplaints - 1]);
  }

  /// What the command ends with; aborts when it does not end, which leaves its seed behind.
  static cl_int statusOf(cl_event event) {
    cl_int status = CL_QUEUED;
    for (const auto begin = Clock::now(); status > CL_COMPLETE;) {
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
      if (status <= CL_COMPLETE) break;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      if (Clock::now() - begin < kPatience) continue;
      std::cerr << "a program does not end" << std::endl;
      std::abort();
    }
    return status;
  }

  ContextHolder context_ = makeContext();
  QueueHolder default_ = makeDeviceQueue(context_, kLargeQueue);
  QueueHolder other_ = makeDeviceQueue(context_, kLargeQueue, false);
  QueueHolder small_ = makeDeviceQueue(context_, kSmallQueue, false);
};

/// An order that is wrong shows in some runs only.
bool isWrong(const Program& program) {
  Runner runner;
  for (int turn = 0; turn < 5; ++turn)
    if (!runner.run(program).empty()) return true;
  return false;
}

TEST(LaunchTrees, HaveTheirSums) {
  // Other programs each day and part; the first of them is named, so that they can be run again.
  const uint64_t ofDay = 1000 * testDay() + 50 * fromEnvironment("LAUNCH_TREES_PART", 0);
  uint64_t seed = fromEnvironment("LAUNCH_TREES_SEED", ofDay);
  if (std::getenv("LAUNCH_TREES_PRINT")) {
    std::cout << print(randomProgram(seed));
    return;
  }
  std::cout << "LAUNCH_TREES_SEED=" << seed << "\n";
  const uint64_t seconds = fromEnvironment("LAUNCH_TREES_SECONDS", 0);
  const uint64_t programs = fromEnvironment("LAUNCH_TREES_PROGRAMS", kProgramsByDefault);
  Runner runner;
  const auto begin = Clock::now();
  for (; seconds ? Clock::now() - begin < std::chrono::seconds(seconds)
                 : runner.totals.programs < programs;
       ++seed, ++runner.totals.programs) {
    // What crashes leaves this behind.
    std::cout << "program " << seed << "\r" << std::flush;
    const Program program = randomProgram(seed);
    const std::string wrong = runner.run(program);
    if (wrong.empty()) continue;
    ADD_FAILURE() << "program " << seed << ":\n" << wrong << print(reduce(program, &isWrong));
    break;
  }
  const Totals& totals = runner.totals;
  std::cout << totals.programs << " programs, " << totals.launches << " launches of "
            << totals.items << " work-items; " << totals.failing << " with failing events, "
            << totals.refused << " launches refused by a full queue and tried again\n";
}

/// A computation that is wrong is found: the sums tell launches apart.
TEST(LaunchTrees, EveryLaunchShowsInTheSums) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Program program = randomProgram(seed);
    const Expected all = simulate(program);
    Program less = program;
    int calls = 0;
    static int* count;
    static Expected whole;
    count = &calls;
    whole = all;
    reduce(std::move(less), [](const Program& smaller) {
      ++*count;
      const Expected now = simulate(smaller);
      if (now.launches != whole.launches && now.items != whole.items)
        EXPECT_NE(now.sums, whole.sums);
      return false;
    });
    EXPECT_GT(calls, 0);
  }
}

}  // namespace
}  // namespace weft::trees
