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
  if (spaces.find("image") != std::string::npos) text += "#define IMAGE 1\n";
  if (spaces.find("arrivals") != std::string::npos) text += "#define ARRIVALS 1\n";
  if (barrier.find("sub_group") != std::string::npos) text += "#define SUB_GROUP 1\n";
  return text + R"(
#ifndef IMAGE
#define image2d_t int
#define read_write
#endif
kernel void visible(global int *memory, global int *stale, local int *arena, uint rounds,
                    read_write image2d_t picture) {
  uint l = get_local_id(0), n = get_local_size(0), g = get_group_id(0) * n;
  int wrong = 0;
  for (uint round = 1; round <= rounds; ++round) {
    uint other = (l * 5 + round) % n;
#ifdef SUB_GROUP
    uint first = get_sub_group_id() * get_max_sub_group_size();
    other = first + (get_sub_group_local_id() * 5 + round) % get_sub_group_size();
#endif
#ifdef LOCAL
    arena[l] = round;
#endif
#ifdef GLOBAL
    memory[g + l] = round;
#endif
#ifdef IMAGE
    write_imagei(picture, (int2)(l, get_group_id(0)), (int4)(round));
#endif
#ifdef ARRIVALS
    volatile global atomic_int *arrived = (volatile global atomic_int *)(memory + g);
    atomic_fetch_add_explicit(arrived, 1, memory_order_relaxed, memory_scope_work_group);
#endif
    BARRIER;
#ifdef LOCAL
    wrong += arena[other] != round;
#endif
#ifdef GLOBAL
    wrong += memory[g + other] != round;
#endif
#ifdef IMAGE
    wrong += read_imagei(picture, (int2)(other, get_group_id(0))).x != round;
#endif
#ifdef ARRIVALS
    wrong += atomic_load_explicit(arrived, memory_order_relaxed, memory_scope_work_group) != round * n;
#endif
    BARRIER;
  }
  stale[g + l] = wrong;
}
)";
}

MemoryHolder makePicture(cl_context context, size_t width, size_t height) {
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = width;
  description.image_height = height;
  cl_int error = CL_INVALID_VALUE;
  MemoryHolder picture(
      clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  return picture;
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
  const MemoryHolder picture = makePicture(context, local, global / local);
  const cl_mem image = picture;
  const cl_int none = 0;
  const bool hasImage = source.find("#define IMAGE") != std::string::npos;
  EXPECT_EQ(clSetKernelArg(kernel, 4, hasImage ? sizeof image : sizeof none,
                           hasImage ? static_cast<const void*>(&image) : &none),
            CL_SUCCESS);
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
                    Case{"local", "CLK_LOCAL_MEM_FENCE, memory_scope_all_svm_devices"},
                    Case{"image", "CLK_IMAGE_MEM_FENCE"},
                    Case{"image and global", "CLK_IMAGE_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"},
                    // Execution alone: what is counted by atomics is all there.
                    Case{"arrivals", "0"}));

class SubGroupBarrierLitmus : public testing::TestWithParam<Case> {};

/// Where lanes are a sub-group nothing is stale without the barrier, so this has no control of its
/// own.
TEST_P(SubGroupBarrierLitmus, WhatWasWrittenIsSeen) {
  const auto& [spaces, flags] = GetParam();
  for (size_t local : {1, 5, 16, 64, 200, 256})
    EXPECT_EQ(staleReads(kernelOf(spaces, "sub_group_barrier(" + flags + ")"), local, 100), 0u)
        << "groups of " << local;
}

INSTANTIATE_TEST_SUITE_P(
    Flags, SubGroupBarrierLitmus,
    testing::Values(Case{"local", "CLK_LOCAL_MEM_FENCE"}, Case{"global", "CLK_GLOBAL_MEM_FENCE"},
                    Case{"global and local", "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"},
                    Case{"global", "CLK_GLOBAL_MEM_FENCE, memory_scope_work_group"},
                    Case{"image", "CLK_IMAGE_MEM_FENCE"}));

}  // namespace

}  // namespace weft::test::litmus
