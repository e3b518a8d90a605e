// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clEnqueueNDRangeKernel and clEnqueueTask through the API, with the real compiler.
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <thread>

#include "support/extensions.h"
#include "support/programs.h"
#include "support/wait_list.h"
#include "weft/khr/opencl_3_1.h"

namespace weft::test {
namespace {

constexpr size_t kHuge = std::numeric_limits<size_t>::max();

const char* const kSource = R"(
kernel void ids(global ulong* out) {
  size_t i = 0;
  for (int d = 2; d >= 0; --d) i = i * get_global_size(d) + get_global_id(d) - get_global_offset(d);
  out[i] = get_global_id(0) + 1000 * get_global_id(1) + 1000000 * get_global_id(2);
}
kernel void sizes(global ulong* out) {
  for (uint d = 0; d < 3; ++d) { out[d] = get_local_size(d); out[3 + d] = get_num_groups(d); }
}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixedSizes(global ulong* out) {
  for (uint d = 0; d < 3; ++d) { out[d] = get_local_size(d); out[3 + d] = get_num_groups(d); }
}
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void single(global ulong* out) { out[0] = 11; }
kernel void heavy(global int* out) {
  volatile int much[32768];
  much[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (much[get_local_id(0)] != 1) out[0] = -1;
}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(global ulong* out) {
  if (get_local_id(0) == 3 && get_local_id(1) == 1) out[0] = get_local_size(0) * 10 + get_local_size(1);
}
kernel void count(global int* counter) { atomic_inc(counter); }
kernel void diverge(global int* out) {
  if (get_local_id(0) == 0) { barrier(CLK_LOCAL_MEM_FENCE); out[0] = 1; }
  else { barrier(CLK_GLOBAL_MEM_FENCE); out[1] = 2; }
}
kernel void large(local char* l, global int* out) { l[get_local_id(0)] = 1; out[0] = l[0]; }
)";

class NDRangeApi : public testing::Test {
 protected:
  cl_int enqueue(cl_kernel kernel, std::vector<size_t> global, std::vector<size_t> local = {},
                 std::vector<size_t> offset = {}, cl_event* event = nullptr) {
    return clEnqueueNDRangeKernel(queue_, kernel, static_cast<cl_uint>(global.size()),
                                  offset.empty() ? nullptr : offset.data(), global.data(),
                                  local.empty() ? nullptr : local.data(), 0, nullptr, event);
  }
  KernelHolder kernelOn(const char* name, cl_mem out) {
    KernelHolder kernel = makeKernel(program_, name);
    setBuffer(kernel, 0, out);
    return kernel;
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  ProgramHolder program_ = buildProgram(context_, kSource);
};

TEST_F(NDRangeApi, RangesWithOffsets) {
  const struct {
    std::vector<size_t> global, local, offset;
  } cases[] = {
      {{10}, {}, {}},           {{12}, {4}, {7}},           {{6, 5}, {}, {}},
      {{6, 5}, {3, 5}, {1, 2}}, {{4, 3, 5}, {}, {1, 2, 3}}, {{4, 3, 5}, {2, 3, 1}, {}},
      {{1000}, {1000}, {}},     {{97, 13}, {}, {5, 5}},
  };
  for (const auto& c : cases) {
    std::array<size_t, 3> size{1, 1, 1}, first{};
    std::copy(c.global.begin(), c.global.end(), size.begin());
    std::copy(c.offset.begin(), c.offset.end(), first.begin());
    const size_t items = size[0] * size[1] * size[2];
    const MemoryHolder out = makeBuffer(context_, std::vector<cl_ulong>(items));
    const KernelHolder kernel = kernelOn("ids", out);
    ASSERT_EQ(enqueue(kernel, c.global, c.local, c.offset), CL_SUCCESS);
    std::vector<cl_ulong> expected;
    for (size_t z = 0; z < size[2]; ++z)
      for (size_t y = 0; y < size[1]; ++y)
        for (size_t x = 0; x < size[0]; ++x)
          expected.push_back(x + first[0] + 1000 * (y + first[1]) + 1000000 * (z + first[2]));
    EXPECT_EQ(readBuffer<cl_ulong>(queue_, out, items), expected);
  }
}

TEST_F(NDRangeApi, WrongSizes) {
  const MemoryHolder out = makeBuffer(context_, std::vector<cl_ulong>(64));
  const KernelHolder kernel = kernelOn("ids", out);
  const size_t one = 1;
  for (const cl_uint dim : {0u, 4u, 1000u})
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue_, kernel, dim, nullptr, &one, nullptr, 0, nullptr, nullptr),
        CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(enqueue(kernel, {kHuge}, {1}, {1}), CL_INVALID_GLOBAL_OFFSET);
  EXPECT_EQ(enqueue(kernel, {kHuge / 2, 3}), CL_INVALID_GLOBAL_WORK_SIZE);
  EXPECT_EQ(enqueue(kernel, {10}, {3}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(kernel, {10}, {0}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(kernel, {4, 4}, {4, 3}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(kernel, {kHuge}, {kHuge}), CL_INVALID_WORK_ITEM_SIZE);
  EXPECT_EQ(enqueue(kernel, {4096, 4096}, {4096, 4096}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(kernel, {kHuge, 0, kHuge}), CL_SUCCESS) << "there is nothing to run";
}

TEST_F(NDRangeApi, RequiredWorkGroupSize) {
  const MemoryHolder out = makeBuffer(context_, std::vector<cl_ulong>(8));
  const KernelHolder kernel = kernelOn("fixed", out);
  EXPECT_EQ(enqueue(kernel, {8, 8}, {4, 2}), CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel, {8, 8, 2}, {4, 2, 1}), CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel, {8, 8}, {2, 4}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(kernel, {8}, {8}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(kernel, {8, 3}), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(kernel, {8, 8}), CL_SUCCESS);  // the required size stands in
  EXPECT_EQ(readBuffer<cl_ulong>(queue_, out, 1)[0], 42u);
  EXPECT_EQ(clEnqueueTask(queue_, kernel, 0, nullptr, nullptr), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(clEnqueueTask(queue_, kernelOn("single", out), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(readBuffer<cl_ulong>(queue_, out, 1)[0], 11u);
}

// From OpenCL C 2.0 on groups at the ends of a range may be smaller, unless the program says no.
TEST_F(NDRangeApi, RaggedGroups) {
  const char* const source = R"(
    kernel void k(global ulong* out) {
      size_t i = 0, at = 0;
      for (int d = 2; d >= 0; --d) i = i * get_global_size(d) + get_global_id(d) - get_global_offset(d);
      for (int d = 0; d < 3; ++d)
        at = at * 100 + get_local_size(d) * get_enqueued_local_size(d) + get_num_groups(d);
      out[i] = at;
    }
    kernel __attribute__((reqd_work_group_size(4, 3, 1))) void required(global ulong* out) {
      if (get_local_id(0) + get_local_id(1) != 0) return;
      out[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = get_local_size(0) * 10 + get_local_size(1);
    })";
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CLC++2021"}) {
    const ProgramHolder program = buildProgram(context_, source, options);
    const MemoryHolder out = makeBuffer(context_, std::vector<cl_ulong>(4096));
    const KernelHolder kernel = makeKernel(program, "k"),
                       required = makeKernel(program, "required");
    setBuffer(kernel, 0, out);
    setBuffer(required, 0, out);
    const struct {
      std::array<size_t, 3> global, local;
    } ranges[] = {{{10, 1, 1}, {4, 1, 1}}, {{3, 1, 1}, {8, 1, 1}}, {{9, 7, 1}, {4, 3, 1}},
                  {{9, 7, 5}, {4, 3, 2}},  {{8, 7, 5}, {4, 3, 5}}, {{5, 5, 5}, {7, 5, 9}}};
    for (const auto& [global, local] : ranges) {
      ASSERT_EQ(
          enqueue(kernel, {global.begin(), global.end()}, {local.begin(), local.end()}, {5, 6, 7}),
          CL_SUCCESS);
      std::vector<cl_ulong> expected;
      for (size_t z = 0; z < global[2]; ++z)
        for (size_t y = 0; y < global[1]; ++y)
          for (size_t x = 0; x < global[0]; ++x) {
            const std::array<size_t, 3> id{x, y, z};
            size_t at = 0;
            for (size_t d = 0; d < 3; ++d) {
              const size_t size = std::min(local[d], global[d] - id[d] / local[d] * local[d]);
              at = at * 100 + size * local[d] + (global[d] + local[d] - 1) / local[d];
            }
            expected.push_back(at);
          }
      EXPECT_EQ(readBuffer<cl_ulong>(queue_, out, expected.size()), expected);
    }
    ASSERT_EQ(enqueue(required, {6, 4}, {4, 3}), CL_SUCCESS);
    EXPECT_EQ(readBuffer<cl_ulong>(queue_, out, 4), (std::vector<cl_ulong>{43, 23, 41, 21}));
    ASSERT_EQ(enqueue(required, {6, 4}), CL_SUCCESS);  // the required size stands in
    EXPECT_EQ(readBuffer<cl_ulong>(queue_, out, 4), (std::vector<cl_ulong>{43, 23, 41, 21}));
    EXPECT_EQ(enqueue(required, {6, 4}, {4, 2}), CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(enqueue(kernel, {10}, {0}), CL_INVALID_WORK_GROUP_SIZE);
  }
  for (const char* options : {"", "-cl-std=CL1.2", "-cl-std=CL3.0 -cl-uniform-work-group-size",
                              "-cl-std=CLC++2021 -cl-uniform-work-group-size"}) {
    // Without what OpenCL C 1.2 lacks.
    const ProgramHolder program = buildProgram(
        context_, "kernel void k(global int* out) { out[get_global_id(0)] = get_local_size(0); }",
        options);
    const MemoryHolder out = makeBuffer(context_, std::vector<cl_int>(64));
    const KernelHolder kernel = makeKernel(program, "k");
    setBuffer(kernel, 0, out);
    EXPECT_EQ(enqueue(kernel, {10}, {4}), CL_INVALID_WORK_GROUP_SIZE) << options;
    EXPECT_EQ(enqueue(kernel, {3}, {4}), CL_INVALID_WORK_GROUP_SIZE) << options;
    EXPECT_EQ(enqueue(kernel, {8}, {4}), CL_SUCCESS) << options;
  }
  cl_bool offered = CL_FALSE;
  EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof offered,
                            &offered, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(offered, cl_bool{CL_TRUE});
}

using Suggest = clGetKernelSuggestedLocalWorkSizeKHR_fn;

TEST_F(NDRangeApi, SuggestedLocalSizeIsWhatRuns) {
  const auto suggest = extensionFunction<Suggest>("clGetKernelSuggestedLocalWorkSizeKHR");
  const MemoryHolder out = makeBuffer(context_, std::vector<cl_ulong>(6));
  const size_t offset[3] = {5, 6, 7};
  for (const char* name : {"sizes", "fixedSizes"}) {
    const KernelHolder kernel = kernelOn(name, out);
    for (const auto& global :
         {std::vector<size_t>{1}, {1000}, {1 << 20}, {1920, 1080}, {7, 11, 13}, {8, 6, 4}}) {
      size_t local[3] = {1, 1, 1};
      const cl_uint dimensions = static_cast<cl_uint>(global.size());
      const cl_int code = suggest(queue_, kernel, dimensions, offset, global.data(), local);
      size_t core[3] = {1, 1, 1};
      EXPECT_EQ(clGetKernelSuggestedLocalWorkSize(queue_, kernel, dimensions, offset, global.data(),
                                                  core),
                code);
      EXPECT_EQ(std::to_array(core), std::to_array(local));
      ASSERT_EQ(enqueue(kernel, global, {}, {offset, offset + dimensions}), code);
      if (code != CL_SUCCESS) {
        EXPECT_EQ(code, CL_INVALID_WORK_GROUP_SIZE) << name << ' ' << global[0];
        continue;
      }
      const auto seen = readBuffer<cl_ulong>(queue_, out, 6);
      for (size_t d = 0; d < 3; ++d) {
        EXPECT_EQ(seen[d], local[d]);
        EXPECT_EQ(seen[3 + d] * local[d], d < global.size() ? global[d] : 1);
      }
    }
  }
}

TEST_F(NDRangeApi, EveryErrorOfTheSuggestion) {
  const auto suggest = extensionFunction<Suggest>("clGetKernelSuggestedLocalWorkSizeKHR");
  const MemoryHolder out = makeBuffer(context_, std::vector<cl_ulong>(6));
  const KernelHolder kernel = kernelOn("sizes", out), unset = makeKernel(program_, "sizes");
  const size_t some[3] = {8, 8, 8}, none[3] = {8, 0, 8}, most[3] = {kHuge, 3, 1};
  size_t local[4] = {77, 77, 77, 77};
  const auto code = [&](cl_uint dimensions, const size_t* offset, const size_t* global) {
    return suggest(queue_, kernel, dimensions, offset, global, local);
  };
  EXPECT_EQ(suggest(nullptr, kernel, 1, nullptr, some, local), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(suggest(queue_, nullptr, 1, nullptr, some, local), CL_INVALID_KERNEL);
  EXPECT_EQ(suggest(queue_, unset, 1, nullptr, some, local), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(suggest(queue_, kernel, 1, nullptr, some, nullptr), CL_INVALID_VALUE);
  const ContextHolder otherContext = makeContext();
  const QueueHolder foreign = makeQueue(otherContext);
  EXPECT_EQ(suggest(foreign, kernel, 1, nullptr, some, local), CL_INVALID_CONTEXT);
  EXPECT_EQ(code(0, nullptr, some), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(code(4, nullptr, some), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(code(2, most, some), CL_INVALID_GLOBAL_OFFSET);
  EXPECT_EQ(code(1, nullptr, nullptr), CL_INVALID_GLOBAL_WORK_SIZE);
  EXPECT_EQ(code(3, nullptr, none), CL_INVALID_GLOBAL_WORK_SIZE);
  EXPECT_EQ(code(2, nullptr, most), CL_INVALID_GLOBAL_WORK_SIZE);
  for (const size_t untouched : local) EXPECT_EQ(untouched, 77u);
  EXPECT_EQ(code(2, nullptr, some), CL_SUCCESS);
  EXPECT_EQ(local[2], 77u) << "more than the dimensions asked for";
}

TEST_F(NDRangeApi, WrongObjectsAndArguments) {
  const MemoryHolder out = makeBuffer(context_, std::vector<int>(1));
  const KernelHolder kernel = kernelOn("count", out), unset = makeKernel(program_, "count");
  const ContextHolder otherContext = makeContext();
  const QueueHolder foreign = makeQueue(otherContext);
  const auto wrongQueue = reinterpret_cast<cl_command_queue>(context_.get());
  const auto wrongKernel = reinterpret_cast<cl_kernel>(queue_.get());
  const struct {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_int code;
  } rows[] = {
      {nullptr, kernel, CL_INVALID_COMMAND_QUEUE}, {wrongQueue, kernel, CL_INVALID_COMMAND_QUEUE},
      {queue_, nullptr, CL_INVALID_KERNEL},        {queue_, wrongKernel, CL_INVALID_KERNEL},
      {foreign, kernel, CL_INVALID_CONTEXT},       {queue_, unset, CL_INVALID_KERNEL_ARGS},
  };
  const size_t one = 1;
  for (const auto& row : rows) {
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(row.queue, row.kernel, 1, nullptr, &one, nullptr, 0, nullptr,
                                     &event),
              row.code);
    EXPECT_EQ(clEnqueueTask(row.queue, row.kernel, 0, nullptr, &event), row.code);
    EXPECT_EQ(event, nullptr);
  }
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(readBuffer<int>(queue_, out, 1)[0], 0) << "something ran";
}

TEST_F(NDRangeApi, GroupsAreAsLargeAsTheKernelAllows) {
  const MemoryHolder out = makeBuffer(context_, std::vector<cl_ulong>(6));
  for (const char* name : {"count", "heavy"}) {
    const KernelHolder kernel = kernelOn(name, out);
    size_t most = 0;
    ASSERT_EQ(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                       &most, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(enqueue(kernel, {most}, {most}), CL_SUCCESS);
    EXPECT_EQ(enqueue(kernel, {2 * most, 2}, {most, 2}), CL_INVALID_WORK_GROUP_SIZE) << name;
    EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  }
}

TEST_F(NDRangeApi, EmptyRangesCompleteAndPassDependencies) {
  const MemoryHolder counter = makeBuffer(context_, std::vector<int>(1));
  const KernelHolder kernel = kernelOn("count", counter);
  cl_int error = 1;
  const EventHolder gate(clCreateUserEvent(context_, &error));
  const cl_event wait = gate;
  cl_event raw = nullptr;
  const size_t zero = 0;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &zero, nullptr, 1, &wait, &raw),
            CL_SUCCESS);
  const EventHolder event(raw);
  EXPECT_EQ(enqueue(kernel, {16}), CL_SUCCESS);
  cl_int status = 77;
  EXPECT_EQ(
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
      CL_SUCCESS);
  EXPECT_GT(status, CL_COMPLETE);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(readBuffer<int>(queue_, counter, 1)[0], 16);
}

TEST_F(NDRangeApi, LocalMemoryAboveTheLimit) {
  const KernelHolder kernel = makeKernel(program_, "large");
  const MemoryHolder out = makeBuffer(context_, std::vector<int>(1));
  setBuffer(kernel, 1, out);
  cl_ulong most = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel, {1}), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(clSetKernelArg(kernel, 0, most + 1, nullptr), CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel, {1}), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(clSetKernelArg(kernel, 0, kHuge, nullptr), CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel, {1}), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(clSetKernelArg(kernel, 0, most, nullptr), CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel, {1}), CL_SUCCESS);
  EXPECT_EQ(readBuffer<int>(queue_, out, 1)[0], 1);
}

TEST_F(NDRangeApi, DivergedBarriersEndTheCommandAlone) {
  const MemoryHolder out = makeBuffer(context_, std::vector<int>(2));
  const KernelHolder bad = kernelOn("diverge", out);
  cl_event raw = nullptr;
  ASSERT_EQ(enqueue(bad, {64}, {16}, {}, &raw), CL_SUCCESS);
  const EventHolder event(raw);
  EXPECT_EQ(clWaitForEvents(1, &raw), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cl_int status = 77;
  EXPECT_EQ(
      clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
      CL_SUCCESS);
  EXPECT_LT(status, 0);
  const QueueHolder other = makeQueue(context_);
  const MemoryHolder counter = makeBuffer(context_, std::vector<int>(1));
  const KernelHolder good = kernelOn("count", counter);
  const size_t global = 100;
  EXPECT_EQ(clEnqueueNDRangeKernel(other, good, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(readBuffer<int>(other, counter, 1)[0], 100);
}

TEST_F(NDRangeApi, ProfilingStampsAreInOrder) {
  const QueueHolder queue = makeQueue(context_, CL_QUEUE_PROFILING_ENABLE);
  const MemoryHolder counter = makeBuffer(context_, std::vector<int>(1));
  const KernelHolder kernel = kernelOn("count", counter);
  const size_t global = 1000;
  cl_event raw = nullptr;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, &raw),
            CL_SUCCESS);
  const EventHolder event(raw);
  EXPECT_EQ(clWaitForEvents(1, &raw), CL_SUCCESS);
  cl_ulong before = 0;
  for (const cl_profiling_info parameter :
       {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
    cl_ulong time = 0;
    EXPECT_EQ(clGetEventProfilingInfo(event, parameter, sizeof time, &time, nullptr), CL_SUCCESS);
    EXPECT_GE(time, before);
    EXPECT_NE(time, 0u);
    before = time;
  }
}

TEST_F(NDRangeApi, KeepsTheRulesOfWaitLists) {
  const MemoryHolder counter = makeBuffer(context_, std::vector<int>(1));
  const KernelHolder kernel = kernelOn("count", counter);
  const size_t some = 10, none = 0;
  const auto launch = [&](const size_t& global) {
    return [&](cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
      return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, count, list,
                                    event);
    };
  };
  const EnqueueCall calls[] = {
      {"clEnqueueNDRangeKernel", CL_COMMAND_NDRANGE_KERNEL, launch(some)},
      {"clEnqueueNDRangeKernel, empty", CL_COMMAND_NDRANGE_KERNEL, launch(none)},
      {"clEnqueueTask", CL_COMMAND_TASK,
       [&](cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
         return clEnqueueTask(queue, kernel, count, list, event);
       }},
  };
  for (const EnqueueCall& call : calls) {
    checkWaitListErrors(call, context_, queue_);
    for (const cl_command_queue_properties properties :
         {cl_command_queue_properties{0},
          cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}}) {
      const QueueHolder queue = makeQueue(context_, properties);
      checkWaitListOrder(call, context_, queue);
    }
  }
}

TEST_F(NDRangeApi, ThousandsOfLaunchesFromManyThreads) {
  const MemoryHolder counter = makeBuffer(context_, std::vector<int>(1));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const QueueHolder queue =
          makeQueue(context_, t % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
      const KernelHolder kernel = kernelOn("count", counter);
      for (int i = 0; i < 1000; ++i) {
        const size_t global = 1 + i % 100;
        EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr,
                                         nullptr),
                  CL_SUCCESS);
      }
      EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(readBuffer<int>(queue_, counter, 1)[0], 4 * 10 * 5050);
}

}  // namespace
}  // namespace weft::test
