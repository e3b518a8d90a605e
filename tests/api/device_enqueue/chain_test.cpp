// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long chains of launches, each from the one before: what they take, and what goes up them.
#include <fstream>
#include <utility>

#include "fixture.h"
#include "support/sanitizers.h"

namespace weft::test {
namespace {

using Ints = std::vector<cl_int>;

constexpr cl_int kLength = kSanitizer ? 20'000 : 300'000;
/// Half of what the children of a chain would take if they stayed until its end. Compilations in
/// the background take tens of megabytes.
constexpr size_t kMostBytes = size_t{120} << 20;

/// out: the launches that are left; those that ran; what a launch after the chain saw of the first.
constexpr const char* kSource = R"(
  void leaf(global int* out) { atomic_inc(&out[1]); }
  void step(global int* out, int flags, int leaves) {
    queue_t q = get_default_queue();
    if (atomic_dec(&out[0]) <= 1) return;
    while (enqueue_kernel(q, flags, ndrange_1D(1), ^{ step(out, flags, leaves); }) != 0) {}
    for (int i = 0; i < leaves; ++i)
      while (enqueue_kernel(q, 0, ndrange_1D(1), ^{ leaf(out); }) != 0) {}
  }
  kernel void plain(global int* out) { step(out, CLK_ENQUEUE_FLAGS_NO_WAIT, 0); }
  kernel void ordered(global int* out) { step(out, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, 0); }
  kernel void leaves(global int* out) { step(out, CLK_ENQUEUE_FLAGS_NO_WAIT, 2); }
  // The children are large enough for all workers.
  void wide(global int* out, int items) {
    if (get_global_id(0) != items - 1 || atomic_dec(&out[0]) <= 1) return;
    while (enqueue_kernel(get_default_queue(), 0, ndrange_1D(items, 64), ^{ wide(out, items); })) {}
  }
  kernel void open(global int* out) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1024, 64), ^{ wide(out, 1024); }); }

  void fails(global int* out, int left) {
    queue_t q = get_default_queue();
    if (left > 0) {
      enqueue_kernel(q, 0, ndrange_1D(1), ^{ fails(out, left - 1); });
      return;
    }
    clk_event_t gate = create_user_event();
    enqueue_kernel(q, 0, ndrange_1D(1), 1, &gate, NULL, ^{ leaf(out); });
    set_user_event_status(gate, -5);
    release_event(gate);
  }
  kernel void failing(global int* out) {
    queue_t q = get_default_queue();
    clk_event_t first;
    int left = out[0];
    enqueue_kernel(q, 0, ndrange_1D(1), 0, NULL, &first, ^{ fails(out, left); });
    enqueue_kernel(q, 0, ndrange_1D(1), 1, &first, NULL, ^{ out[2] = 1; });
    release_event(first);
  }
  kernel void told(global int* out) {
    queue_t q = get_default_queue();
    clk_event_t first;
    enqueue_kernel(q, 0, ndrange_1D(1), 0, NULL, &first, ^{ step(out, 0, 1); });
    enqueue_kernel(q, 0, ndrange_1D(1), 1, &first, NULL, ^{ out[2] = atomic_or(&out[0], 0); });
    release_event(first);
  }
)";

size_t residentBytes() {
  size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * 4096;
}

class DeviceChainTest : public DeviceEnqueueTest {
 protected:
  Ints runChain(const char* name, cl_int length, cl_int expected = CL_COMPLETE) {
    const KernelHolder kernel = makeKernel(program, name);
    return runKernel(kernel, 1, 1, {length, 0, -1}, expected);
  }

  ProgramHolder program = buildProgram(context, kSource, "-cl-std=CL3.0");
};

TEST_F(DeviceChainTest, TakesNoMoreMemoryWhenItIsLong) {
  for (const auto& [name, leaves] :
       {std::pair("plain", 0), std::pair("ordered", 0), std::pair("leaves", 2)}) {
    SCOPED_TRACE(name);
    runChain(name, 1000);
    const size_t before = residentBytes();
    EXPECT_EQ(runChain(name, kLength), (Ints{0, leaves * (kLength - 1), -1}));
    if (!kSanitizer) EXPECT_LT(residentBytes(), before + kMostBytes);
  }
}

TEST_F(DeviceChainTest, OfLargeLaunchesTakesNoMoreMemoryWhenItIsLong) {
  runChain("open", 1000);
  const size_t before = residentBytes();
  EXPECT_EQ(runChain("open", kLength)[0], 0);
  if (!kSanitizer) EXPECT_LT(residentBytes(), before + kMostBytes);
}

TEST_F(DeviceChainTest, FailsAsAWholeWhenItsLastDoes) {
  for (const cl_int length : {0, 1, 2, 1000})
    EXPECT_EQ(runChain("failing", length, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
              (Ints{length, 0, -1}));
}

TEST_F(DeviceChainTest, IsCompleteToWhoWaitsForItsFirst) {
  for (const cl_int length : {1, 2, 3, 1000})
    EXPECT_EQ(runChain("told", length), (Ints{0, length - 1, 0}));
}

}  // namespace
}  // namespace weft::test
