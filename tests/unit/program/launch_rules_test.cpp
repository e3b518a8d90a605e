// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules that decide how a launch runs, as plain functions: sizes, forms, groups.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "platform/limits.h"
#include "program/kernel.h"
#include "program/launch_range.h"
#include "program/local_size.h"

namespace weft {
namespace {

constexpr GroupLimits kLimits{.maxItems = 4096, .maxPerDimension = 4096, .slots = 4};
constexpr size_t kHuge = std::numeric_limits<size_t>::max();

using Sizes = std::array<uint64_t, 3>;

TEST(ChooseLocalSize, DividesEveryGlobalSizeWithinTheLimits) {
  const uint64_t sizes[] = {1,
                            2,
                            3,
                            7,
                            63,
                            64,
                            65,
                            97,
                            128,
                            250,
                            256,
                            257,
                            1000,
                            1920,
                            1080,
                            4096,
                            4099,
                            6000,
                            65536,
                            1000003,
                            uint64_t{1} << 33,
                            (uint64_t{1} << 33) + 9};
  for (const uint64_t x : sizes) {
    for (const uint64_t y : {uint64_t{1}, uint64_t{5}, uint64_t{64}, uint64_t{1080}}) {
      for (const uint64_t z : {uint64_t{1}, uint64_t{9}}) {
        for (const uint64_t most : {1, 2, 31, 64, 4096}) {
          GroupLimits limits = kLimits;
          limits.maxItems = most;
          const Sizes global{x, y, z};
          const Sizes local = chooseLocalSize(global, limits);
          for (size_t d = 0; d < 3; ++d) {
            ASSERT_GE(local[d], 1u);
            ASSERT_EQ(global[d] % local[d], 0u) << x << 'x' << y << 'x' << z;
          }
          ASSERT_LE(local[0] * local[1] * local[2], std::min<uint64_t>(most, 256));
        }
      }
    }
  }
}

TEST(ChooseLocalSize, PrefersLongRows) {
  EXPECT_EQ(chooseLocalSize({1 << 20, 1, 1}, kLimits), (Sizes{256, 1, 1}));
  EXPECT_EQ(chooseLocalSize({1920, 1080, 1}, kLimits), (Sizes{64, 4, 1}));
  EXPECT_EQ(chooseLocalSize({3, 4096, 64}, kLimits), (Sizes{3, 64, 1}));
  EXPECT_EQ(chooseLocalSize({1, 1, 1 << 20}, kLimits), (Sizes{1, 1, 256}));
  EXPECT_EQ(chooseLocalSize({1000000, 1, 1}, kLimits), (Sizes{250, 1, 1}));
}

TEST(ChooseLocalSize, NeedNotDivideWhereThatWouldLeaveTinyGroups) {
  GroupLimits limits = kLimits;
  limits.mayBeRagged = true;
  const auto ragged = [&](const Sizes& global) { return chooseLocalSize(global, limits); };
  EXPECT_EQ(ragged({1000003, 1, 1}), (Sizes{256, 1, 1}));
  EXPECT_EQ(ragged({1009, 1013, 1}), (Sizes{64, 4, 1}));
  EXPECT_EQ(ragged({1000000, 1, 1}), (Sizes{250, 1, 1})) << "large enough as it is";
  EXPECT_EQ(ragged({3, 4096, 64}), (Sizes{3, 64, 1}));
  EXPECT_EQ(ragged({10, 1, 1}), (Sizes{10, 1, 1})) << "no larger one is to be had";
  EXPECT_EQ(ragged({1, 1, 1}), (Sizes{1, 1, 1}));
}

TEST(ChooseLocalSize, LeavesGroupsForEverySlotOfASmallLaunch) {
  EXPECT_EQ(chooseLocalSize({1024, 1, 1}, kLimits), (Sizes{64, 1, 1}));
  EXPECT_EQ(chooseLocalSize({10, 1, 1}, kLimits), (Sizes{10, 1, 1}));
}

compiler::KernelInfo kernelWith(std::array<uint32_t, 3> required = {}) {
  compiler::KernelInfo kernel;
  kernel.name = "k";
  kernel.reqdWorkGroupSize = required;
  return kernel;
}

cl_int codeOf(const RangeArguments& arguments, const compiler::KernelInfo& kernel,
              const GroupLimits& limits = kLimits) {
  const auto range = launchRange(arguments, kernel, limits);
  return range ? CL_SUCCESS : range.error().code;
}

TEST(NDRangeRules, WorkDimension) {
  const size_t sizes[4] = {1, 1, 1, 1};
  for (const cl_uint dim : {0u, 4u, 0xffffffffu})
    EXPECT_EQ(codeOf({.workDim = dim, .global = sizes}, kernelWith()), CL_INVALID_WORK_DIMENSION);
}

TEST(NDRangeRules, EmptyRangesAreLegal) {
  const size_t zero[3] = {4, 0, 4};
  const auto none = launchRange({.workDim = 2}, kernelWith(), kLimits);
  ASSERT_TRUE(none);
  EXPECT_TRUE(isEmpty(*none));
  const auto zeros = launchRange({.workDim = 3, .global = zero}, kernelWith(), kLimits);
  ASSERT_TRUE(zeros);
  EXPECT_TRUE(isEmpty(*zeros));
  const size_t local[3] = {2, 2, 2};
  EXPECT_EQ(codeOf({.workDim = 3, .global = zero, .local = local}, kernelWith()), CL_SUCCESS);
  const size_t others[3] = {kHuge, kHuge, 0};  // whatever their product would be
  EXPECT_EQ(codeOf({.workDim = 3, .global = others}, kernelWith()), CL_SUCCESS);
}

TEST(NDRangeRules, ProductsAndOffsetsThatOverflow) {
  const size_t global[3] = {kHuge / 2, 3, 1};
  EXPECT_EQ(codeOf({.workDim = 2, .global = global}, kernelWith()), CL_INVALID_GLOBAL_WORK_SIZE);
  const size_t size[1] = {2}, offset[1] = {kHuge - 1};
  EXPECT_EQ(codeOf({.workDim = 1, .offset = offset, .global = size}, kernelWith()),
            CL_INVALID_GLOBAL_OFFSET);
  const size_t fitting[1] = {kHuge - 2};
  const size_t one[1] = {1};
  EXPECT_EQ(codeOf({.workDim = 1, .offset = fitting, .global = size, .local = one}, kernelWith()),
            CL_SUCCESS);
}

TEST(NDRangeRules, LocalSizes) {
  const size_t global[3] = {64, 64, 64};
  const auto code = [&](std::array<size_t, 3> local, std::array<uint32_t, 3> required = {},
                        GroupLimits limits = kLimits) {
    return codeOf({.workDim = 3, .global = global, .local = local.data()}, kernelWith(required),
                  limits);
  };
  EXPECT_EQ(code({8, 8, 8}), CL_SUCCESS);
  EXPECT_EQ(code({8, 0, 8}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(code({8, 5, 8}), CL_INVALID_WORK_GROUP_SIZE);     // does not divide
  EXPECT_EQ(code({64, 64, 64}), CL_INVALID_WORK_GROUP_SIZE);  // too many
  EXPECT_EQ(code({4097, 1, 1}), CL_INVALID_WORK_ITEM_SIZE);
  EXPECT_EQ(code({kHuge, kHuge, kHuge}), CL_INVALID_WORK_ITEM_SIZE);
  EXPECT_EQ(code({8, 8, 8}, {8, 8, 8}), CL_SUCCESS);
  EXPECT_EQ(code({8, 8, 8}, {8, 8, 4}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(code({8, 8, 8}, {}, {.maxItems = 256, .maxPerDimension = 4096}),
            CL_INVALID_WORK_GROUP_SIZE);
}

TEST(NDRangeRules, RequiredSizeStandsInForNone) {
  const size_t global[2] = {24, 10};
  const auto range = launchRange({.workDim = 2, .global = global}, kernelWith({8, 5, 1}), kLimits);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->localSize, (Sizes{8, 5, 1}));
  EXPECT_EQ(codeOf({.workDim = 2, .global = global}, kernelWith({7, 5, 1})),
            CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(codeOf({.workDim = 2, .global = global}, kernelWith({8, 5, 2})),
            CL_INVALID_WORK_GROUP_SIZE);
}

TEST(NDRangeRules, RequiredSubGroups) {
  compiler::KernelInfo kernel = kernelWith();
  kernel.subGroupSize = 8;
  kernel.reqdSubGroups = 3;  // 17 to 24 work-items
  const size_t global[3] = {240, 4, 1};
  const auto code = [&](std::array<size_t, 3> local) {
    return codeOf({.workDim = 3, .global = global, .local = local.data()}, kernel);
  };
  EXPECT_EQ(code({24, 1, 1}), CL_SUCCESS);
  EXPECT_EQ(code({20, 1, 1}), CL_SUCCESS);
  EXPECT_EQ(code({6, 4, 1}), CL_SUCCESS);
  EXPECT_EQ(code({16, 1, 1}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(code({30, 1, 1}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(codeOf({.workDim = 1, .global = global, .local = &global[2]}, kernel),
            CL_INVALID_WORK_GROUP_SIZE);
  const auto chosen = [&](std::array<size_t, 3> size, bool mayBeRagged = false) -> Sizes {
    GroupLimits limits = kLimits;
    limits.mayBeRagged = mayBeRagged;
    const auto range = launchRange({.workDim = 3, .global = size.data()}, kernel, limits);
    return range ? range->localSize : Sizes{};
  };
  EXPECT_EQ(chosen({240, 4, 1}), (Sizes{24, 1, 1}));
  EXPECT_EQ(chosen({7, 9, 1}), (Sizes{7, 3, 1}));
  EXPECT_EQ(chosen({2, 2, 15}), (Sizes{2, 2, 5}));
  EXPECT_EQ(chosen({31, 1, 1}), Sizes{});
  EXPECT_EQ(chosen({31, 1, 1}, true), (Sizes{24, 1, 1}));
  kernel.reqdSubGroups = 1 << 20;
  EXPECT_EQ(chosen({1 << 24, 1, 1}, true), Sizes{});
  kernel.reqdSubGroups = 3;
  EXPECT_EQ(localSizeFor(kernel, 3), (std::array<size_t, 3>{24, 1, 1}));
  EXPECT_EQ(localSizeFor(kernel, 2), (std::array<size_t, 3>{}));
  kernel.reqdWorkGroupSize = {8, 1, 1};  // nothing is both
  EXPECT_EQ(chosen({240, 1, 1}), Sizes{});
}

TEST(MaxWorkGroupSize, ShrinksForKernelsWithBarriersAndMuchPrivateMemory) {
  compiler::KernelInfo kernel = kernelWith();
  EXPECT_EQ(maxWorkGroupSize(kernel), limits::kMaxWorkGroupSize);
  kernel.privateBytes = uint64_t{1} << 20;
  EXPECT_EQ(maxWorkGroupSize(kernel), limits::kMaxWorkGroupSize);
  kernel.usesBarrier = true;
  EXPECT_EQ(maxWorkGroupSize(kernel), 64u);
  kernel.reqdWorkGroupSize = {200, 1, 1};
  EXPECT_GE(maxWorkGroupSize(kernel), 200u);
  kernel.privateBytes = uint64_t{1} << 40;
  kernel.reqdWorkGroupSize = {};
  EXPECT_EQ(maxWorkGroupSize(kernel), 1u);
}

}  // namespace
}  // namespace weft
