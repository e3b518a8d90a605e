// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that keeps in registers what other arguments do not point to is for launches whose buffers
// do not overlap: all ways in which they may.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "support/programs.h"
#include "support/svm.h"

namespace weft::test {
namespace {

constexpr size_t kItems = 100, kStep = 64, kPart = 32, kInts = kItems * kStep + kPart;
constexpr size_t kBytes = kInts * sizeof(cl_int), kPartBytes = kPart * sizeof(cl_int);
constexpr cl_int kTrips = 7;

// What is added is read again each time: from the same place, where `from` is `sums` + `at`.
const char* const kSource = R"(
kernel void add(global int* sums, global const int* from, int at, int n) {
  size_t i = get_global_id(0) * 64;
  for (int k = 0; k < n; ++k) sums[i + at] += from[i] + 1;
}
)";

class SeparateBuffers : public testing::Test {
 protected:
  using Give = std::function<void(cl_kernel)>;

  /// Launches with two arguments and the place of the sums. Time stamps have final code run.
  void run(cl_kernel kernel, const Give& give, size_t at) {
    give(kernel);
    setArgument(kernel, 2, static_cast<cl_int>(at));
    setArgument(kernel, 3, kTrips);
    ASSERT_EQ(
        clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  }
  /// Sums that begin with their position, when 3 + 1 is added each time.
  static std::vector<cl_int> addedApart(size_t at) {
    std::vector<cl_int> sums = positions();
    for (size_t i = 0; i < kItems; ++i) sums[i * kStep + at] += kTrips * 4;
    return sums;
  }
  /// The same when each adds to itself.
  static std::vector<cl_int> addedToSelves(size_t at) {
    std::vector<cl_int> sums = positions();
    for (size_t i = 0; i < kItems; ++i)
      for (cl_int k = 0; k < kTrips; ++k) sums[i * kStep + at] += sums[i * kStep + at] + 1;
    return sums;
  }
  static std::vector<cl_int> positions() {
    std::vector<cl_int> values(kInts);
    for (size_t i = 0; i < kInts; ++i) values[i] = static_cast<cl_int>(i);
    return values;
  }
  MemoryHolder useHost(cl_int* memory, size_t bytes) {
    cl_int error = CL_INVALID_VALUE;
    MemoryHolder made(
        clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  MemoryHolder part(cl_mem whole, size_t from, size_t bytes) {
    const cl_buffer_region region{from, bytes};
    cl_int error = CL_INVALID_VALUE;
    MemoryHolder made(
        clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  static Give buffers(cl_mem sums, cl_mem from) {
    return [=](cl_kernel kernel) {
      setBuffer(kernel, 0, sums);
      setBuffer(kernel, 1, from);
    };
  }
  static Give addresses(const cl_int* sums, const cl_int* from) {
    return [=](cl_kernel kernel) {
      EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, sums), CL_SUCCESS);
      EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 1, from), CL_SUCCESS);
    };
  }
  std::vector<cl_int> held(cl_mem buffer) { return readBuffer<cl_int>(queue_, buffer, kInts); }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_, CL_QUEUE_PROFILING_ENABLE);
  ProgramHolder program_ = buildProgram(context_, kSource);
  KernelHolder kernel_ = makeKernel(program_, "add");
  MemoryHolder threes_ = makeBuffer(context_, std::vector<cl_int>(kInts, 3));
};

TEST_F(SeparateBuffers, AreAskedForInEachLaunch) {
  for (int round = 0; round < 3; ++round) {
    const MemoryHolder apart = makeBuffer(context_, positions());
    run(kernel_, buffers(apart, threes_), 5);
    EXPECT_EQ(held(apart), addedApart(5));
    const MemoryHolder same = makeBuffer(context_, positions());
    run(kernel_, buffers(same, same), 0);
    EXPECT_EQ(held(same), addedToSelves(0));
  }
}

TEST_F(SeparateBuffers, AreNotPartsThatOverlap) {
  const MemoryHolder whole = makeBuffer(context_, positions());
  const MemoryHolder second = part(whole, kPartBytes, kBytes - kPartBytes);
  run(kernel_, buffers(whole, second), kPart);
  EXPECT_EQ(held(whole), addedToSelves(kPart));
  const MemoryHolder other = makeBuffer(context_, positions());
  const MemoryHolder first = part(other, 0, kBytes - kPartBytes);
  const MemoryHolder behind = part(other, kPartBytes, kBytes - kPartBytes);
  run(kernel_, buffers(first, behind), kPart);
  EXPECT_EQ(held(other), addedToSelves(kPart));
}

TEST_F(SeparateBuffers, AreNotOfTheSameHostMemory) {
  std::vector<cl_int> memory = positions();
  {
    const MemoryHolder sums = useHost(memory.data(), kBytes);
    const MemoryHolder from = useHost(memory.data() + kPart, kBytes - kPartBytes);
    run(kernel_, buffers(sums, from), kPart);
    EXPECT_EQ(held(sums), addedToSelves(kPart));
  }
}

TEST_F(SeparateBuffers, AreAllocationsThatAddressesPointInto) {
  const auto fill = [](const SvmArray<cl_int>& memory, const std::vector<cl_int>& values) {
    std::copy(values.begin(), values.end(), memory.begin());
  };
  const SvmArray<cl_int> sums(context_, kInts, kFineGrain), from(context_, kInts, kFineGrain);
  const auto found = [&] { return std::vector<cl_int>(sums.begin(), sums.end()); };
  fill(from, std::vector<cl_int>(kInts, 3));
  fill(sums, positions());
  run(kernel_, addresses(sums.data(), from.data()), 5);
  EXPECT_EQ(found(), addedApart(5));
  fill(sums, positions());
  run(kernel_, addresses(sums.data(), sums.data() + kPart), kPart);
  EXPECT_EQ(found(), addedToSelves(kPart));
  fill(sums, positions());
  const MemoryHolder buffer = useHost(sums.data(), kBytes);
  run(
      kernel_,
      [&](cl_kernel kernel) {
        setBuffer(kernel, 0, buffer);
        EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 1, sums.data()), CL_SUCCESS);
      },
      0);
  EXPECT_EQ(held(buffer), addedToSelves(0));
}

// Nobody knows how much of the host's memory an address of it is for.
TEST_F(SeparateBuffers, AreNotAnyMemory) {
  std::vector<cl_int> memory = positions();
  run(kernel_, addresses(memory.data(), memory.data() + kPart), kPart);
  EXPECT_EQ(memory, addedToSelves(kPart));
}

// More than anyone looks at.
TEST_F(SeparateBuffers, AreNotAskedForInLongListsOfArguments) {
  constexpr cl_uint kMany = 40;
  std::string source = "kernel void add(global int* sums, global const int* from, int at, int n";
  for (cl_uint i = 0; i < kMany; ++i) source += ", global int* other" + std::to_string(i);
  source += ") { for (int k = 0; k < n; ++k) other39[at] += sums[at] + from[at] + 1; }";
  const ProgramHolder program = buildProgram(context_, source);
  const KernelHolder kernel = makeKernel(program, "add");
  const MemoryHolder same = makeBuffer(context_, std::vector<cl_int>(kInts, 1));
  std::vector<MemoryHolder> others;
  for (cl_uint i = 0; i + 1 < kMany; ++i) {
    others.push_back(makeBuffer(context_, std::vector<cl_int>(1)));
    setBuffer(kernel, 4 + i, others.back());
  }
  setBuffer(kernel, 3 + kMany, same);
  setBuffer(kernel, 0, same);
  setBuffer(kernel, 1, threes_);
  setArgument(kernel, 2, cl_int{5});
  setArgument(kernel, 3, kTrips);
  const size_t one = 1;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  cl_int sum = 1;
  for (cl_int k = 0; k < kTrips; ++k) sum += sum + 3 + 1;
  EXPECT_EQ(held(same)[5], sum);
}

TEST_F(SeparateBuffers, AreAskedForInCopiesOfKernels) {
  setBuffer(kernel_, 0, threes_);
  setBuffer(kernel_, 1, threes_);
  cl_int error = CL_INVALID_VALUE;
  const KernelHolder copy(clCloneKernel(kernel_, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const MemoryHolder same = makeBuffer(context_, positions());
  run(copy, buffers(same, same), 0);
  EXPECT_EQ(held(same), addedToSelves(0));
}

}  // namespace
}  // namespace weft::test
