// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How launches run: forms, widths, and what code may take for granted.
#include "weft/compiler/launch_plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

#include "weft/abi/image.h"

namespace weft::compiler {
namespace {

constexpr uint32_t kSubGroupSize = 32;
constexpr std::array<uint32_t, 3> kAnySize{};

KernelInfo kernelWith(bool barrier, bool observes) {
  KernelInfo kernel;
  kernel.usesBarrier = barrier;
  kernel.observesGroup = observes;
  return kernel;
}

PlannedBox boxOf(const KernelInfo& kernel, const NDRange& range, const Overrides& overrides = {},
                 unsigned slots = 1) {
  const LaunchPlan plan =
      choose(kernel, {.range = range, .slots = slots, .subGroupSize = kSubGroupSize}, overrides);
  EXPECT_EQ(flawOf(plan, range), "");
  return plan.boxes().front();
}

VariantKey keyOf(const KernelInfo& kernel, const NDRange& range, const Overrides& overrides = {},
                 unsigned slots = 1) {
  return boxOf(kernel, range, overrides, slots).key;
}

Form formOf(bool barrier, bool observes, std::optional<Form> forced = std::nullopt) {
  return keyOf(kernelWith(barrier, observes), {}, {.form = forced}).form;
}

TEST(LaunchPlans, FactsDecideOnTheForm) {
  EXPECT_EQ(formOf(false, false), Form::Flat);
  EXPECT_EQ(formOf(false, true), Form::GroupLoop);
  EXPECT_EQ(formOf(true, false), Form::Fibers);
  EXPECT_EQ(formOf(true, true), Form::Fibers);
}

TEST(LaunchPlans, ForcedFormsStayLegal) {
  for (const Form forced : {Form::Flat, Form::GroupLoop, Form::Fibers, Form::BarrierLoops}) {
    for (const bool barrier : {false, true}) {
      for (const bool observes : {false, true}) {
        const KernelInfo kernel = kernelWith(barrier, observes);
        const Form form = formOf(barrier, observes, forced);
        EXPECT_TRUE(isLegalForm(kernel, form, {1, 1, 1}));
        if (isLegalForm(kernel, forced, {1, 1, 1})) {
          EXPECT_EQ(form, forced);
        }
      }
    }
  }
  EXPECT_EQ(formOf(false, true, Form::Flat), Form::GroupLoop);
  EXPECT_EQ(formOf(true, true, Form::Flat), Form::Fibers);
  EXPECT_EQ(formOf(false, false, Form::Fibers), Form::Fibers);
  EXPECT_EQ(formOf(false, false, Form::BarrierLoops), Form::GroupLoop);
}

TEST(LaunchPlans, BarrierLoopsNeedWholeGroupsAndRoomForWhatTheyKeep) {
  KernelInfo kernel = kernelWith(true, true);
  kernel.barrierLoops = true;
  const NDRange whole{.globalSize = {256, 4, 1}, .localSize = {64, 2, 1}};
  const VariantKey key = keyOf(kernel, whole);
  EXPECT_EQ(key.form, Form::BarrierLoops);
  EXPECT_EQ(key.localSize, (std::array<uint32_t, 3>{64, 2, 1}));
  kernel.barrierLoops = false;
  kernel.barrierLoopsInRows = true;
  EXPECT_EQ(keyOf(kernel, whole).form, Form::Fibers);
  const NDRange rows{.globalSize = {256, 4, 1}, .localSize = {64, 1, 1}};
  EXPECT_EQ(keyOf(kernel, rows).form, Form::BarrierLoops);
  kernel.barrierLoops = true;
  kernel.contextBytes = uint64_t{1} << 20;
  EXPECT_EQ(keyOf(kernel, whole).form, Form::Fibers);
  EXPECT_EQ(keyOf(kernel, whole, {.form = Form::BarrierLoops}).form, Form::BarrierLoops);
}

TEST(LaunchPlans, GroupsOfRowsGoThroughSharedLoopsInLockstep) {
  KernelInfo kernel = kernelWith(false, true);
  kernel.lockstepLoops = true;
  kernel.contextBytes = 64;
  const NDRange rows{.dimensions = 2, .globalSize = {256, 64, 1}, .localSize = {16, 8, 1}};
  const auto formOf = [&](const NDRange& range, const Overrides& overrides = {}) {
    return keyOf(kernel, range, overrides).form;
  };
  EXPECT_EQ(formOf(rows), Form::BarrierLoops);
  EXPECT_EQ(keyOf(kernel, rows).localSize, (std::array<uint32_t, 3>{16, 8, 1}));
  EXPECT_EQ(formOf(rows, {.form = Form::GroupLoop}), Form::GroupLoop);
  EXPECT_EQ(formOf(rows, {.fixedSize = false}), Form::GroupLoop);
  NDRange other = rows;
  other.localSize = {128, 1, 1};
  EXPECT_EQ(formOf(other), Form::GroupLoop) << "one row";
  other = rows;
  other.globalSize = {250, 64, 1};
  const LaunchPlan plan = choose(kernel, {.range = other});
  EXPECT_EQ(flawOf(plan, other), "");
  ASSERT_EQ(plan.boxes().size(), 2u);
  EXPECT_EQ(plan.key().form, Form::BarrierLoops);
  kernel.rowDimension = 1;
  EXPECT_EQ(formOf(rows), Form::BarrierLoops);
  EXPECT_EQ(keyOf(kernel, rows).rowDimension, 1u);
  EXPECT_EQ(keyOf(kernel, rows, {.rowDimension = 0}).rowDimension, 0u);
  other = rows;
  other.localSize = {32, 4, 1};
  EXPECT_EQ(formOf(other), Form::GroupLoop) << "rows too short for lanes";
  kernel.rowDimension = 0;
  kernel.contextBytes = uint64_t{1} << 20;
  EXPECT_EQ(formOf(rows), Form::GroupLoop) << "too much to keep";
  kernel.contextBytes = 64;
  kernel.observesGroup = false;
  EXPECT_EQ(formOf(rows), Form::Flat);
  kernel.lockstepLoops = false;
  EXPECT_EQ(formOf(rows, {.form = Form::BarrierLoops}), Form::GroupLoop);
}

TEST(LaunchPlans, EdgesDoNotKeepTheOtherGroupsFromTheirForm) {
  KernelInfo kernel = kernelWith(true, true);
  kernel.barrierLoops = true;
  const NDRange cube{.dimensions = 3, .globalSize = {250, 10, 7}, .localSize = {64, 4, 2}};
  const LaunchPlan plan = choose(kernel, {.range = cube});
  EXPECT_EQ(flawOf(plan, cube), "");
  ASSERT_EQ(plan.boxes().size(), 8u) << "as many as there are sizes of groups";
  EXPECT_EQ(plan.key().form, Form::BarrierLoops);
  EXPECT_EQ(plan.key().localSize, (std::array<uint32_t, 3>{64, 4, 2}));
  EXPECT_EQ(plan.boxes()[0].end, (std::array<uint64_t, 3>{192, 8, 6}));
  const uint32_t sizes[] = {58, 2, 1};
  for (const PlannedBox& edge : plan.boxes().subspan(1)) {
    EXPECT_EQ(edge.key.form, Form::BarrierLoops);
    unsigned smaller = 0;
    size_t last = 0;
    for (size_t d = 0; d < 3; ++d)
      if (edge.begin[d] != 0) last = d, ++smaller;
    EXPECT_EQ(edge.key.smallerGroups, smaller != 1);
    std::array<uint32_t, 3> size{64, 4, 2};
    if (smaller == 1) size[last] = sizes[last];
    EXPECT_EQ(edge.key.localSize, size);
    EXPECT_EQ(edge.slicing.groupSize, smaller == 1 ? size : kAnySize);
  }
  const NDRange large{.dimensions = 3, .globalSize = {64001, 4001, 2001}, .localSize = {64, 4, 2}};
  const LaunchPlan few = choose(kernel, {.range = large});
  EXPECT_EQ(flawOf(few, large), "");
  ASSERT_EQ(few.boxes().size(), 4u) << "a slab at the end of each dimension, of few groups";
  for (const PlannedBox& edge : few.boxes().subspan(1)) {
    EXPECT_EQ(edge.key, few.boxes()[1].key);
    EXPECT_TRUE(edge.key.smallerGroups);
    EXPECT_EQ(edge.key.localSize, few.key().localSize);
    EXPECT_EQ(edge.slicing.groupSize, kAnySize);
  }
  const auto boxesOf = [&](const NDRange& range, const Overrides& overrides = {}) {
    const LaunchPlan plan = choose(kernel, {.range = range}, overrides);
    EXPECT_EQ(flawOf(plan, range), "");
    return plan.boxes().size();
  };
  const NDRange row{.globalSize = {1000, 1, 1}, .localSize = {64, 1, 1}};
  EXPECT_EQ(boxesOf(row), 2u);
  const auto edgeOf = [&](const Overrides& overrides) {
    return choose(kernel, {.range = row}, overrides).boxes()[1].key;
  };
  EXPECT_EQ(edgeOf({}).localSize, (std::array<uint32_t, 3>{40, 1, 1}));
  EXPECT_FALSE(edgeOf({}).smallerGroups);
  EXPECT_EQ(edgeOf({.fixedSize = false}).localSize, (std::array<uint32_t, 3>{64, 1, 1}));
  EXPECT_TRUE(edgeOf({.fixedSize = false}).smallerGroups);
  EXPECT_EQ(boxesOf(row, {.form = Form::Fibers, .width = 1}), 1u) << "the same code";
  const NDRange allEdge{.globalSize = {40, 1, 1}, .localSize = {64, 1, 1}};
  EXPECT_EQ(boxesOf(allEdge), 1u);
  EXPECT_TRUE(keyOf(kernel, allEdge).smallerGroups);
  EXPECT_EQ(boxesOf({.globalSize = {1024, 1, 1}, .localSize = {64, 1, 1}}), 1u);
  kernel = kernelWith(false, true);
  const NDRange shortRows{.dimensions = 2, .globalSize = {160, 30, 1}, .localSize = {16, 4, 1}};
  EXPECT_EQ(boxesOf(shortRows), 2u);
  EXPECT_TRUE(keyOf(kernel, shortRows).localSize != kAnySize);
  EXPECT_TRUE(keyOf(kernel, row).wholeRows);
  EXPECT_EQ(boxesOf({.globalSize = {1000, 1, 1}, .localSize = {96, 1, 1}}), 1u) << "the same code";
  EXPECT_EQ(boxesOf({.globalSize = {256, 7, 1}, .localSize = {64, 2, 1}}), 1u) << "whole rows too";
  kernel.observesGroup = false;
  EXPECT_EQ(boxesOf(row), 1u) << "no groups";
}

TEST(LaunchPlans, WholeRowsAreThoseThatFillLanesAndLeaveWorkForAll) {
  KernelInfo kernel = kernelWith(false, false);
  const auto isWhole = [&](const NDRange& range, const Overrides& overrides = {}) {
    return keyOf(kernel, range, overrides, /*slots=*/4).wholeRows;
  };
  EXPECT_TRUE(isWhole({.globalSize = {256, 1, 1}, .localSize = {5, 1, 1}}));
  EXPECT_TRUE(isWhole({.globalSize = {64, 4, 1}}));
  EXPECT_FALSE(isWhole({.globalSize = {192, 1, 1}})) << "a slot would have nothing to do";
  EXPECT_TRUE(isWhole({.globalSize = {192, 1, 1}}, {.wholeRows = true}));
  EXPECT_FALSE(isWhole({.globalSize = {1000, 1, 1}}));
  EXPECT_FALSE(isWhole({.globalSize = {1000, 1, 1}}, {.wholeRows = true}));
  EXPECT_FALSE(isWhole({.globalSize = {256, 1, 1}}, {.wholeRows = false}));
  EXPECT_FALSE(isWhole({.globalSize = {uint64_t{1} << 32, 1, 1}})) << "no lanes";
  EXPECT_FALSE(isWhole({.globalSize = {256, 1, 1}}, {.width = 1}));
  kernel.observesGroup = true;
  EXPECT_TRUE(isWhole({.globalSize = {256, 3, 1}, .localSize = {128, 3, 1}}));
  EXPECT_FALSE(isWhole({.globalSize = {100, 1, 1}, .localSize = {128, 1, 1}}));
  EXPECT_FALSE(isWhole({.globalSize = {256, 1, 1}, .localSize = {32, 1, 1}}));
  kernel.usesBarrier = true;
  EXPECT_TRUE(isWhole({.globalSize = {256, 1, 1}, .localSize = {64, 1, 1}}));
  EXPECT_FALSE(isWhole({.globalSize = {256, 1, 1}, .localSize = {96, 1, 1}}));
}

TEST(LaunchPlans, TilesAreForKernelsThatGainAndDoNotCutRows) {
  KernelInfo kernel = kernelWith(false, false);
  const NDRange square{.dimensions = 2, .globalSize = {2048, 2048, 1}};
  EXPECT_EQ(boxOf(kernel, square).slicing.tileColumns, abi::Slicing::kAny);
  EXPECT_EQ(boxOf(kernel, square).slicing.rowsTogether, 1u);
  kernel.rowOrder = RowOrder::Tiles;
  EXPECT_EQ(boxOf(kernel, square).slicing.tileColumns, 64u);
  EXPECT_EQ(boxOf(kernel, square).slicing.rowsTogether, 64u);
  EXPECT_TRUE(keyOf(kernel, square).wholeRows);
  kernel.rowOrder = RowOrder::Columns;
  EXPECT_LT(boxOf(kernel, square).slicing.tileColumns, 64u) << "columns collide in the cache";
  EXPECT_FALSE(keyOf(kernel, square).wholeRows);
  EXPECT_FALSE(keyOf(kernel, square, {.wholeRows = true}).wholeRows);
  const NDRange odd{.dimensions = 2, .globalSize = {2048, 2000, 1}};
  EXPECT_EQ(boxOf(kernel, odd).slicing.tileColumns, 64u);
  EXPECT_TRUE(keyOf(kernel, odd).wholeRows);
}

TEST(LaunchPlans, RowsThatShareRunInGroupsOfTheirSize) {
  KernelInfo kernel = kernelWith(false, false);
  const NDRange square{.dimensions = 2, .globalSize = {256, 256, 1}, .localSize = {64, 8, 1}};
  EXPECT_EQ(keyOf(kernel, square).form, Form::Flat);
  kernel.sharedRow = 64;
  const VariantKey key = keyOf(kernel, square);
  EXPECT_EQ(key.form, Form::GroupLoop);
  EXPECT_EQ(key.localSize, (std::array<uint32_t, 3>{64, 8, 1}));
  const auto formOf = [&](const NDRange& range, const Overrides& overrides = {}) {
    return keyOf(kernel, range, overrides).form;
  };
  EXPECT_EQ(formOf(square, {.width = 1}), Form::Flat);
  EXPECT_EQ(formOf(square, {.fixedSize = false}), Form::Flat);
  NDRange other = square;
  other.localSize = {256, 1, 1};
  EXPECT_EQ(formOf(other), Form::Flat) << "one row";
  other.localSize = {128, 2, 1};
  EXPECT_EQ(formOf(other), Form::Flat) << "long rows";
  other = {.dimensions = 2, .globalSize = {264, 256, 1}, .localSize = {22, 8, 1}};
  EXPECT_EQ(formOf(other), Form::Flat) << "rows that leave lanes over";
  other = square;
  other.localSize = {8, 8, 1};
  EXPECT_EQ(formOf(other), Form::Flat) << "rows of half a register";
  other.localSize = {4, 64, 1};
  EXPECT_EQ(formOf(other), Form::Flat) << "rows that fill no lanes";
  other.localSize = {48, 8, 1};
  EXPECT_EQ(formOf(other), Form::Flat) << "groups of several sizes";
  kernel.observesGroup = true;
  EXPECT_EQ(keyOf(kernel, square).localSize, key.localSize);
  kernel.usesBarrier = kernel.barrierLoops = true;
  EXPECT_EQ(formOf(square), Form::BarrierLoops);
}

TEST(LaunchPlans, RowsAreAlongTheKernelsDimensionWhereTheyAreLong) {
  KernelInfo kernel = kernelWith(false, false);
  const auto dimensionOf = [&](const NDRange& range, const Overrides& overrides = {}) {
    const PlannedBox box = boxOf(kernel, range, overrides);
    EXPECT_EQ(box.slicing.rowDimension, box.key.rowDimension);
    return box.key.rowDimension;
  };
  const NDRange square{.dimensions = 2, .globalSize = {256, 128, 1}};
  const NDRange column{.dimensions = 2, .globalSize = {1, 1000, 1}};
  EXPECT_EQ(dimensionOf(square), 0u);
  EXPECT_EQ(dimensionOf(column), 1u) << "rows of one work-item";
  EXPECT_EQ(dimensionOf({.dimensions = 3, .globalSize = {2, 40, 100}}), 2u);
  EXPECT_EQ(dimensionOf({.dimensions = 2, .globalSize = {2, 7, 1}}), 0u) << "all are short";
  EXPECT_EQ(dimensionOf(square, {.rowDimension = 1}), 1u);
  EXPECT_EQ(dimensionOf(square, {.rowDimension = 2}), 0u) << "there is only one";
  EXPECT_EQ(dimensionOf(square, {.rowDimension = 3}), 0u);
  kernel.rowDimension = 1;
  EXPECT_EQ(dimensionOf(square), 1u);
  EXPECT_TRUE(boxOf(kernel, square).key.wholeRows);
  EXPECT_FALSE(boxOf(kernel, {.dimensions = 2, .globalSize = {128, 100, 1}}).key.wholeRows);
  EXPECT_EQ(dimensionOf(square, {.rowDimension = 0}), 0u);
  EXPECT_EQ(dimensionOf({.dimensions = 2, .globalSize = {256, 3, 1}}), 0u) << "too short";
  EXPECT_EQ(dimensionOf(square, {.form = Form::Fibers}), 0u);
  kernel.observesGroup = true;
  EXPECT_EQ(dimensionOf({.dimensions = 2, .globalSize = {64, 64, 1}, .localSize = {8, 8, 1}}), 1u);
  EXPECT_EQ(dimensionOf({.dimensions = 2, .globalSize = {64, 64, 1}, .localSize = {64, 1, 1}}), 0u);
  kernel.usesSubGroups = true;
  EXPECT_EQ(dimensionOf({.dimensions = 2, .globalSize = {64, 64, 1}, .localSize = {8, 8, 1}}), 0u);
}

TEST(LaunchPlans, LanesAreToldOfLaunchesInWhichNoIndexWraps) {
  KernelInfo kernel = kernelWith(false, true);
  LaunchFacts facts{.range = {.globalSize = {256, 1, 1}, .localSize = {64, 1, 1}}};
  EXPECT_TRUE(choose(kernel, facts).key().exactIndices) << "it asks for nothing";
  // Ids and an argument make up to 2^31 - 1.
  using Op = LaunchCondition::Op;
  kernel.argumentBytes = 4;
  kernel.exactIndices.steps = {{.op = Op::GlobalId},
                               {.op = Op::Argument, .size = 4},
                               {.op = Op::Add, .left = 0, .right = 1},
                               {.op = Op::Fits, .size = 32, .left = 2}};
  int32_t argument = INT32_MAX - 255;
  EXPECT_TRUE(hasExactIndices(kernel, facts.range, &argument));
  ++argument;
  EXPECT_FALSE(hasExactIndices(kernel, facts.range, &argument));
  EXPECT_FALSE(choose(kernel, facts).key().exactIndices);
  facts.exactIndices = true;
  EXPECT_TRUE(choose(kernel, facts).key().exactIndices);
  EXPECT_FALSE(choose(kernel, facts, {.plainIndices = true}).key().exactIndices);
  EXPECT_FALSE(choose(kernel, facts, {.width = 1}).key().exactIndices);
}

TEST(LaunchPlans, LanesAreToldOfLaunchesWhoseBuffersDoNotOverlap) {
  KernelInfo kernel = kernelWith(false, true);
  LaunchFacts facts{.range = {.globalSize = {256, 1, 1}, .localSize = {64, 1, 1}},
                    .separateBuffers = true};
  const auto give = [&](ArgumentKind kind) { kernel.arguments.emplace_back().kind = kind; };
  give(ArgumentKind::GlobalPointer);
  give(ArgumentKind::ConstantPointer);
  give(ArgumentKind::LocalPointer);
  EXPECT_FALSE(asksForSeparateBuffers(kernel));
  EXPECT_FALSE(choose(kernel, facts).key().separateBuffers) << "all launches have the same code";
  give(ArgumentKind::GlobalPointer);
  EXPECT_TRUE(asksForSeparateBuffers(kernel));
  EXPECT_TRUE(choose(kernel, facts).key().separateBuffers);
  EXPECT_FALSE(choose(kernel, facts, {.anyBuffers = true}).key().separateBuffers);
  EXPECT_FALSE(choose(kernel, facts, {.width = 1}).key().separateBuffers);
  facts.separateBuffers = false;
  EXPECT_FALSE(choose(kernel, facts).key().separateBuffers);
}

TEST(LaunchPlans, CodeIsForTheImagesAndSamplersOfTheLaunch) {
  KernelInfo kernel = kernelWith(false, false);
  kernel.argumentBytes = 32;
  for (const ArgumentKind kind :
       {ArgumentKind::Image, ArgumentKind::Value, ArgumentKind::Sampler, ArgumentKind::Image}) {
    ArgumentInfo& argument = kernel.arguments.emplace_back();
    argument.kind = kind;
    argument.offset = static_cast<uint32_t>(8 * (kernel.arguments.size() - 1));
    argument.size = 8;
  }
  kernel.imageArguments = {0, 2};
  abi::Image image{};
  image.format = abi::imageFormat(3, 6);
  uint64_t block[4] = {reinterpret_cast<uint64_t>(&image), 5, 0x22, 0};
  EXPECT_EQ(imageClassesOf(kernel, block), (ImageClasses{0x603, 0x23}));
  block[2] = uint64_t{1} << abi::kSamplerLodMinShift;
  EXPECT_EQ(imageClassesOf(kernel, block), (ImageClasses{0x603, 0})) << "levels are left general";
  block[0] = 0;
  EXPECT_EQ(imageClassesOf(kernel, block), ImageClasses{});

  const LaunchFacts facts{.range = {}, .images = {0x603, 0x23}};
  EXPECT_EQ(choose(kernel, facts).key().images, facts.images);
  EXPECT_EQ(choose(kernel, facts, {.width = 1}).key().images, facts.images);
  EXPECT_EQ(choose(kernel, facts, {.anyImages = true}).key().images, ImageClasses{});
  EXPECT_EQ(choose(kernel, facts, plainest(kernel, {})).key().images, ImageClasses{});
}

TEST(LaunchPlans, ReductionsAreOfEachThreadsOwnWhereTheLaunchHasCopies) {
  KernelInfo kernel = kernelWith(false, false);
  using enum ReductionElements;
  for (const ReductionElements own : {Own, OwnSettled}) {
    KernelInfo ofNone = kernelWith(false, false);
    const LaunchFacts facts{.range = {}, .reductions = own};
    EXPECT_EQ(choose(ofNone, facts).key().reductions, Shared);
    KernelInfo kernel = ofNone;
    kernel.reductions = {{}};
    EXPECT_EQ(choose(kernel, facts).key().reductions, own);
    EXPECT_EQ(choose(kernel, facts, {.width = 1}).key().reductions, own);
    EXPECT_EQ(choose(kernel, facts, {.sharedReductions = true}).key().reductions, Shared);
    EXPECT_EQ(choose(kernel, facts, plainest(kernel, {})).key().reductions, Shared);
    EXPECT_EQ(choose(kernel, {.range = {}}).key().reductions, Shared);
  }
}

TEST(LaunchPlans, ElementsAreOfEachThreadsOwnWhereManyUpdatesShareThem) {
  using enum ReductionElements;
  KernelInfo kernel = kernelWith(false, false);
  kernel.reductions = {{.operation = ReductionOperation::Add}};
  EXPECT_EQ(elementsToReduceInto(kernel, 1e5, 1024, 2), Own);
  EXPECT_EQ(elementsToReduceInto(kernel, 1e5, 1024, 128), Shared) << "more threads, more copies";
  EXPECT_EQ(elementsToReduceInto(kernel, 1e3, 1024, 2), Shared) << "a launch that is soon over";
  EXPECT_EQ(elementsToReduceInto(kernel, 1e15, uint64_t{1} << 30, 2), Shared)
      << "more than caches hold";

  EXPECT_EQ(elementsToReduceInto(kernel, 1e9, 1024, 2), Own) << "sums change each time";
  kernel.reductions.push_back({.operation = ReductionOperation::UMin});
  EXPECT_EQ(elementsToReduceInto(kernel, 1e9, 1024, 2), OwnSettled);
  EXPECT_EQ(elementsToReduceInto(kernel, 1e5, 1024, 2), Own) << "few updates for each element";
}

TEST(LaunchPlans, LanesRunIdsThatALocalIdCanBeAddedTo) {
  const KernelInfo kernel = kernelWith(false, true);
  const auto hasLanes = [&](uint64_t size, uint64_t offset, size_t dimension) {
    NDRange range{.globalSize = {256, 4, 4}, .localSize = {128, 1, 1}};
    range.globalSize[dimension] = size;
    range.globalOffset[dimension] = offset;
    return keyOf(kernel, range).width != 1;
  };
  constexpr uint64_t kEnd = uint64_t{1} << 31;
  for (size_t d = 0; d < 3; ++d) {
    EXPECT_TRUE(hasLanes(256, kEnd - 1024, d));
    EXPECT_FALSE(hasLanes(256, kEnd - 256 - 128, d));
    EXPECT_FALSE(hasLanes(kEnd - 128, 0, d));
    EXPECT_FALSE(hasLanes(256, ~uint64_t{0} - 256, d));
  }
}

TEST(LaunchPlans, FibersRunLanesOfOneRow) {
  const KernelInfo kernel = kernelWith(true, true);
  const NDRange range{.globalSize = {256, 4, 1}, .localSize = {16, 4, 1}};
  const NDRange columns{.globalSize = {256, 4, 1}, .localSize = {1, 4, 1}};
  EXPECT_EQ(keyOf(kernel, range).width, 0u);
  EXPECT_EQ(keyOf(kernel, range).localSize, (std::array<uint32_t, 3>{16, 4, 1}));
  EXPECT_EQ(keyOf(kernel, range, {.fixedSize = false}).localSize, kAnySize);
  EXPECT_EQ(keyOf(kernel, range, {.width = 8}).localSize, kAnySize);
  EXPECT_EQ(keyOf(kernel, columns).width, 1u);
  EXPECT_EQ(keyOf(kernel, range, {.form = Form::Fibers, .width = 8}).width, 8u);
  EXPECT_EQ(keyOf(kernel, range, {.form = Form::Fibers, .width = 1}).width, 1u);
  EXPECT_EQ(keyOf(kernel, range, {.strictBarriers = true}).width, 1u);
}

TEST(LaunchPlans, SubGroupSizeIsTheKernelsOrTheDevices) {
  KernelInfo kernel = kernelWith(false, true);
  EXPECT_EQ(keyOf(kernel, {}).subGroupSize, kSubGroupSize);
  kernel.subGroupSize = 8;
  EXPECT_EQ(keyOf(kernel, {}).subGroupSize, 8u);
}

/// A kernel that meets in sub-groups of 16.
KernelInfo meetingKernel(bool barrier) {
  KernelInfo kernel = kernelWith(barrier, true);
  kernel.barrierLoops = barrier;
  kernel.meetsInSubGroups = kernel.subGroupLoops = true;
  kernel.subGroupSize = 16;
  return kernel;
}

TEST(LaunchPlans, SubGroupsAreLanesOfLoops) {
  using enum Form;
  for (const bool barrier : {false, true}) {
    KernelInfo kernel = meetingKernel(barrier);
    const Form loops = barrier ? BarrierLoops : GroupLoop;
    const NDRange even{.globalSize = {256, 4, 1}, .localSize = {64, 4, 1}};
    const NDRange row{.globalSize = {200, 1, 1}, .localSize = {50, 1, 1}};
    const NDRange joined{.globalSize = {40, 6, 1}, .localSize = {20, 3, 1}};
    for (const NDRange& range : {even, row, joined}) {
      const VariantKey key = keyOf(kernel, range);
      EXPECT_EQ(key.form, loops);
      EXPECT_EQ(key.width, 16u);
      EXPECT_EQ(keyOf(kernel, range, {.width = 4}).width, 16u);
      EXPECT_EQ(keyOf(kernel, range, {.form = Fibers}).form, Fibers);
      EXPECT_EQ(keyOf(kernel, range, {.width = 1}).form, Fibers);
      EXPECT_EQ(keyOf(kernel, range, {.width = 1}).width, 1u);
    }
    // Sub-groups that span rows need to know how long these are.
    EXPECT_EQ(keyOf(kernel, joined).localSize, (std::array<uint32_t, 3>{20, 3, 1}));
    EXPECT_EQ(keyOf(kernel, joined, {.fixedSize = false}).form, barrier ? BarrierLoops : Fibers);
    EXPECT_EQ(keyOf(kernel, joined, {.form = Fibers}).width, 1u);
    kernel.subGroupLoops = false;
    EXPECT_EQ(keyOf(kernel, even).form, Fibers);
    EXPECT_EQ(keyOf(kernel, even).width, 16u);
  }
}

/// Whether lane groups are sub-groups, in groups of all sizes that a box has.
bool hasSubGroupLanes(const PlannedBox& box, const NDRange& range) {
  const VariantKey& key = box.key;
  if (key.width == 1) return key.form == Form::Fibers;
  if (key.width != key.subGroupSize) return false;
  if (range.localSize[1] == 1 && range.localSize[2] == 1) return true;
  const bool isFixed = key.localSize[0] != 0 && !key.smallerGroups && key.form != Form::Fibers;
  const uint64_t rows = isFixed ? key.localSize[0] : range.localSize[0];
  const uint64_t rest = isFixed ? 0 : box.end[0] % range.localSize[0];
  return isFixed || (rows % key.subGroupSize == 0 && rest % key.subGroupSize == 0);
}

TEST(LaunchPlans, ThePlainestIsLegalForAll) {
  for (const bool barrier : {false, true}) {
    KernelInfo kernel = kernelWith(barrier, true);
    kernel.barrierLoops = barrier;
    const VariantKey key = keyOf(kernel, {.globalSize = {256, 1, 1}, .localSize = {16, 1, 1}},
                                 plainest(kernel, {.form = Form::BarrierLoops}));
    EXPECT_EQ(key.form, barrier ? Form::Fibers : Form::GroupLoop);
    EXPECT_EQ(key.width, 1u);
    EXPECT_EQ(key.localSize, kAnySize);
  }
}

TEST(LaunchPlans, WhatCannotBeHadIsReplacedFromTheTopOfTheLadder) {
  KernelInfo kernel = kernelWith(true, true);
  kernel.barrierLoopsOnTrial = true;
  kernel.imageArguments = {0};
  const LaunchFacts facts{.range = {.globalSize = {256, 1, 1}, .localSize = {16, 1, 1}},
                          .subGroupSize = kSubGroupSize,
                          .images = {7}};
  const auto keysAfter = [&](ErrorKind refusal, const Overrides& overrides) {
    PlanLadder ladder(kernel, facts, overrides);
    EXPECT_TRUE(ladder.wanted().hasCodeOf(choose(kernel, facts, overrides)));
    std::vector<VariantKey> keys{ladder.wanted().key()};
    while (const auto plan = ladder.next(refusal)) {
      EXPECT_FALSE(plan->hasCodeOf(ladder.wanted()));
      keys.push_back(plan->key());
    }
    return keys;
  };
  const auto unsuited = keysAfter(ErrorKind::Unsuited, {});
  ASSERT_EQ(unsuited.size(), 7u);
  EXPECT_EQ(unsuited[0].form, Form::BarrierLoops);
  EXPECT_EQ(unsuited[0].images, facts.images);
  EXPECT_EQ(unsuited[1].form, Form::Fibers) << "no loops that are not proven";
  EXPECT_EQ(unsuited[1].images, facts.images);
  EXPECT_EQ(unsuited[2].images, ImageClasses{});
  EXPECT_EQ(unsuited[3].localSize, kAnySize);
  EXPECT_EQ(unsuited[5].width, 1u);
  const auto tooMany = keysAfter(ErrorKind::TooMany, {.width = 4});
  ASSERT_EQ(tooMany.size(), 7u);
  EXPECT_EQ(tooMany[5].width, 4u) << "lanes are not what was refused";
  for (const auto& keys : {unsuited, tooMany}) {
    EXPECT_EQ(keys.back().form, Form::Fibers);
    EXPECT_EQ(keys.back().width, 1u);
    EXPECT_EQ(keys.back().localSize, kAnySize);
    EXPECT_EQ(keys.back().images, ImageClasses{});
  }
  EXPECT_EQ(keysAfter(ErrorKind::OutOfMemory, {}).size(), 1u);
}

/// Random kernels, ranges and overrides.
class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  uint64_t below(uint64_t count) { return random_() % count; }
  bool coin() { return below(2) == 0; }
  std::optional<bool> maybe() { return coin() ? std::nullopt : std::optional(coin()); }

  KernelInfo kernel() {
    KernelInfo kernel = kernelWith(coin(), coin());
    kernel.barrierLoops = kernel.usesBarrier && coin();
    kernel.barrierLoopsInRows = kernel.barrierLoops || (kernel.usesBarrier && coin());
    kernel.contextBytes = below(4) == 0 ? below(1 << 20) : 0;
    if (below(4) == 0) {
      kernel.usesSubGroups = kernel.meetsInSubGroups = kernel.observesGroup = true;
      kernel.subGroupLoops = below(4) != 0;
      kernel.subGroupSize = 8u << below(4);
    }
    kernel.rowOrder = static_cast<RowOrder>(below(3));
    kernel.sharedRow = coin() ? 64 : 0;
    kernel.lockstepLoops = !kernel.usesBarrier && !kernel.meetsInSubGroups && coin();
    kernel.rowDimension = static_cast<uint32_t>(below(3));
    return kernel;
  }

  NDRange range() {
    static constexpr uint64_t kLocal[] = {1, 2, 3, 5, 16, 32, 63, 64, 65, 128, 256};
    NDRange range;
    range.dimensions = static_cast<uint32_t>(1 + below(3));
    for (uint32_t d = 0; d < range.dimensions; ++d) {
      range.localSize[d] = kLocal[below(std::size(kLocal))];
      const uint64_t groups = below(d == 0 ? 40 : 6);
      range.globalSize[d] = std::max<uint64_t>(
          1, groups * range.localSize[d] + (coin() ? 0 : below(range.localSize[d])));
      if (below(16) == 0) range.globalSize[d] = 1024 * (1 + below(4));
      if (below(64) == 0) range.globalSize[d] = (uint64_t{1} << 31) + below(100);
      if (coin()) range.globalOffset[d] = below(1000);
    }
    // Every product of sizes fits 64 bits.
    if (range.globalSize[0] > 1u << 30 && range.globalSize[1] > 1u << 30) range.globalSize[2] = 1;
    return range;
  }

  Overrides overrides() {
    Overrides overrides{.wholeRows = maybe(), .fixedSize = maybe(), .plainIndices = coin()};
    if (coin()) overrides.form = static_cast<Form>(below(4));
    if (coin()) overrides.rowDimension = static_cast<uint32_t>(below(4));
    if (coin()) overrides.width = static_cast<uint32_t>(below(70));
    overrides.strictBarriers = below(8) == 0;
    return overrides;
  }

 private:
  std::mt19937_64 random_;
};

TEST(LaunchPlans, BoxesMakeUpEveryRangeAndSuitTheirCode) {
  Dice dice(1);
  for (int i = 0; i < 200'000; ++i) {
    const KernelInfo kernel = dice.kernel();
    const LaunchFacts facts{
        .range = dice.range(),
        .slots = static_cast<unsigned>(1 + dice.below(64)),
        .subGroupSize = kSubGroupSize,
        .exactIndices = dice.coin(),
        .separateBuffers = dice.coin(),
        .reductions = dice.coin() ? ReductionElements::Own : ReductionElements::Shared};
    const LaunchPlan plan = choose(kernel, facts, dice.overrides());
    ASSERT_EQ(flawOf(plan, facts.range), "") << "round " << i;
    for (const PlannedBox& box : plan.boxes()) {
      ASSERT_EQ(objection(kernel, box.key), "") << "round " << i;
      if (kernel.meetsInSubGroups) {
        ASSERT_TRUE(hasSubGroupLanes(box, facts.range)) << "round " << i;
      }
    }
  }
}

TEST(LaunchPlans, FlawsAreSeen) {
  const NDRange range{.globalSize = {256, 4, 1}, .localSize = {64, 2, 1}};
  const PlannedBox good = boxOf(kernelWith(false, true), range);
  const auto flawAfter = [&](const std::function<void(PlannedBox&)>& change) {
    PlannedBox box = good;
    change(box);
    LaunchPlan plan;
    plan.add(box);
    return flawOf(plan, range);
  };
  EXPECT_EQ(flawAfter([](PlannedBox&) {}), "");
  EXPECT_NE(flawAfter([](PlannedBox& box) { box.end[1] = 2; }), "");
  EXPECT_NE(flawAfter([](PlannedBox& box) { box.end[1] = 3; }), "");
  EXPECT_NE(flawAfter([](PlannedBox& box) { box.end[1] = 6; }), "");
  EXPECT_NE(flawAfter([](PlannedBox& box) { box.begin[0] = 256; }), "");
  EXPECT_NE(flawAfter([](PlannedBox& box) { box.slicing.rowMultiple = 1; }), "");
  EXPECT_NE(flawAfter([](PlannedBox& box) { box.slicing.rowMultiple = 128; }), "");
  EXPECT_NE(flawAfter([](PlannedBox& box) { box.slicing.rowDimension = 1; }), "");
  EXPECT_NE(flawAfter([](PlannedBox& box) { box.slicing.rowDimension = box.key.rowDimension = 1; }),
            "")
      << "rows along dimension 1 are short";
  EXPECT_NE(flawAfter([](PlannedBox& box) { box.slicing.groupSize = {64, 2, 1}; }), "");
  EXPECT_NE(flawAfter([](PlannedBox& box) { box.key.localSize = {64, 1, 1}; }), "");
  EXPECT_NE(flawAfter([](PlannedBox& box) { box.key.form = Form::Flat; }), "");
  LaunchPlan twice;
  twice.add(good);
  twice.add(good);
  EXPECT_NE(flawOf(twice, range), "");
  EXPECT_NE(flawOf(LaunchPlan(), range), "");
}

}  // namespace
}  // namespace weft::compiler
