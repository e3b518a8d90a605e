// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that kernels reduce into, which threads may have copies of while a launch runs: what a
// kernel sees of it by way of other arguments, and what others make of it at the same time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "support/programs.h"
#include "support/svm.h"

namespace weft::test {
namespace {

constexpr size_t kCounters = 16, kItems = 64;
constexpr cl_int kTrips = 2000;
constexpr cl_uint kCount = kItems * kTrips / kCounters;

// One group, whose last act is to look at what it has counted.
const char* const kSource = R"(
void count(global uint* counters, int n) {
  for (int i = 0; i < n; ++i) atomic_inc(&counters[(get_global_id(0) + i) & 15]);
  barrier(CLK_GLOBAL_MEM_FENCE);
}
kernel void view(global uint* counters, int n, global const uint* seen, global uint* out) {
  count(counters, n);
  if (get_local_id(0) < 16) out[get_local_id(0)] = seen[get_local_id(0)];
}
kernel void look(global uint* counters, int n, read_only image1d_buffer_t seen, global uint* out) {
  count(counters, n);
  if (get_local_id(0) < 16) out[get_local_id(0)] = read_imageui(seen, (int)get_local_id(0)).x;
}
kernel void follow(global uint* counters, int n, ulong seen, global uint* out) {
  count(counters, n);
  if (get_local_id(0) < 16) out[get_local_id(0)] = ((global uint*)seen)[get_local_id(0)];
}
kernel void twice(global uint* counters, int n, global uint* others) {
  for (int i = 0; i < n; ++i) {
    atomic_inc(&counters[(get_global_id(0) + i) & 15]);
    atomic_dec(&others[(get_global_id(0) + i) & 15]);
  }
}
)";

class Reductions : public testing::Test {
 protected:
  Reductions() { setArgument(twice_, 1, kTrips); }

  cl_int run(cl_kernel kernel, size_t items = kItems) {
    const size_t local = kItems;
    return clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr);
  }
  /// What a kernel that has been given `seen` as its third argument sees behind its barrier, and
  /// what is in `counters` at last.
  void expectSeen(const char* name, cl_mem counters, const std::function<void(cl_kernel)>& giveSeen,
                  cl_uint seen, cl_uint first = 0) {
    const MemoryHolder out = makeBuffer(context_, std::vector<cl_uint>(kCounters));
    const KernelHolder kernel = makeKernel(program_, name);
    setBuffer(kernel, 0, counters);
    setArgument(kernel, 1, kTrips);
    giveSeen(kernel);
    setBuffer(kernel, 3, out);
    ASSERT_EQ(run(kernel), CL_SUCCESS);
    EXPECT_EQ(readBuffer<cl_uint>(queue_, out, kCounters), std::vector<cl_uint>(kCounters, seen));
    EXPECT_EQ(readBuffer<cl_uint>(queue_, counters, kCounters),
              std::vector<cl_uint>(kCounters, first + kCount));
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  ProgramHolder program_ = buildProgram(context_, kSource, "-cl-std=CL3.0");
  KernelHolder twice_ = makeKernel(program_, "twice");
  MemoryHolder counters_ = makeBuffer(context_, std::vector<cl_uint>(kCounters));
};

TEST_F(Reductions, AddToWhatIsThere) {
  const MemoryHolder other = makeBuffer(context_, std::vector<cl_uint>(kCounters, 77));
  const MemoryHolder counters = makeBuffer(context_, std::vector<cl_uint>(kCounters, 5));
  expectSeen("view", counters, [&](cl_kernel kernel) { setBuffer(kernel, 2, other); }, 77, 5);
}

TEST_F(Reductions, AreSeenByWayOfTheSameBuffer) {
  expectSeen("view", counters_, [&](cl_kernel kernel) { setBuffer(kernel, 2, counters_); }, kCount);
}

TEST_F(Reductions, AreSeenByWayOfSubBuffers) {
  const MemoryHolder whole = makeBuffer(context_, std::vector<cl_uint>(4096));
  const auto part = [&] {
    const cl_buffer_region region{4096, 4096};
    cl_int error = CL_INVALID_VALUE;
    MemoryHolder made(
        clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  };
  const MemoryHolder one = part(), two = part();
  expectSeen("view", one, [&](cl_kernel kernel) { setBuffer(kernel, 2, two); }, kCount);
}

TEST_F(Reductions, AreSeenByWayOfImages) {
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  shape.image_width = kCounters;
  shape.mem_object = counters_;
  cl_int error = CL_INVALID_VALUE;
  const MemoryHolder image(
      clCreateImage(context_, CL_MEM_READ_ONLY, &format, &shape, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  expectSeen("look", counters_, [&](cl_kernel kernel) { setBuffer(kernel, 2, image); }, kCount);
}

TEST_F(Reductions, AreSeenByWayOfAddresses) {
  SvmArray<cl_uint> memory(context_, kCounters, kFineGrain);
  std::fill(memory.begin(), memory.end(), 0);
  cl_int error = CL_INVALID_VALUE;
  const MemoryHolder counters(clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                             memory.bytes(), memory.data(), &error));
  ASSERT_EQ(error, CL_SUCCESS);
  expectSeen(
      "view", counters,
      [&](cl_kernel kernel) {
        EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 2, memory.data()), CL_SUCCESS);
      },
      kCount);
  std::fill(memory.begin(), memory.end(), 0);
  const auto address = reinterpret_cast<cl_ulong>(memory.data());
  expectSeen(
      "follow", counters, [&](cl_kernel kernel) { setArgument(kernel, 2, address); }, kCount);
}

TEST_F(Reductions, OfOneBufferTwiceMeet) {
  setBuffer(twice_, 0, counters_);
  setBuffer(twice_, 2, counters_);
  ASSERT_EQ(run(twice_, 100 * kItems), CL_SUCCESS);
  EXPECT_EQ(readBuffer<cl_uint>(queue_, counters_, kCounters), std::vector<cl_uint>(kCounters));
}

// Each merges what it has into what the others have left, whichever ends first.
TEST_F(Reductions, OfLaunchesAtTheSameTimeAddUp) {
  constexpr cl_uint kLaunches = 12;
  const MemoryHolder others = makeBuffer(context_, std::vector<cl_uint>(kCounters));
  std::array<QueueHolder, 3> queues;
  for (QueueHolder& queue : queues) queue = makeQueue(context_);
  setBuffer(twice_, 0, counters_);
  setBuffer(twice_, 2, others);
  const size_t items = 4 * kItems;
  for (cl_uint i = 0; i < kLaunches; ++i)
    ASSERT_EQ(clEnqueueNDRangeKernel(queues[i % queues.size()], twice_, 1, nullptr, &items, nullptr,
                                     0, nullptr, nullptr),
              CL_SUCCESS);
  for (const QueueHolder& queue : queues) ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  const cl_uint all = kLaunches * 4 * kCount;
  EXPECT_EQ(readBuffer<cl_uint>(queue_, counters_, kCounters),
            std::vector<cl_uint>(kCounters, all));
  EXPECT_EQ(readBuffer<cl_uint>(queue_, others, kCounters), std::vector<cl_uint>(kCounters, -all));
}

}  // namespace
}  // namespace weft::test
