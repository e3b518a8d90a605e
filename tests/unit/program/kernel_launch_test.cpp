// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From clSetKernelArg to running "machine code" of the test: what arrives, what lives how long.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "fake_compiler.h"
#include "platform/limits.h"
#include "support/objects.h"

namespace weft::test {
namespace {

using compiler::ArgumentInfo;
using compiler::ArgumentKind;

/// Layout of the test kernel's argument block.
struct alignas(16) Block {
  uint32_t* out;
  uint64_t local1;  // offsets into the group's local memory
  uint64_t local2;
  uint32_t value;
  uint32_t padding;
  double pair[2];
  const uint32_t* in;
};

std::atomic<int> gBadAlignment{0};

/// out[group] = value + pair + *in, written through local memory at both offsets.
/// How many work-groups a call is for.
uint64_t groupsIn(const abi::Group& group) {
  return (group.boxEnd[0] - group.globalBase[0]) / group.localSize[0];
}

void runGroup(const abi::Group* group) {
  const auto* block = static_cast<const Block*>(group->launch->arguments);
  if (reinterpret_cast<uintptr_t>(block) % abi::kArgumentAlignment != 0) ++gBadAlignment;
  if (block->local1 % 4 != 0 || block->local2 % 128 != 0) ++gBadAlignment;
  auto* first = reinterpret_cast<uint32_t*>(group->localMemory + block->local1);
  auto* second = reinterpret_cast<uint32_t*>(group->localMemory + block->local2);
  *first = block->value;
  *second = static_cast<uint32_t>(block->pair[0] + block->pair[1]);
  const uint32_t in = block->in ? *block->in : 0;
  // Launches of several queues may share a buffer.
  for (uint64_t i = 0; i < groupsIn(*group); ++i)
    std::atomic_ref(block->out[group->groupId[0] + i]).store(*first + *second + in);
}

void countGroups(const abi::Group* group) {
  const auto* counter = static_cast<std::atomic<uint32_t>* const*>(group->launch->arguments);
  (*counter)->fetch_add(static_cast<uint32_t>(groupsIn(*group)));
}

ArgumentInfo argument(ArgumentKind kind, size_t offset, uint32_t size, uint32_t alignment = 1) {
  ArgumentInfo info;
  info.kind = kind;
  info.offset = static_cast<uint32_t>(offset);
  info.size = size;
  info.alignment = alignment;
  return info;
}

fake::KernelDefinition everyKind() {
  fake::KernelDefinition definition;
  definition.info.name = "every";
  definition.info.observesGroup = true;
  definition.info.staticLocalBytes = 5;
  definition.info.argumentBytes = sizeof(Block);
  definition.info.arguments = {
      argument(ArgumentKind::GlobalPointer, offsetof(Block, out), 8),
      argument(ArgumentKind::LocalPointer, offsetof(Block, local1), 0, 4),
      argument(ArgumentKind::Value, offsetof(Block, value), 4),
      argument(ArgumentKind::LocalPointer, offsetof(Block, local2), 0, 128),
      argument(ArgumentKind::Value, offsetof(Block, pair), 16),
      argument(ArgumentKind::ConstantPointer, offsetof(Block, in), 8),
  };
  definition.group = runGroup;
  return definition;
}

fake::KernelDefinition counting() {
  fake::KernelDefinition definition;
  definition.info.name = "count";
  definition.info.observesGroup = true;
  definition.info.argumentBytes = 8;
  definition.info.arguments = {argument(ArgumentKind::GlobalPointer, 0, 8)};
  definition.group = countGroups;
  return definition;
}

std::atomic<const void*> gCounter{nullptr};

/// The same, of whose counter a launch may have copies: long for more than a few work-items.
fake::KernelDefinition reducing() {
  fake::KernelDefinition definition = counting();
  definition.info.name = "reduce";
  definition.info.reductions = {{.argument = 0}};
  definition.info.work.steps = {{compiler::WorkFormula::Op::Number, 0, 1}};
  definition.group = [](const abi::Group* group) {
    gCounter = *static_cast<const void* const*>(group->launch->arguments);
    countGroups(group);
  };
  return definition;
}

fake::KernelDefinition objects() {
  fake::KernelDefinition definition;
  definition.info.name = "objects";
  definition.info.argumentBytes = 32;
  definition.info.arguments = {
      argument(ArgumentKind::Image, 0, 8), argument(ArgumentKind::Sampler, 8, 8),
      argument(ArgumentKind::Pipe, 16, 8), argument(ArgumentKind::Queue, 24, 8)};
  definition.group = countGroups;
  return definition;
}

class KernelLaunch : public testing::Test {
 protected:
  void SetUp() override {
    fake::define(everyKind());
    fake::define(counting());
    fake::define(reducing());
    fake::define(objects());
    fake::failVariants(false);
    const char* source = "kernel:every kernel:count kernel:reduce kernel:objects";
    program_ = ProgramHolder(clCreateProgramWithSource(context_, 1, &source, nullptr, nullptr));
    ASSERT_EQ(clBuildProgram(program_, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
    gBadAlignment = 0;
  }

  KernelHolder kernel(const char* name) {
    cl_int error = 1;
    KernelHolder made(clCreateKernel(program_, name, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  MemoryHolder buffer(size_t bytes) {
    cl_int error = 1;
    MemoryHolder made(clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  /// Sets every argument of "every" to a legal value.
  void setAll(cl_kernel kernel, cl_mem out, uint32_t value) {
    const double pair[2] = {3, 4};
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof out, &out), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 1, 12, nullptr), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof value, &value), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 3, 256, nullptr), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 4, sizeof pair, pair), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 5, sizeof(cl_mem), nullptr), CL_SUCCESS);
  }
  cl_int enqueue(cl_kernel kernel, size_t global, size_t local, cl_event* event = nullptr,
                 cl_event wait = nullptr) {
    return clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &local, wait ? 1 : 0,
                                  wait ? &wait : nullptr, event);
  }
  std::vector<uint32_t> read(cl_mem memory, size_t count) {
    std::vector<uint32_t> values(count);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, count * 4, values.data(), 0, nullptr,
                                  nullptr),
              CL_SUCCESS);
    return values;
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
  ProgramHolder program_;
};

TEST_F(KernelLaunch, ArgumentsArriveInTheirPlaces) {
  const KernelHolder every = kernel("every");
  const MemoryHolder out = buffer(64), in = buffer(4);
  setAll(every, out, 100);
  EXPECT_EQ(enqueue(every, 64, 4), CL_SUCCESS);
  EXPECT_EQ(read(out, 16), std::vector<uint32_t>(16, 107));
  const uint32_t thousand = 1000;
  EXPECT_EQ(clEnqueueWriteBuffer(queue_, in, CL_TRUE, 0, 4, &thousand, 0, nullptr, nullptr),
            CL_SUCCESS);
  const cl_mem handle = in;
  EXPECT_EQ(clSetKernelArg(every, 5, sizeof handle, &handle), CL_SUCCESS);
  EXPECT_EQ(enqueue(every, 64, 4), CL_SUCCESS);
  EXPECT_EQ(read(out, 16), std::vector<uint32_t>(16, 1107));
  EXPECT_EQ(gBadAlignment, 0);
}

TEST_F(KernelLaunch, ALaunchSeesTheArgumentsOfItsEnqueue) {
  const KernelHolder every = kernel("every");
  cl_int error = 1;
  const EventHolder gate(clCreateUserEvent(context_, &error));
  std::vector<MemoryHolder> outs;
  for (uint32_t i = 0; i < 50; ++i) {
    outs.push_back(buffer(4));
    setAll(every, outs.back(), i);
    EXPECT_EQ(enqueue(every, 1, 1, nullptr, gate), CL_SUCCESS);
  }
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  for (uint32_t i = 0; i < 50; ++i) EXPECT_EQ(read(outs[i], 1)[0], i + 7);
}

TEST_F(KernelLaunch, LongLaunchesReduceIntoCopies) {
  const KernelHolder reduce = kernel("reduce");
  const MemoryHolder out = buffer(4);
  const void* const memory =
      clEnqueueMapBuffer(queue_, out, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, nullptr);
  const uint32_t before = 1000;
  EXPECT_EQ(clEnqueueWriteBuffer(queue_, out, CL_TRUE, 0, 4, &before, 0, nullptr, nullptr),
            CL_SUCCESS);
  const cl_mem handle = out;
  EXPECT_EQ(clSetKernelArg(reduce, 0, sizeof handle, &handle), CL_SUCCESS);
  EXPECT_EQ(enqueue(reduce, 4, 4), CL_SUCCESS);
  EXPECT_EQ(read(out, 1)[0], 1001u);
  EXPECT_EQ(gCounter, memory) << "a launch that is soon over";
  EXPECT_EQ(enqueue(reduce, 1 << 20, 64), CL_SUCCESS);
  EXPECT_EQ(read(out, 1)[0], 1001u + (1 << 14));
  EXPECT_NE(gCounter, memory);
}

void CL_CALLBACK countDestruction(cl_mem, void* counter) {
  ++*static_cast<std::atomic<int>*>(counter);
}

TEST_F(KernelLaunch, CommandsKeepBuffersAliveAndKernelsDoNot) {
  static std::atomic<int> destroyed{0};
  destroyed = 0;
  const KernelHolder every = kernel("every");
  cl_int error = 1;
  const EventHolder gate(clCreateUserEvent(context_, &error));
  MemoryHolder out = buffer(64);
  EXPECT_EQ(clSetMemObjectDestructorCallback(out, countDestruction, &destroyed), CL_SUCCESS);
  setAll(every, out, 1);
  EXPECT_EQ(enqueue(every, 4, 4, nullptr, gate), CL_SUCCESS);
  out.reset();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(destroyed, 0);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  for (int i = 0; i < 2000 && destroyed == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(destroyed, 1);  // though the kernel still names the buffer
}

TEST_F(KernelLaunch, KernelAndProgramMayGoBeforeTheCommandRuns) {
  const MemoryHolder out = buffer(64);
  cl_int error = 1;
  const EventHolder gate(clCreateUserEvent(context_, &error));
  {
    KernelHolder every = kernel("every");
    setAll(every, out, 5);
    EXPECT_EQ(enqueue(every, 64, 4, nullptr, gate), CL_SUCCESS);
  }
  // No kernel is attached any more, so the program may be rebuilt under the waiting command.
  EXPECT_EQ(clBuildProgram(program_, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  program_.reset();
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(read(out, 16), std::vector<uint32_t>(16, 12));
}

TEST_F(KernelLaunch, WrongArguments) {
  const KernelHolder every = kernel("every");
  const MemoryHolder out = buffer(64);
  const uint32_t value = 1;
  EXPECT_EQ(clSetKernelArg(nullptr, 0, 4, &value), CL_INVALID_KERNEL);
  EXPECT_EQ(clSetKernelArg(every, 6, 4, &value), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArg(every, 0xffffffff, 4, &value), CL_INVALID_ARG_INDEX);
  for (const size_t size : {size_t{0}, size_t{3}, size_t{5}, size_t{8}, ~size_t{0}})
    EXPECT_EQ(clSetKernelArg(every, 2, size, &value), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(every, 2, 4, nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArg(every, 1, 4, &value), CL_INVALID_ARG_VALUE);
  const cl_mem handle = out;
  EXPECT_EQ(clSetKernelArg(every, 0, 4, &handle), CL_INVALID_ARG_SIZE);
  void* const wrong = queue_.get();
  EXPECT_EQ(clSetKernelArg(every, 0, sizeof wrong, &wrong), CL_INVALID_MEM_OBJECT);
  const ContextHolder other = makeContext();
  const MemoryHolder foreign(clCreateBuffer(other, 0, 4, nullptr, nullptr));
  const cl_mem foreignHandle = foreign;
  EXPECT_EQ(clSetKernelArg(every, 0, sizeof foreignHandle, &foreignHandle), CL_INVALID_CONTEXT);
  // None of these set anything.
  EXPECT_EQ(enqueue(every, 4, 4), CL_INVALID_KERNEL_ARGS);
}

TEST_F(KernelLaunch, ObjectsOfOtherKinds) {
  const KernelHolder kinds = kernel("objects");
  const MemoryHolder memory = buffer(64);
  const cl_mem handle = memory;
  const cl_int expected[] = {CL_INVALID_MEM_OBJECT, CL_INVALID_SAMPLER, CL_INVALID_MEM_OBJECT,
                             CL_INVALID_DEVICE_QUEUE};
  for (cl_uint i = 0; i < 4; ++i) {
    EXPECT_EQ(clSetKernelArg(kinds, i, sizeof handle, &handle), expected[i]);
    EXPECT_EQ(clSetKernelArg(kinds, i, sizeof handle, nullptr), expected[i]);
    EXPECT_EQ(clSetKernelArg(kinds, i, 3, &handle), CL_INVALID_ARG_SIZE);
  }
}

TEST_F(KernelLaunch, EveryArgumentMustBeSet) {
  const MemoryHolder out = buffer(64);
  const double pair[2] = {};
  const cl_mem handle = out;
  const uint32_t value = 0;
  for (cl_uint missing = 0; missing < 6; ++missing) {
    const KernelHolder every = kernel("every");
    for (int twice = 0; twice < 2; ++twice) {  // setting one twice must not stand for another
      if (missing != 0) clSetKernelArg(every, 0, sizeof handle, &handle);
      if (missing != 1) clSetKernelArg(every, 1, 4, nullptr);
      if (missing != 2) clSetKernelArg(every, 2, sizeof value, &value);
      if (missing != 3) clSetKernelArg(every, 3, 4, nullptr);
      if (missing != 4) clSetKernelArg(every, 4, sizeof pair, pair);
      if (missing != 5) clSetKernelArg(every, 5, sizeof handle, nullptr);
    }
    EXPECT_EQ(enqueue(every, 4, 4), CL_INVALID_KERNEL_ARGS) << missing;
  }
}

cl_ulong localMemoryOf(cl_kernel kernel) {
  cl_ulong bytes = 0;
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, nullptr, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes,
                                     &bytes, nullptr),
            CL_SUCCESS);
  return bytes;
}

TEST_F(KernelLaunch, LocalMemoryIsCountedAndLimited) {
  const KernelHolder every = kernel("every");
  EXPECT_EQ(localMemoryOf(every), 5u);
  const MemoryHolder out = buffer(64);
  setAll(every, out, 0);
  EXPECT_EQ(localMemoryOf(every), 128u + 256u);  // 5, 12 at 8, then 256 at 128
  cl_ulong most = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(every, 3, most - 128, nullptr), CL_SUCCESS);
  EXPECT_EQ(enqueue(every, 4, 4), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(every, 3, most - 127, nullptr), CL_SUCCESS);
  EXPECT_EQ(enqueue(every, 4, 4), CL_OUT_OF_RESOURCES);
  for (const size_t size : {~size_t{0}, ~size_t{0} - 100, ~size_t{0} / 2}) {
    EXPECT_EQ(clSetKernelArg(every, 1, size, nullptr), CL_SUCCESS);
    EXPECT_EQ(enqueue(every, 4, 4), CL_OUT_OF_RESOURCES);
  }
  setAll(every, out, 0);
  EXPECT_EQ(enqueue(every, 4, 4), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(KernelLaunch, CloneCopiesArgumentsOnce) {
  const KernelHolder every = kernel("every");
  const MemoryHolder out = buffer(8);
  setAll(every, out, 10);
  const KernelHolder clone(clCloneKernel(every, nullptr));
  const uint32_t changed = 20;
  EXPECT_EQ(clSetKernelArg(clone, 2, 4, &changed), CL_SUCCESS);
  EXPECT_EQ(enqueue(every, 1, 1), CL_SUCCESS);
  EXPECT_EQ(read(out, 1)[0], 17u);
  EXPECT_EQ(enqueue(clone, 1, 1), CL_SUCCESS);
  EXPECT_EQ(read(out, 1)[0], 27u);
  cl_int error = 0;
  EXPECT_EQ(clCloneKernel(nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_KERNEL);
}

TEST_F(KernelLaunch, SecondLaunchAsksTheCompilerForNothing) {
  const KernelHolder every = kernel("every");
  const MemoryHolder out = buffer(4096);
  setAll(every, out, 0);
  EXPECT_EQ(enqueue(every, 4, 4), CL_SUCCESS);
  const int calls = fake::variantCalls();
  for (size_t i = 1; i < 20; ++i) EXPECT_EQ(enqueue(every, 4 * i, 4), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(fake::variantCalls(), calls);
}

TEST_F(KernelLaunch, RangesWithTheSameCodeAskTheCompilerOnce) {
  const KernelHolder counting = kernel("count");
  const MemoryHolder out = buffer(4);
  cl_mem handle = out;
  ASSERT_EQ(clSetKernelArg(counting, 0, sizeof handle, &handle), CL_SUCCESS);
  const auto launch = [&](size_t global, size_t local) {
    return clEnqueueNDRangeKernel(queue_, counting, 1, nullptr, &global, &local, 0, nullptr,
                                  nullptr);
  };
  ASSERT_EQ(launch(128, 128), CL_SUCCESS);
  const int calls = fake::variantCalls();
  // More than are remembered, twice.
  for (int round = 0; round < 2; ++round)
    for (size_t groups = 1; groups <= 31; ++groups)
      ASSERT_EQ(launch(groups * 128, 128), CL_SUCCESS);
  EXPECT_EQ(fake::variantCalls(), calls);
  ASSERT_EQ(launch(1024 * 128, 128), CL_SUCCESS);
  EXPECT_GT(fake::variantCalls(), calls) << "other code may be faster for a range of another class";
  EXPECT_EQ(fake::lastOutlook().items, 1024u * 128);
  EXPECT_EQ(launch(130, 128), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(launch(128, 0), CL_INVALID_WORK_GROUP_SIZE);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(KernelLaunch, MissingMachineCodeIsAnErrorOfTheEnqueue) {
  const KernelHolder every = kernel("every");
  const MemoryHolder out = buffer(64);
  setAll(every, out, 0);
  fake::failVariants(true);
  EXPECT_EQ(enqueue(every, 4, 4), CL_OUT_OF_RESOURCES);
  fake::failVariants(false);
  EXPECT_EQ(enqueue(every, 4, 4), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(KernelLaunch, EmptyRangesCompleteInOrderAndRunNothing) {
  const KernelHolder count = kernel("count");
  const MemoryHolder out = buffer(4);
  const uint32_t zero = 0;
  EXPECT_EQ(clEnqueueWriteBuffer(queue_, out, CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr),
            CL_SUCCESS);
  const cl_mem handle = out;
  EXPECT_EQ(clSetKernelArg(count, 0, sizeof handle, &handle), CL_SUCCESS);
  const size_t none[3] = {8, 0, 8};
  cl_event raw[2] = {};
  EXPECT_EQ(clEnqueueNDRangeKernel(queue_, count, 3, nullptr, none, nullptr, 0, nullptr, &raw[0]),
            CL_SUCCESS);
  EXPECT_EQ(
      clEnqueueNDRangeKernel(queue_, count, 1, nullptr, nullptr, nullptr, 0, nullptr, &raw[1]),
      CL_SUCCESS);
  const EventHolder first(raw[0]), second(raw[1]);
  EXPECT_EQ(clWaitForEvents(2, raw), CL_SUCCESS);
  EXPECT_EQ(read(out, 1)[0], 0u);
}

TEST_F(KernelLaunch, TasksRunOnce) {
  const KernelHolder count = kernel("count");
  const MemoryHolder out = buffer(4);
  const uint32_t zero = 0;
  EXPECT_EQ(clEnqueueWriteBuffer(queue_, out, CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr),
            CL_SUCCESS);
  const cl_mem handle = out;
  EXPECT_EQ(clSetKernelArg(count, 0, sizeof handle, &handle), CL_SUCCESS);
  cl_event raw = nullptr;
  EXPECT_EQ(clEnqueueTask(queue_, count, 0, nullptr, &raw), CL_SUCCESS);
  const EventHolder event(raw);
  cl_command_type type = 0;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_TASK});
  EXPECT_EQ(read(out, 1)[0], 1u);
}

TEST_F(KernelLaunch, WrongObjectsAndWaitLists) {
  const KernelHolder every = kernel("every");
  const MemoryHolder out = buffer(64);
  setAll(every, out, 0);
  const size_t one = 1;
  const auto code = [&](cl_command_queue queue, cl_kernel kernel, cl_uint waits = 0,
                        const cl_event* list = nullptr) {
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, waits, list, nullptr);
  };
  EXPECT_EQ(code(nullptr, every), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(code(queue_, nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(code(queue_, every, 1, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  const cl_event nothing = nullptr;
  EXPECT_EQ(code(queue_, every, 0, &nothing), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(code(queue_, every, 1, &nothing), CL_INVALID_EVENT_WAIT_LIST);
  const ContextHolder other = makeContext();
  const QueueHolder foreign = makeQueue(other);
  EXPECT_EQ(code(foreign, every), CL_INVALID_CONTEXT);
}

// Argument setting and launching of one kernel from several threads: every launch must see values
// of one thread's making, and nothing may be torn or leaked.
TEST_F(KernelLaunch, OneKernelFromManyThreads) {
  const KernelHolder every = kernel("every");
  const MemoryHolder out = buffer(4);
  setAll(every, out, 1);
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const QueueHolder queue = makeQueue(context_);
      for (uint32_t i = 0; i < 300; ++i) {
        const uint32_t value = t * 1000 + i;
        EXPECT_EQ(clSetKernelArg(every, 2, sizeof value, &value), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(every, 1, 4 + 4 * (i % 5), nullptr), CL_SUCCESS);
        const size_t one = 1;
        EXPECT_EQ(
            clEnqueueNDRangeKernel(queue, every, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
      }
      EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(gBadAlignment, 0);
}

TEST_F(KernelLaunch, OneKernelForEachThread) {
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const QueueHolder queue = makeQueue(context_);
      const KernelHolder every = kernel("every");
      const MemoryHolder out = buffer(64);
      for (uint32_t i = 0; i < 200; ++i) {
        setAll(every, out, t * 1000 + i);
        const size_t global = 64, local = 4;
        EXPECT_EQ(
            clEnqueueNDRangeKernel(queue, every, 1, nullptr, &global, &local, 0, nullptr, nullptr),
            CL_SUCCESS);
        uint32_t results[16];
        EXPECT_EQ(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 64, results, 0, nullptr, nullptr),
                  CL_SUCCESS);
        for (const uint32_t result : results) EXPECT_EQ(result, t * 1000 + i + 7);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace weft::test
