// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What barriers with each flag make visible to the other work-items of a group.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "support/objects.h"
#include "support/programs.h"

namespace weft::test::litmus {

namespace {

constexpr size_t kItems = 8192;

/// Work-items that read, round after round, what others of their group have just written.
std::string kernelOf(const std::string& spaces, const std::string& barrier) {
  std::string text = "#define BARRIER " + barrier + "\n";
  if (spaces.find("global") != std::string::npos) text += "#define GLOBAL 1\n";
  if (spaces.find("local") != std::string::npos) text += "#define LOCAL 1\n";
  return text + R"(
kernel void visible(global int *memory, global int *stale, local int *arena, uint rounds) {
  uint l = get_local_id(0), n = get_local_size(0), g = get_group_id(0) * n;
  int wrong = 0;
  for (uint round = 1; round <= rounds; ++round) {
    uint other = (l * 5 + round) % n;
#ifdef LOCAL
    arena[l] = round;
#endif
#ifdef GLOBAL
    memory[g + l] = round;
#endif
    BARRIER;
#ifdef LOCAL
    wrong += arena[other] != round;
#endif
#ifdef GLOBAL
    wrong += memory[g + other] != round;
#endif
    BARRIER;
  }
  stale[g + l] = wrong;
}
)";
}

/// Reads that did not see what was written, of `rounds` in each work-item.
uint64_t staleReads(const std::string& source, size_t local, cl_uint rounds) {
  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  ProgramHolder program = buildProgram(context, source, "-cl-std=CL3.0");
  KernelHolder kernel = makeKernel(program, "visible");
  const size_t global = kItems / local * local;
  MemoryHolder memory = makeBuffer(context, std::vector<int>(global));
  MemoryHolder stale = makeBuffer(context, std::vector<int>(global, -1));
  cl_mem buffers[] = {memory, stale};
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[1]), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 2, local * sizeof(int), nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 3, sizeof rounds, &rounds), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
            CL_SUCCESS);
  std::vector<int> counts(global);
  EXPECT_EQ(clEnqueueReadBuffer(queue, stale, CL_TRUE, 0, global * sizeof(int), counts.data(), 0,
                                nullptr, nullptr),
            CL_SUCCESS);
  uint64_t sum = 0;
  for (int count : counts) sum += static_cast<uint64_t>(count);
  return sum;
}

using Case = std::tuple<std::string, std::string>;

class BarrierLitmus : public testing::TestWithParam<Case> {};

TEST_P(BarrierLitmus, WhatWasWrittenIsSeen) {
  const auto& [spaces, flags] = GetParam();
  for (size_t local : {1, 5, 16, 64, 256})
    EXPECT_EQ(staleReads(kernelOf(spaces, "work_group_barrier(" + flags + ")"), local, 100), 0u)
        << "groups of " << local;
}

/// Without the barrier stale values are read, where a group is more than one lane group: the test
/// above can fail.
TEST_P(BarrierLitmus, ControlIsSeen) {
  EXPECT_GT(staleReads(kernelOf(std::get<0>(GetParam()), ""), 256, 100), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Flags, BarrierLitmus,
    testing::Values(Case{"local", "CLK_LOCAL_MEM_FENCE"}, Case{"global", "CLK_GLOBAL_MEM_FENCE"},
                    Case{"global and local", "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"},
                    Case{"global", "CLK_GLOBAL_MEM_FENCE, memory_scope_device"},
                    Case{"local", "CLK_LOCAL_MEM_FENCE, memory_scope_all_svm_devices"}));

}  // namespace

}  // namespace weft::test::litmus
