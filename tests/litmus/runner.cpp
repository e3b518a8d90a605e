// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "litmus/runner.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "litmus/kernels.h"
#include "support/objects.h"
#include "support/programs.h"
#include "support/svm.h"

namespace weft::test::litmus {

namespace {

constexpr cl_uint kInstances = 7 * 2048;  ///< of one launch; a multiple of all group sizes

/// Work-items of a launch and of its groups.
struct Sizes {
  size_t global, local;
};

Sizes sizesOf(const Placement& placement, size_t threads, size_t count) {
  const size_t items = placement.items;
  if (!isGroup(placement.threads)) return {count * items, items};
  if (!isSubGroup(placement.threads)) return {kInstances * threads, items * threads};
  // At most half of a sub-group of eight and more is left over.
  return {kInstances / (items / (2 * kMostThreads)) * items, items};
}

/// Everything that launches of one kernel share.
class Session {
 public:
  Session(const Test& test, bool control, const Placement& placement)
      : threads_(control ? test.control : test.threads),
        placement_(placement),
        devices_(devicesOf(placement)),
        context_(contextOf(devices_)),
        program_(makeProgram(context_, kernelOf(threads_, placement))),
        x_(context_, kInstances * kStride, kFine),
        y_(context_, kInstances * kStride, kFine),
        results_(context_, size_t{kInstances} * kMostResults, kFine),
        gate_(context_, kMeetings + 1, kFine) {
    EXPECT_EQ(clBuildProgram(program_, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS)
        << buildLog(program_) << kernelOf(threads_, placement);
    for (cl_device_id device : devices_) {
      cl_int error = CL_INVALID_VALUE;
      queues_.emplace_back(clCreateCommandQueueWithProperties(context_, device, nullptr, &error));
      EXPECT_EQ(error, CL_SUCCESS);
      kernels_.push_back(makeKernel(program_, "litmus"));
    }
  }
  ~Session() {
    queues_.clear();
    for (cl_device_id device : devices_) clReleaseDevice(device);
  }

  /// One launch of all threads over all instances.
  void launch(cl_uint shift) {
    std::ranges::fill(x_, 0);
    std::ranges::fill(y_, 0);
    std::ranges::fill(results_, 0);
    gate_[0] = gate_[kMeetings] = 0;
    const auto threads = static_cast<cl_uint>(threads_.size());
    const bool host = placement_.threads == Threads::HostAndDevice;
    if (devices_.size() == 2) {
      enqueue(0, 0, threads / 2, shift);
      enqueue(1, threads / 2, threads - threads / 2, shift);
    } else {
      enqueue(0, host ? 1 : 0, host ? threads - 1 : threads, shift);
    }
    for (const QueueHolder& queue : queues_) EXPECT_EQ(clFlush(queue), CL_SUCCESS);
    if (host) runFirst();
    for (const QueueHolder& queue : queues_) EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  }

  int meetings() const { return gate_[kMeetings]; }

  Outcome outcome(cl_uint instance) const {
    Outcome made{};
    for (int r = 0; r < kMostResults; ++r) made.r[r] = results_[size_t(r) * kInstances + instance];
    made.x = x_[size_t{instance} * kStride];
    made.y = y_[size_t{instance} * kStride];
    return made;
  }

 private:
  static constexpr cl_svm_mem_flags kFine =
      CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;

  static std::vector<cl_device_id> devicesOf(const Placement& placement) {
    if (placement.threads != Threads::Devices) return {device()};
    const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1,
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    std::vector<cl_device_id> made(2);
    EXPECT_EQ(clCreateSubDevices(device(), halves, 2, made.data(), nullptr), CL_SUCCESS);
    return made;
  }
  static ContextHolder contextOf(const std::vector<cl_device_id>& devices) {
    cl_int error = CL_INVALID_VALUE;
    ContextHolder context(clCreateContext(nullptr, static_cast<cl_uint>(devices.size()),
                                          devices.data(), nullptr, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return context;
  }

  void enqueue(size_t which, cl_uint first, cl_uint count, cl_uint shift) {
    cl_kernel kernel = kernels_[which];
    const auto all = static_cast<cl_uint>(threads_.size());
    const auto items = static_cast<cl_uint>(placement_.items);
    cl_uint index = 0;
    for (int* pointer : {x_.data(), y_.data(), results_.data(), gate_.data()})
      EXPECT_EQ(clSetKernelArgSVMPointer(kernel, index++, pointer), CL_SUCCESS);
    for (cl_uint value : {first, all, items, kInstances, shift})
      EXPECT_EQ(clSetKernelArg(kernel, index++, sizeof value, &value), CL_SUCCESS);
    const auto [global, local] = sizesOf(placement_, all, count);
    EXPECT_EQ(clEnqueueNDRangeKernel(queues_[which], kernel, 1, nullptr, &global,
                                     placement_.threads == Threads::FlatRows ? nullptr : &local, 0,
                                     nullptr, nullptr),
              CL_SUCCESS);
  }

  /// The first thread, here; it keeps step as kernels do.
  void runFirst() {
    std::atomic_ref<int> gate(gate_[0]);
    for (cl_uint block = 0; block < kInstances; block += 64) {
      gate.fetch_add(1, std::memory_order_relaxed);
      const int goal = static_cast<int>(threads_.size() * (block / 64 + 1));
      for (int wait = 0; wait < 4000 && gate.load(std::memory_order_relaxed) < goal; ++wait)
        std::atomic_signal_fence(std::memory_order_seq_cst);
      for (cl_uint i = block; i < block + 64; ++i) {
        int r[kMostResults] = {};
        onHost(threads_[0], &x_[size_t{i} * kStride], &y_[size_t{i} * kStride], r);
        for (const Step& step : threads_[0])
          if (step.result >= 0) results_[size_t(step.result) * kInstances + i] = r[step.result];
      }
    }
  }

  const std::vector<std::vector<Step>>& threads_;
  const Placement placement_;
  std::vector<cl_device_id> devices_;
  ContextHolder context_;
  ProgramHolder program_;
  SvmArray<int> x_, y_, results_, gate_;
  std::vector<QueueHolder> queues_;
  std::vector<KernelHolder> kernels_;
};

}  // namespace

uint64_t instancesOfEach() {
  const char* text = std::getenv("LITMUS_INSTANCES");
  return text ? std::strtoull(text, nullptr, 10) : 28'000;
}

Tally run(const Test& test, bool control, const Placement& placement, uint64_t instances,
          bool untilSeen) {
  Session session(test, control, placement);
  Tally tally;
  for (cl_uint launch = 0; tally.instances < instances; ++launch) {
    session.launch(launch % 3);
    for (cl_uint i = 0; i < kInstances; ++i)
      tally.forbidden += test.isForbidden(session.outcome(i)) ? 1 : 0;
    tally.instances += kInstances;
    tally.meetings += static_cast<uint64_t>(session.meetings());
    if (testing::Test::HasFailure() || (untilSeen && tally.forbidden != 0)) break;
  }
  return tally;
}

}  // namespace weft::test::litmus
