// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// enqueue_kernel in its four forms, ranges, flags, markers, events, queries, and a full queue.
#include <algorithm>
#include <numeric>
#include <utility>

#include "fixture.h"

namespace weft::test {
namespace {

using Ints = std::vector<cl_int>;

TEST_F(DeviceEnqueueTest, OneChildWithCaptures) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      int seven = 7;
      long big = 1L << 40;
      float4 v = (float4)(1, 2, 3, 4);
      int status = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(100),
          ^{ out[get_global_id(0)] = seven + (int)(big >> 38) + (int)v.w; });
      out[100] = status;
    })",
                       "k", 1, 1, Ints(101, -1));
  Ints expected(101, 7 + 4 + 4);
  expected[100] = 0;
  EXPECT_EQ(out, expected);
}

TEST_F(DeviceEnqueueTest, ChildrenOfEveryWorkItem) {
  for (const size_t local : {1, 16, 64}) {
    const Ints out = run(R"(
      kernel void k(global int* out) {
        size_t i = get_global_id(0);
        if (i % 3 == 1) return;
        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4),
            ^{ out[4 * i + get_global_id(0)] = (int)i; }) != CLK_SUCCESS) out[4 * i] = -100;
      })",
                         "k", 4096, local, Ints(4 * 4096, -1));
    for (int i = 0; i < 4 * 4096; ++i)
      ASSERT_EQ(out[i], i / 4 % 3 == 1 ? -1 : i / 4) << "local size " << local;
  }
}

TEST_F(DeviceEnqueueTest, RangesOfThreeDimensions) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      size_t global2[2] = {6, 4}, local2[2] = {3, 2}, offset2[2] = {1, 2};
      size_t global3[3] = {4, 3, 2}, local3[3] = {2, 3, 1}, offset3[3] = {5, 6, 7};
      queue_t q = get_default_queue();
      void (^count1)(void) = ^{
        atomic_add(&out[0], (int)get_global_id(0));
        atomic_add(&out[1], (int)(get_local_size(0) * 1000 + get_num_groups(0) * 100 + get_work_dim()));
      };
      enqueue_kernel(q, 0, ndrange_1D(10), ^{ atomic_add(&out[2], (int)get_global_size(0)); });
      enqueue_kernel(q, 0, ndrange_1D(10, 5), count1);
      enqueue_kernel(q, 0, ndrange_1D(100, 10, 5), count1);
      enqueue_kernel(q, 0, ndrange_2D(global2), ^{ atomic_inc(&out[3]); });
      enqueue_kernel(q, 0, ndrange_2D(global2, local2), ^{
        atomic_add(&out[4], (int)(get_local_size(0) * 10 + get_local_size(1) + 100 * get_work_dim())); });
      enqueue_kernel(q, 0, ndrange_2D(offset2, global2, local2), ^{
        atomic_add(&out[5], (int)(get_global_id(0) * 10 + get_global_id(1))); });
      enqueue_kernel(q, 0, ndrange_3D(global3), ^{ atomic_inc(&out[6]); });
      enqueue_kernel(q, 0, ndrange_3D(global3, local3), ^{
        atomic_add(&out[7], (int)(get_num_groups(0) * 100 + get_num_groups(1) * 10 + get_num_groups(2))); });
      enqueue_kernel(q, 0, ndrange_3D(offset3, global3, local3), ^{
        atomic_add(&out[8], (int)(get_global_id(0) + get_global_id(1) + get_global_id(2))); });
    })",
                       "k", 1, 1, Ints(9));
  EXPECT_EQ(out, (Ints{45 + 1045, 20 * (5000 + 200 + 1), 100, 24, 24 * (30 + 2 + 200),
                       24 * 35 + 24 * 3 + 12, 24, 24 * 212, 24 * 18 + 6 * 6 + 8 * 3 + 12 * 1}));
}

TEST_F(DeviceEnqueueTest, GroupsThatDoNotFit) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      size_t global2[2] = {37, 11}, local2[2] = {8, 4};
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(1000, 64), ^{
        atomic_inc(&out[get_local_size(0)]);
        atomic_inc(&out[65]);
      });
      enqueue_kernel(get_default_queue(), 0, ndrange_2D(global2, local2), ^(local void* memory) {
        local int* sum = (local int*)memory;
        if (get_local_linear_id() == 0) *sum = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_inc(sum);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (*sum == (int)(get_local_size(0) * get_local_size(1))) atomic_inc(&out[66]);
      }, 4u);
    })",
                       "k", 1, 1, Ints(67));
  EXPECT_EQ(out[64], 960);
  EXPECT_EQ(out[40], 40);
  EXPECT_EQ(out[65], 1000);
  EXPECT_EQ(out[66], 37 * 11);
}

TEST_F(DeviceEnqueueTest, LocalMemoryOfChildren) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(256, 64),
          ^(local void* first, local void* second) {
            local int* a = (local int*)first;
            local int* b = (local int*)second;
            int i = (int)get_local_id(0);
            a[i] = i;
            b[63 - i] = 1000 * i;
            barrier(CLK_LOCAL_MEM_FENCE);
            out[get_global_id(0)] = a[63 - i] + b[i];
          }, (uint)(64 * sizeof(int)), (uint)(64 * sizeof(int)));
    })",
                       "k", 1, 1, Ints(256, -1));
  for (int i = 0; i < 256; ++i) ASSERT_EQ(out[i], 63 - i % 64 + 1000 * (63 - i % 64));
}

TEST_F(DeviceEnqueueTest, ChildrenWithBarriers) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      size_t me = get_global_id(0);
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(64, 64),
          ^(local void* memory) {
            local int* l = (local int*)memory;
            int i = (int)get_local_id(0);
            l[i] = i + (int)me;
            for (int s = 32; s > 0; s /= 2) {
              barrier(CLK_LOCAL_MEM_FENCE);
              if (i < s) l[i] += l[i + s];
            }
            if (i == 0) out[me] = l[0];
          }, 64 * sizeof(int));
    })",
                       "k", 40, 8, Ints(40, -1));
  for (int i = 0; i < 40; ++i) ASSERT_EQ(out[i], 63 * 32 + 64 * i);
}

TEST_F(DeviceEnqueueTest, ChildrenWaitForTheirKernel) {
  // Each sees what all work-items of its parent have written.
  const Ints out = run(R"(
    kernel void k(global int* out) {
      size_t i = get_global_id(0), n = get_global_size(0);
      if (i % 16 == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
          int sum = 0;
          for (size_t k = 0; k < n; ++k) sum += out[k];
          out[n + i / 16] = sum;
        });
      out[i] = 1;
    })",
                       "k", 512, 8, Ints(512 + 32));
  for (int i = 0; i < 512 + 32; ++i) ASSERT_EQ(out[i], i < 512 ? 1 : 512);
}

TEST_F(DeviceEnqueueTest, ChildrenWaitForTheirGroup) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      size_t i = get_global_id(0), first = get_group_id(0) * get_local_size(0);
      if (get_local_id(0) == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), ^{
          int sum = 0;
          for (size_t k = 0; k < 16; ++k) sum += out[first + k];
          out[512 + first / 16] = sum;
        });
      out[i] = 1;
    })",
                       "k", 512, 16, Ints(512 + 32));
  for (int i = 0; i < 512 + 32; ++i) ASSERT_EQ(out[i], i < 512 ? 1 : 16);
}

TEST_F(DeviceEnqueueTest, NestedTenDeep) {
  const Ints out = run(R"(
    #define LEVEL(n, inner) enqueue_kernel(get_default_queue(), n % 3, ndrange_1D(2), \
        ^{ atomic_inc(&out[n]); inner; })
    kernel void k(global int* out) {
      LEVEL(1, LEVEL(2, LEVEL(3, LEVEL(4, LEVEL(5, LEVEL(6, LEVEL(7, LEVEL(8, LEVEL(9, LEVEL(10, ))))))))));
    })",
                       "k", 1, 1, Ints(11));
  for (int i = 1; i <= 10; ++i) EXPECT_EQ(out[i], 1 << i);
}

TEST_F(DeviceEnqueueTest, EventsOrderChildren) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      queue_t q = get_default_queue();
      clk_event_t first, second, both[2], marker;
      enqueue_kernel(q, 0, ndrange_1D(64), 0, NULL, &first, ^{ out[get_global_id(0)] = 3; });
      enqueue_kernel(q, 0, ndrange_1D(64), 1, &first, &second, ^{ out[get_global_id(0)] *= 5; });
      enqueue_kernel(q, 0, ndrange_1D(64, 16), 1, &second, &both[0],
                     ^(local void* l) {
                       local int* a = (local int*)l;
                       a[get_local_id(0)] = out[get_global_id(0)];
                       out[64 + get_global_id(0)] = a[get_local_id(0)] + 1;
                     }, 64);
      both[1] = create_user_event();
      enqueue_marker(q, 2, both, &marker);
      enqueue_kernel(q, 0, ndrange_1D(64), 1, &marker, NULL,
                     ^{ out[128 + get_global_id(0)] = out[64 + get_global_id(0)] + out[192]; });
      out[192] = 100;
      out[193] = is_valid_event(marker) + 2 * is_valid_event(CLK_NULL_EVENT);
      set_user_event_status(both[1], CL_COMPLETE);
      retain_event(first);
      release_event(first);
      release_event(first);
      release_event(second);
      release_event(both[0]);
      release_event(both[1]);
      release_event(marker);
    })",
                       "k", 1, 1, Ints(194));
  for (int i = 0; i < 192; ++i) ASSERT_EQ(out[i], i < 64 ? 15 : i < 128 ? 16 : 116) << i;
  EXPECT_EQ(out[193], 1);
}

TEST_F(DeviceEnqueueTest, AUserEventSetByAChild) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      queue_t q = get_default_queue();
      clk_event_t gate = create_user_event();
      for (int i = 1; i <= 10; ++i)
        enqueue_kernel(q, 0, ndrange_1D(1), 1, &gate, NULL, ^{ out[i] = out[0] + i; });
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        out[0] = 1000;
        set_user_event_status(gate, CL_COMPLETE);
        release_event(gate);
      });
    })",
                       "k", 1, 1, Ints(11));
  for (int i = 0; i <= 10; ++i) EXPECT_EQ(out[i], 1000 + i);
}

TEST_F(DeviceEnqueueTest, AFailedEventReachesWhoWaitsAndTheParent) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      queue_t q = get_default_queue();
      clk_event_t gate = create_user_event(), after;
      enqueue_kernel(q, 0, ndrange_1D(1), 1, &gate, &after, ^{ out[0] = 1; });
      enqueue_kernel(q, 0, ndrange_1D(1), 1, &after, NULL, ^{ out[1] = 1; });
      enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[2] = 1; });
      set_user_event_status(gate, -5);
      release_event(gate);
      release_event(after);
    })",
                       "k", 1, 1, Ints(3), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(out, (Ints{0, 0, 1}));
}

TEST_F(DeviceEnqueueTest, AnEventThatNobodySetsDoesNotHang) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      queue_t q = get_default_queue();
      clk_event_t gate = create_user_event(), after;
      enqueue_kernel(q, 0, ndrange_1D(1), 1, &gate, &after, ^{ out[0] = 1; });
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 1, &after, NULL, ^{ out[1] = 1; });
      enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[2] = 1; });
    })",
                       "k", 1, 1, Ints(3), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(out, (Ints{0, 0, 1}));
}

TEST_F(DeviceEnqueueTest, AFailingChildFailsItsParent) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      out[0] = 1;
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(2, 2), ^{
        if (get_local_id(0) == 0) barrier(CLK_LOCAL_MEM_FENCE);
        else { out[1] = 2; barrier(CLK_LOCAL_MEM_FENCE); }
      });
    })",
                       "k", 1, 1, Ints(2), CL_INVALID_KERNEL);
  EXPECT_EQ(out[0], 1);
}

TEST_F(DeviceEnqueueTest, ErrorsInDetail) {
  constexpr const char* kSource = R"(
    kernel void k(global int* out, queue_t other) {
      queue_t q = get_default_queue(), none = CLK_NULL_QUEUE;
      clk_event_t invalid = CLK_NULL_EVENT, event;
      void (^nothing)(void) = ^{ out[9] = 1; };
      out[0] = enqueue_kernel(none, 0, ndrange_1D(1), nothing);
      out[1] = enqueue_kernel(q, 0, ndrange_1D(1 << 20, 1 << 20), nothing);
      out[2] = enqueue_kernel(q, 0, ndrange_1D(1), 1, &invalid, &event, nothing);
      out[3] = enqueue_kernel(q, 0, ndrange_1D(1), ^(local void* p) { out[9] = 1; }, 0u);
      out[4] = enqueue_kernel(q, 0, ndrange_1D(1), ^(local void* p) { out[9] = 1; }, 1u << 30);
      out[5] = enqueue_marker(q, 0, NULL, &event);
      out[6] = enqueue_kernel(other, 0, ndrange_1D(1), ^{ out[7] = 7; });
    })";
  const QueueHolder other = makeDeviceQueue(context, 4096, false);
  const auto compileAndLink = [&](const char* options) {
    const ProgramHolder object = makeProgram(context, kSource);
    EXPECT_EQ(clCompileProgram(object, 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr),
              CL_SUCCESS);
    const cl_program input = object;
    cl_int error = CL_INVALID_VALUE;
    ProgramHolder linked(
        clLinkProgram(context, 0, nullptr, "", 1, &input, nullptr, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return linked;
  };
  for (const auto [detailed, linked] : {std::pair(true, false), std::pair(false, false),
                                        std::pair(true, true), std::pair(false, true)}) {
    SCOPED_TRACE(linked ? "linked" : "built");
    const char* options = detailed ? "-cl-std=CL3.0 -g" : "-cl-std=CL3.0";
    const ProgramHolder program =
        linked ? compileAndLink(options) : buildProgram(context, kSource, options);
    const KernelHolder kernel = makeKernel(program, "k");
    setArgument(kernel, 1, other.get());
    const Ints out = runKernel(kernel, 1, 1, Ints(10));
    if (detailed)
      EXPECT_EQ(out, (Ints{-102, -160, -57, -51, -5, -57, 0, 7, 0, 0}));
    else
      EXPECT_EQ(out, (Ints{-101, -101, -101, -101, -101, -101, 0, 7, 0, 0}));
  }
}

TEST_F(DeviceEnqueueTest, AFullQueueLosesNothing) {
  // What waits for its kernel stays in the queue, so that it must fill up.
  const ProgramHolder program = buildProgram(context, R"(
    kernel void k(global int* out, queue_t q) {
      int taken = 0, refused = 0;
      for (int i = 0; i < 1000; ++i) {
        int status = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ atomic_inc(&out[0]); });
        if (status == CLK_SUCCESS) ++taken;
        else if (status == CLK_DEVICE_QUEUE_FULL) ++refused;
      }
      out[1] = taken;
      out[2] = refused;
    }
    kernel void again(global int* out, queue_t q) {
      // Those that may run at once make room for more.
      for (int i = 0; i < 10000; ++i)
        while (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ atomic_inc(&out[0]); }) != CLK_SUCCESS)
          ++out[1];
    })",
                                             "-cl-std=CL3.0 -g");
  const QueueHolder small = makeDeviceQueue(context, 32768, false);
  const KernelHolder kernel = makeKernel(program, "k"), again = makeKernel(program, "again");
  setArgument(kernel, 1, small.get());
  setArgument(again, 1, small.get());
  for (int turn = 0; turn < 3; ++turn) {
    Ints out = runKernel(kernel, 1, 1, Ints(3));
    EXPECT_EQ(out[0], out[1]);
    EXPECT_GT(out[1], 20);
    EXPECT_LT(out[1], 100);
    EXPECT_EQ(out[1] + out[2], 1000);
    out = runKernel(again, 1, 1, Ints(2));
    EXPECT_EQ(out[0], 10000);
  }
}

TEST_F(DeviceEnqueueTest, Queries) {
  const Ints out = run(R"(
    kernel void k(global int* out) {
      void (^simple)(void) = ^{ out[9] = 1; };
      void (^locals)(local void*) = ^(local void* p) { out[9] = 1; };
      out[0] = (int)get_kernel_work_group_size(simple);
      out[1] = (int)get_kernel_work_group_size(locals);
      out[2] = (int)get_kernel_preferred_work_group_size_multiple(simple);
      out[3] = (int)get_kernel_preferred_work_group_size_multiple(locals);
    })",
                       "k", 1, 1, Ints(10));
  for (int i = 0; i < 2; ++i) EXPECT_GE(out[i], 1024);
  for (int i = 2; i < 4; ++i) EXPECT_GE(out[i], 1);
  EXPECT_EQ(out[9], 0);
}

TEST_F(DeviceEnqueueTest, CompleteIsAfterEnd) {
  const ProgramHolder program = buildProgram(context, R"(
    kernel void k(global int* out) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        for (int i = 0; i < 20000000; ++i) out[1] = out[0] ^ i * out[1];
      });
    })",
                                             "-cl-std=CL3.0");
  const KernelHolder kernel = makeKernel(program, "k");
  const MemoryHolder buffer = makeBuffer(context, Ints(2, 3));
  setBuffer(kernel, 0, buffer);
  const size_t one = 1;
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, &event),
            CL_SUCCESS);
  const EventHolder holder(event);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  cl_ulong start = 0, end = 0, complete = 0;
  for (auto [name, value] : {std::pair{CL_PROFILING_COMMAND_START, &start},
                             {CL_PROFILING_COMMAND_END, &end},
                             {CL_PROFILING_COMMAND_COMPLETE, &complete}})
    EXPECT_EQ(clGetEventProfilingInfo(event, name, sizeof(cl_ulong), value, nullptr), CL_SUCCESS);
  EXPECT_LE(start, end);
  EXPECT_GT(complete - end, 1000000u) << "the child takes milliseconds";
}

TEST_F(DeviceEnqueueTest, TimesOfChildren) {
  const ProgramHolder program = buildProgram(context, R"(
    kernel void k(global ulong* times) {
      queue_t q = get_default_queue();
      clk_event_t event;
      enqueue_kernel(q, 0, ndrange_1D(1), 0, NULL, &event, ^{
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
          for (int i = 0; i < 3000000; ++i) times[2] = times[3] ^ i * times[2];
        });
      });
      capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times);
      release_event(event);
    })",
                                             "-cl-std=CL3.0");
  const KernelHolder kernel = makeKernel(program, "k");
  const MemoryHolder buffer = makeBuffer(context, std::vector<cl_ulong>(4, 0));
  setBuffer(kernel, 0, buffer);
  const size_t one = 1;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  const auto times = readBuffer<cl_ulong>(queue, buffer, 2);
  EXPECT_GT(times[0], 0u);
  EXPECT_GT(times[1], times[0] + 100000) << "its own child takes longer";
}

TEST_F(DeviceEnqueueTest, WithoutADefaultQueue) {
  onDevice.reset();
  const Ints out = run(R"(
    kernel void k(global int* out) {
      out[0] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[1] = 1; });
    })",
                       "k", 1, 1, Ints(2), CL_COMPLETE, "-cl-std=CL3.0 -g");
  EXPECT_EQ(out, (Ints{-102, 0}));
}

TEST_F(DeviceEnqueueTest, BlocksAreNoKernelsOfTheHost) {
  const ProgramHolder program = buildProgram(context, R"(
    kernel void k(global int* out) {
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[0] = 1; });
    })",
                                             "-cl-std=CL3.0");
  size_t count = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(count, 1u);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateKernel(program, "__k_block_invoke_kernel", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_KERNEL_NAME);
}

TEST_F(DeviceEnqueueTest, BlocksMayBeCalled) {
  const Ints out = run(R"(
    int twice(int x) {
      int (^block)(int) = ^(int y) { return 2 * y + x; };
      return block(x) + block(1);
    }
    kernel void k(global int* out) {
      size_t i = get_global_id(0);
      void (^store)(int) = ^(int v) { out[i] = v; };
      store(twice((int)i));
    })",
                       "k", 100, 10, Ints(100));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(out[i], 2 * i + i + 2 + i);
}

TEST_F(DeviceEnqueueTest, PrintfInChildrenIsTheCommands) {
  testing::internal::CaptureStdout();
  run(R"(
    kernel void k(global int* out) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                     ^{ printf("child %d\n", 42); });
    })",
      "k", 1, 1, Ints(1));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "child 42\n");
}

TEST_F(DeviceEnqueueTest, FromABinary) {
  const ProgramHolder source = buildProgram(context, R"(
    kernel void k(global int* out) {
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(10), ^{ out[get_global_id(0)] = 5; });
    })",
                                            "-cl-std=CL3.0");
  const ProgramHolder loaded = loadBinary(context, binaryOf(source));
  ASSERT_EQ(clBuildProgram(loaded, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  const KernelHolder kernel = makeKernel(loaded, "k");
  EXPECT_EQ(runKernel(kernel, 1, 1, Ints(10)), Ints(10, 5));
}

}  // namespace
}  // namespace weft::test
