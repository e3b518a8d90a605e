// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <bit>

#include "unit/runtime/pool_fixture.h"
#include "weft/compiler/launch_plan.h"

namespace weft::runtime::test {
namespace {

/// What the hand-written kernels below get as their arguments.
struct Arguments {
  std::vector<std::atomic<int>>* hits = nullptr;  ///< one for each global linear id
  std::atomic<uint64_t>* groups = nullptr;
  std::atomic<int>* wrong = nullptr;
};

const Arguments& argumentsOf(const abi::Group* group) {
  return *static_cast<const Arguments*>(group->launch->arguments);
}

void hit(const abi::Group* group, uint64_t x, uint64_t y, uint64_t z) {
  const abi::Launch& launch = *group->launch;
  const Arguments& arguments = argumentsOf(group);
  x -= launch.globalOffset[0];
  y -= launch.globalOffset[1];
  z -= launch.globalOffset[2];
  if (x >= launch.globalSize[0] || y >= launch.globalSize[1] || z >= launch.globalSize[2]) {
    ++*arguments.wrong;
    return;
  }
  ++(*arguments.hits)[(z * launch.globalSize[1] + y) * launch.globalSize[0] + x];
}

void flatKernel(const abi::Group* group) {
  ++*argumentsOf(group).groups;
  for (uint64_t z = group->globalBase[2]; z != group->boxEnd[2]; ++z)
    for (uint64_t y = group->globalBase[1]; y != group->boxEnd[1]; ++y)
      for (uint64_t x = group->globalBase[0]; x != group->boxEnd[0]; ++x) hit(group, x, y, z);
}

void groupKernel(const abi::Group* group) {
  const Arguments& arguments = argumentsOf(group);
  ++*arguments.groups;
  for (int d = 0; d < 3; ++d)
    if (group->groupId[d] >= group->launch->numGroups[d]) ++*arguments.wrong;
  for (uint64_t z = 0; z < group->localSize[2]; ++z)
    for (uint64_t y = 0; y < group->localSize[1]; ++y)
      for (uint64_t x = 0; x < group->localSize[0]; ++x)
        hit(group, group->globalBase[0] + x, group->globalBase[1] + y, group->globalBase[2] + z);
}

/// The same for all groups of the box.
void groupsKernel(const abi::Group* first) {
  abi::Group group = *first;
  if (group.boxEnd[0] <= group.globalBase[0]) ++*argumentsOf(first).wrong;
  for (; group.globalBase[0] < first->boxEnd[0]; group.globalBase[0] += group.localSize[0]) {
    groupKernel(&group);
    ++group.groupId[0];
  }
}

void itemKernel(abi::WorkItem* item) {
  for (int d = 0; d < 3; ++d)
    if (item->globalId[d] != item->group->globalBase[d] + item->localId[d] ||
        item->localId[d] >= item->group->localSize[d])
      ++*argumentsOf(item->group).wrong;
  if (item->localId[0] + item->localId[1] + item->localId[2] == 0)
    ++*argumentsOf(item->group).groups;
  hit(item->group, item->globalId[0], item->globalId[1], item->globalId[2]);
}

struct Shape {
  std::array<uint64_t, 3> global;
  std::array<uint64_t, 3> local;
  std::array<uint64_t, 3> offset{};
};

const Shape kShapes[] = {
    {{1, 1, 1}, {1, 1, 1}},
    {{1000, 1, 1}, {64, 1, 1}},  // ragged
    {{4096, 1, 1}, {256, 1, 1}, {7, 0, 0}},
    {{1, 3000, 1}, {1, 16, 1}, {0, 5, 0}},  // rows of one work-item
    {{1, 1, 3000}, {1, 1, 7}},
    {{100003, 1, 1}, {1, 1, 1}},  // prime
    {{37, 41, 13}, {8, 4, 2}, {100, 200, 300}},
    {{64, 64, 1}, {16, 16, 1}},
    {{5000, 3, 1}, {100, 1, 1}, {1, 2, 3}},  // few long rows
    {{3, 5, 1000}, {3, 5, 4}},
    {{200, 7, 3}, {200, 7, 3}},          // one group
    {{10, 10, 10}, {1000, 1000, 1000}},  // the local size exceeds the range
    {{9, 1, 1}, {4, 1, 1}, {~uint64_t{0} - 20, 0, 0}},
};

using Launches = PoolTest;
WEFT_SWEEP_WORKERS(Launches);

TEST_P(Launches, CoverEveryWorkItemOnceInEveryForm) {
  for (const Shape& shape : kShapes) {
    for (const auto& [kind, entry] : {std::pair{EntryKind::Flat, &flatKernel},
                                      {EntryKind::Group, groupKernel},
                                      {EntryKind::Group, groupsKernel},
                                      {EntryKind::Fibers, groupKernel}}) {
      if (kind == EntryKind::Fibers && shape.local[0] * shape.local[1] * shape.local[2] > 4096)
        continue;
      for (const uint64_t frame : {uint64_t{64}, uint64_t{100000}}) {
        LaunchJob job;
        HandWritten& launch = job.launch;
        launch.range = {3, shape.global, shape.offset, shape.local};
        launch.slicing.entryKind = kind;
        launch.groupEntry = entry;
        launch.slicing.groupsPerCall = entry == groupsKernel ? abi::Slicing::kAny : 1;
        launch.itemEntry = itemKernel;
        launch.frameBytes = frame;
        std::vector<std::atomic<int>> hits(launch.range.items());
        std::atomic<uint64_t> groups{0};
        std::atomic<int> wrong{0};
        const Arguments arguments{&hits, &groups, &wrong};
        launch.bindings.arguments = &arguments;
        run(job, frame == 64 ? Drive::Help : Drive::Workers);
        ASSERT_EQ(job.failures(), 0) << job.message();
        ASSERT_EQ(wrong, 0);
        for (const auto& count : hits) ASSERT_EQ(count, 1);
        if (kind != EntryKind::Flat) {
          ASSERT_EQ(groups, launch.range.groups());
        }
      }
    }
  }
}

/// Boxes of one launch run in different forms; their groups are those of the whole range.
TEST_P(Launches, CoverRangesWithEdgesInSeveralForms) {
  compiler::KernelInfo kernel;
  kernel.usesBarrier = kernel.observesGroup = kernel.barrierLoops = true;
  const Shape shapes[] = {{{1000, 1, 1}, {64, 1, 1}}, {{37, 41, 13}, {8, 4, 2}, {100, 200, 300}},
                          {{64, 45, 1}, {64, 2, 1}},  {{1, 3001, 1}, {1, 16, 1}, {0, 5, 0}},
                          {{130, 9, 3}, {64, 3, 2}},  {{10, 10, 10}, {16, 3, 3}}};
  for (const Shape& shape : shapes) {
    const NDRange range{3, shape.global, shape.offset, shape.local};
    const auto plan = compiler::choose(kernel, {.range = range, .slots = GetParam()});
    abi::MachineCode loops, fibers;
    loops.groupEntry = groupsKernel;
    fibers.itemEntry = itemKernel;
    LaunchShape planned;
    planned.kernel = &kernel;
    planned.range = range;
    for (const compiler::PlannedBox& box : plan.boxes()) {
      // Edges as they are planned, and in fibers.
      const bool isFiber = planned.boxCount % 2 == 1;
      const abi::Slicing inFibers{.entryKind = EntryKind::Fibers};
      planned.boxes[planned.boxCount++] = {.begin = box.begin,
                                           .end = box.end,
                                           .slicing = isFiber ? inFibers : box.slicing,
                                           .code = isFiber ? &fibers : &loops};
    }
    executor->slice(planned);
    for (const Drive drive : {Drive::Help, Drive::Workers}) {
      std::vector<std::atomic<int>> hits(range.items());
      std::atomic<uint64_t> groups{0};
      std::atomic<int> wrong{0};
      const Arguments arguments{&hits, &groups, &wrong};
      LaunchJob job;
      job.launch.launch = KernelLaunch(planned, {.arguments = &arguments});
      job.parts = planned.parts;
      finish(job, drive);
      ASSERT_EQ(job.failures(), 0) << job.message();
      ASSERT_EQ(wrong, 0);
      for (const auto& count : hits) ASSERT_EQ(count, 1);
      ASSERT_EQ(groups, range.groups());
    }
  }
}

/// What quick code needs to make better code known while it runs.
struct QuickArguments : Arguments {
  abi::MachineCode* quick = nullptr;
  const abi::MachineCode* better = nullptr;
  std::atomic<uint64_t>* quickCalls = nullptr;
};

/// Counts a call of quick code. The third one makes the better code known.
void quickCall(const abi::Group* group) {
  const auto& arguments = *static_cast<const QuickArguments*>(group->launch->arguments);
  if (++*arguments.quickCalls == 3)
    arguments.quick->better.store(arguments.better, std::memory_order_release);
}

TEST_P(Launches, GoOverToBetterCodeBetweenGroups) {
  for (const EntryKind kind : {EntryKind::Flat, EntryKind::Group, EntryKind::Fibers}) {
    for (const uint64_t frame : {uint64_t{64}, uint64_t{100000}}) {
      LaunchJob job;
      HandWritten& launch = job.launch;
      launch.range = {3, {40, 2000, 1}, {}, {40, 1, 1}};
      launch.slicing.entryKind = kind;
      abi::MachineCode quick, better;
      quick.frameBytes = 300000 - frame;
      quick.groupEntry = [](const abi::Group* group) {
        quickCall(group);
        groupKernel(group);
      };
      if (kind == EntryKind::Flat)
        quick.groupEntry = [](const abi::Group* group) {
          quickCall(group);
          flatKernel(group);
        };
      quick.itemEntry = [](abi::WorkItem* item) {
        if (item->localId[0] == 0) quickCall(item->group);
        itemKernel(item);
      };
      better.frameBytes = frame;
      better.groupEntry = kind == EntryKind::Flat ? flatKernel : groupKernel;
      better.itemEntry = itemKernel;
      launch.groupEntry = quick.groupEntry;
      launch.itemEntry = quick.itemEntry;
      launch.frameBytes = quick.frameBytes;
      launch.provisional = &quick;
      std::vector<std::atomic<int>> hits(launch.range.items());
      std::atomic<uint64_t> groups{0}, quickCalls{0};
      std::atomic<int> wrong{0};
      QuickArguments arguments;
      arguments.hits = &hits;
      arguments.groups = &groups;
      arguments.wrong = &wrong;
      arguments.quick = &quick;
      arguments.better = &better;
      arguments.quickCalls = &quickCalls;
      launch.bindings.arguments = &arguments;
      run(job, frame == 64 ? Drive::Help : Drive::Workers);
      ASSERT_EQ(job.failures(), 0) << job.message();
      ASSERT_EQ(wrong, 0);
      for (const auto& count : hits) ASSERT_EQ(count, 1);
      if (kind == EntryKind::Flat) continue;  // may be one box
      ASSERT_EQ(groups, launch.range.groups());
      ASSERT_GE(quickCalls, 3u);
      ASSERT_LT(quickCalls, 3 + 2 * executor->slots());
    }
  }
}

TEST_P(Launches, FillTheAbiBlock) {
  HandWritten launch;
  launch.range = {2, {10, 20, 1}, {1, 2, 0}, {4, 5, 1}};
  launch.subGroupSize = 16;
  int argument = 0, scope = 0;
  launch.bindings.arguments = &argument;
  launch.bindings.programScope = &scope;
  launch.slice(*executor);
  EXPECT_EQ(launch.launch.abi.workDim, 2u);
  EXPECT_EQ(launch.launch.abi.subGroupSize, 16u);
  EXPECT_EQ(launch.launch.abi.globalSize[1], 20u);
  EXPECT_EQ(launch.launch.abi.globalOffset[0], 1u);
  EXPECT_EQ(launch.launch.abi.enqueuedLocalSize[1], 5u);
  EXPECT_EQ(launch.launch.abi.numGroups[0], 3u);
  EXPECT_EQ(launch.launch.abi.numGroups[1], 4u);
  EXPECT_EQ(launch.launch.abi.numGroups[2], 1u);
  EXPECT_EQ(launch.launch.abi.arguments, &argument);
  EXPECT_EQ(launch.launch.abi.programScope, &scope);
}

TEST_P(Launches, PlanningHugeRangesTakesNoTime) {
  for (const EntryKind kind : {EntryKind::Flat, EntryKind::Group, EntryKind::Fibers}) {
    for (const Shape& shape :
         {Shape{{uint64_t{1} << 63, 1, 1}, {1, 1, 1}}, Shape{{1, uint64_t{1} << 63, 1}, {1, 1, 1}},
          Shape{{1 << 21, 1 << 21, 1 << 21}, {1, 1, 1}}, Shape{{~uint64_t{0}, 1, 1}, {4096, 1, 1}},
          Shape{{~uint64_t{0}, 1, 1}, {~uint64_t{0}, 1, 1}}}) {
      HandWritten launch;
      launch.slicing.entryKind = kind;
      launch.range = {3, shape.global, {}, shape.local};
      launch.slice(*executor);
      EXPECT_GE(launch.shape.parts, 1u);
      EXPECT_LE(launch.shape.parts, 1000u * GetParam());
      EXPECT_GE(launch.shape.parts, std::min<uint64_t>(launch.slices().units, GetParam()));
      // The last part is not empty, and there is none behind it.
      EXPECT_LT((launch.shape.parts - 1) * launch.slices().unitsPerPart, launch.slices().units);
      EXPECT_GE(launch.shape.parts * launch.slices().unitsPerPart, launch.slices().units);
    }
  }
}

TEST_P(Launches, PartsOfTilesDoNotPartRowsThatBelongTogether) {
  for (const uint64_t rows : {1056u, 1999u, 4096u, 20'000u}) {
    HandWritten launch;
    launch.slicing.entryKind = EntryKind::Flat;
    launch.range = {2, {2048, rows, 1}, {}, {1, 1, 1}};
    launch.slice(*executor);
    const size_t asRowsCome = launch.shape.parts;
    launch.slicing.rowsTogether = 64;
    launch.slice(*executor);
    const uint64_t each = launch.slices().unitsPerPart;
    EXPECT_EQ(each % std::min<uint64_t>(std::bit_floor(each), 64), 0u);
    EXPECT_GE(launch.shape.parts, asRowsCome);
    EXPECT_LE(launch.shape.parts, 2 * asRowsCome);
    EXPECT_GE(launch.shape.parts * each, rows);
  }
}

TEST_P(Launches, EverySlotGetsAShareOfAFewWorkItems) {
  for (const EntryKind kind : {EntryKind::Flat, EntryKind::Group, EntryKind::Fibers}) {
    for (const uint64_t items : {uint64_t{1}, uint64_t{GetParam()}, uint64_t{GetParam()} * 3}) {
      HandWritten launch;
      launch.slicing.entryKind = kind;
      launch.range.globalSize[0] = items;
      launch.slice(*executor);
      EXPECT_GE(launch.shape.parts, GetParam() == 1 ? 1 : std::min<uint64_t>(items, GetParam()));
    }
  }
}

/// Counts boxes that are not whole rows of lanes along a dimension.
template <size_t d>
void wholeRowsKernel(const abi::Group* group) {
  if ((group->boxEnd[d] - group->globalBase[d]) % abi::kRowMultiple != 0)
    ++*argumentsOf(group).wrong;
  flatKernel(group);
}

TEST_P(Launches, WholeRowsAreCutWhereLanesEnd) {
  constexpr abi::GroupEntry kEntries[] = {wholeRowsKernel<0>, wholeRowsKernel<1>,
                                          wholeRowsKernel<2>};
  for (const std::array<uint64_t, 3>& size : {std::array<uint64_t, 3>{64, 1, 1},
                                              {640, 1, 1},
                                              {192, 3, 1},
                                              {128, 9, 2},
                                              {3, 192, 2},
                                              {5, 2, 320},
                                              {1, 64 * 1000, 1},
                                              {64 * 1000, 1, 1}}) {
    std::vector<std::atomic<int>> hits(size[0] * size[1] * size[2]);
    std::atomic<uint64_t> groups{0};
    std::atomic<int> wrong{0};
    const Arguments arguments{&hits, &groups, &wrong};
    LaunchJob job;
    HandWritten& launch = job.launch;
    launch.slicing.entryKind = EntryKind::Flat;
    const auto rows = static_cast<size_t>(std::ranges::max_element(size) - size.begin());
    launch.groupEntry = kEntries[rows];
    launch.slicing.rowDimension = static_cast<uint32_t>(rows);
    launch.slicing.rowMultiple = abi::kRowMultiple;
    launch.range = {3, size, {7, 1, 0}, {1, 1, 1}};
    launch.bindings.arguments = &arguments;
    run(job, Drive::Workers);
    EXPECT_EQ(job.failures(), 0) << job.message();
    EXPECT_EQ(wrong, 0);
    EXPECT_TRUE(std::ranges::all_of(hits, [](const auto& count) { return count == 1; }));
  }
}

TEST_P(Launches, CodeIsNotCalledForWhatItWasNotMadeFor) {
  struct Wrong {
    NDRange range;
    abi::Slicing slicing;
  };
  const Wrong wrongs[] = {
      {{1, {36, 1, 1}, {}, {1, 1, 1}}, {.entryKind = EntryKind::Flat, .rowMultiple = 64}},
      {{1, {96, 1, 1}, {}, {32, 1, 1}}, {.entryKind = EntryKind::Group, .rowMultiple = 64}},
      {{1, {20, 1, 1}, {}, {32, 1, 1}}, {.entryKind = EntryKind::Group, .groupSize = {32, 1, 1}}},
      {{2, {32, 5, 1}, {}, {32, 8, 1}}, {.entryKind = EntryKind::Fibers, .groupSize = {32, 8, 1}}}};
  for (const Wrong& wrong : wrongs) {
    LaunchJob job;
    job.launch.range = wrong.range;
    job.launch.slicing = wrong.slicing;
    job.launch.groupEntry = [](const abi::Group*) { std::abort(); };
    job.launch.itemEntry = [](abi::WorkItem*) { std::abort(); };
    run(job);
    EXPECT_GE(job.failures(), 1);
    EXPECT_EQ(job.kind(), FailureKind::WrongSlicing);
  }
}

void sharedArena(const abi::Group* group) {
  auto* memory = group->localMemory;
  const auto bytes = *static_cast<const uint64_t*>(group->launch->arguments);
  if (reinterpret_cast<uintptr_t>(memory) % abi::kLocalMemoryAlignment != 0) std::abort();
  std::memset(memory, static_cast<int>(group->groupId[0]), bytes);
  std::this_thread::yield();
  for (uint64_t i = 0; i < bytes; ++i)
    if (memory[i] != static_cast<uint8_t>(group->groupId[0])) std::abort();
}

TEST_P(Launches, GroupsHaveLocalMemoryOfTheirOwn) {
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, uint64_t{1000}, kLocalBytes}) {
    LaunchJob job;
    job.launch.range = {1, {200, 1, 1}, {}, {1, 1, 1}};
    job.launch.groupEntry = sharedArena;
    job.launch.bindings.localBytes = bytes;
    job.launch.bindings.arguments = &bytes;
    run(job, Drive::Workers);
    EXPECT_EQ(job.failures(), 0);
  }
}

TEST_P(Launches, TooMuchLocalMemoryFails) {
  LaunchJob job;
  job.launch.kernel.name = "hungry";
  job.launch.groupEntry = [](const abi::Group*) { std::abort(); };
  for (const uint64_t bytes : {kLocalBytes + 1, ~uint64_t{0}}) {
    job.launch.bindings.localBytes = bytes;
    job.rearm();
    run(job);
    EXPECT_EQ(job.kind(), FailureKind::OutOfResources);
    EXPECT_NE(job.message().find("hungry"), std::string::npos);
  }
  EXPECT_EQ(job.failures(), 2);
}

TEST_P(Launches, StacksBeyondReasonFail) {
  for (const EntryKind kind : {EntryKind::Flat, EntryKind::Group, EntryKind::Fibers}) {
    for (const uint64_t frame : {uint64_t{1} << 34, uint64_t{1} << 50, ~uint64_t{0}}) {
      LaunchJob job;
      job.launch.range = {1, {4096, 1, 1}, {}, {4096, 1, 1}};
      job.launch.slicing.entryKind = kind;
      job.launch.groupEntry = [](const abi::Group*) { std::abort(); };
      job.launch.itemEntry = [](abi::WorkItem*) { std::abort(); };
      job.launch.frameBytes = frame;
      run(job);
      EXPECT_GE(job.failures(), 1);
      EXPECT_EQ(job.kind(), FailureKind::OutOfResources);
    }
  }
}

void usesStack(abi::WorkItem* item) {
  volatile char frame[200000];
  for (size_t i = 0; i < sizeof(frame); i += 4096) frame[i] = static_cast<char>(i);
  ++*static_cast<std::atomic<int>*>(const_cast<void*>(item->group->launch->arguments));
}

TEST_P(Launches, StacksOfManySizesComeAndGo) {
  if (GetParam() > 8) GTEST_SKIP() << "the same slots again";
  for (const uint64_t items : {1, 16, 200, 64, 256, 3}) {
    for (const uint64_t frame : {uint64_t{200100}, uint64_t{1000000}, uint64_t{400000}}) {
      std::atomic<int> count{0};
      LaunchJob job;
      job.launch.range = {1, {items, 1, 1}, {}, {items, 1, 1}};
      job.launch.slicing.entryKind = EntryKind::Fibers;
      job.launch.itemEntry = usesStack;
      job.launch.frameBytes = frame;
      job.launch.bindings.arguments = &count;
      run(job);
      ASSERT_EQ(job.failures(), 0) << job.message();
      ASSERT_EQ(static_cast<uint64_t>(count), items);
    }
  }
}

}  // namespace
}  // namespace weft::runtime::test
