// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and host on the same pointers.
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "support/objects.h"
#include "support/programs.h"
#include "support/svm.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

class SvmKernel : public testing::Test {
 protected:
  KernelHolder kernel(const char* name) { return makeKernel(program, name); }
  void run(cl_kernel kernel, size_t items) {
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  ProgramHolder program = buildProgram(context, R"(
    typedef struct Node { global struct Node* next; int value; } Node;
    kernel void sum(global Node* list, global int* result) {
      int total = 0;
      for (global Node* node = list; node; node = node->next) total += node->value++;
      *result = total;
    }
    kernel void add(global int* data, constant int* by, int factor) {
      data[get_global_id(0)] += factor * *by;
    }
    kernel void answer(volatile global atomic_int* flags, int rounds) {
      for (int i = 1; i <= rounds; ++i) {
        while (atomic_load_explicit(&flags[0], memory_order_acquire,
                                    memory_scope_all_devices) != i) {}
        atomic_fetch_add_explicit(&flags[2], i, memory_order_relaxed, memory_scope_all_devices);
        atomic_store_explicit(&flags[1], i, memory_order_release, memory_scope_all_devices);
      }
    }
    kernel void count(volatile global atomic_int* counter) {
      atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_all_devices);
    }
    kernel void others(local int* l, int v, global int* g, constant int* c) {}
  )",
                                       "-cl-std=CL3.0");
};

struct Node {
  Node* next;
  cl_int value;
};

TEST_F(SvmKernel, WalksAListThatTheHostBuilt) {
  constexpr int kNodes = 1000;
  const SvmArray<Node> nodes(context, kNodes);
  const SvmArray<cl_int> result(context, 1);
  EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, nodes.data(), nodes.bytes(), 0, nullptr,
                            nullptr),
            CL_SUCCESS);
  // Through the array in steps, so that it is the pointers that count.
  for (int i = 0; i < kNodes; ++i)
    nodes[i * 7 % kNodes] = {i + 1 < kNodes ? &nodes[(i + 1) * 7 % kNodes] : nullptr, i};
  EXPECT_EQ(clEnqueueSVMUnmap(queue, nodes.data(), 0, nullptr, nullptr), CL_SUCCESS);
  const KernelHolder sum = kernel("sum");
  EXPECT_EQ(clSetKernelArgSVMPointer(sum, 0, nodes.data()), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(sum, 1, result.data()), CL_SUCCESS);
  run(sum, 1);
  EXPECT_EQ(result[0], kNodes * (kNodes - 1) / 2);
  run(sum, 1);
  EXPECT_EQ(result[0], kNodes * (kNodes - 1) / 2 + kNodes);
  EXPECT_EQ(nodes[0].value, 2);
}

TEST_F(SvmKernel, WalksAListInSystemMemory) {
  std::vector<std::unique_ptr<Node>> nodes;
  for (int i = 0; i < 50; ++i)
    nodes.push_back(std::make_unique<Node>(Node{i ? nodes.back().get() : nullptr, i}));
  cl_int result = 0;
  const KernelHolder sum = kernel("sum");
  const cl_bool yes = CL_TRUE;
  EXPECT_EQ(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes),
            CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(sum, 0, nodes.back().get()), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(sum, 1, &result), CL_SUCCESS);
  run(sum, 1);
  EXPECT_EQ(result, 50 * 49 / 2);
  // The empty list.
  EXPECT_EQ(clSetKernelArgSVMPointer(sum, 0, nullptr), CL_SUCCESS);
  run(sum, 1);
  EXPECT_EQ(result, 0);
}

TEST_F(SvmKernel, ArgumentsCanPointInside) {
  const SvmArray<cl_int> data(context, 100);
  const SvmArray<cl_int> by(context, 4);
  std::fill(data.begin(), data.end(), 1);
  by[3] = 5;
  const KernelHolder add = kernel("add");
  EXPECT_EQ(clSetKernelArgSVMPointer(add, 0, data.data() + 10), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(add, 1, by.data() + 3), CL_SUCCESS);
  setArgument<cl_int>(add, 2, 2);
  run(add, 20);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(data[i], i >= 10 && i < 30 ? 11 : 1) << i;
}

TEST_F(SvmKernel, LastKindOfArgumentCounts) {
  const SvmArray<cl_int> data(context, 4);
  std::fill(data.begin(), data.end(), 0);
  const std::vector<cl_int> zeros(4);
  const MemoryHolder buffer = makeBuffer(context, zeros);
  cl_int by = 1;
  const KernelHolder add = kernel("add");
  EXPECT_EQ(clSetKernelArgSVMPointer(add, 1, &by), CL_SUCCESS);
  setArgument<cl_int>(add, 2, 1);
  EXPECT_EQ(clSetKernelArgSVMPointer(add, 0, data.data()), CL_SUCCESS);
  setBuffer(add, 0, buffer);
  run(add, 4);
  EXPECT_EQ(data[0], 0);
  EXPECT_EQ(readBuffer<cl_int>(queue, buffer, 4), std::vector<cl_int>(4, 1));
  EXPECT_EQ(clSetKernelArgSVMPointer(add, 0, data.data()), CL_SUCCESS);
  run(add, 4);
  EXPECT_EQ(data[0], 1);
  EXPECT_EQ(readBuffer<cl_int>(queue, buffer, 4), std::vector<cl_int>(4, 1));
}

TEST_F(SvmKernel, ArgumentErrors) {
  const KernelHolder others = kernel("others");
  cl_int value = 0;
  EXPECT_EQ(clSetKernelArgSVMPointer(nullptr, 0, &value), CL_INVALID_KERNEL);
  EXPECT_EQ(clSetKernelArgSVMPointer(reinterpret_cast<cl_kernel>(queue.get()), 0, &value),
            CL_INVALID_KERNEL);
  EXPECT_EQ(clSetKernelArgSVMPointer(others, 4, &value), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArgSVMPointer(others, 0, &value), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArgSVMPointer(others, 1, &value), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArgSVMPointer(others, 2, &value), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(others, 3, &value), CL_SUCCESS);
  // The refused ones are still not set.
  EXPECT_EQ(clEnqueueTask(queue, others, 0, nullptr, nullptr), CL_INVALID_KERNEL_ARGS);
}

TEST_F(SvmKernel, ExecInfo) {
  const KernelHolder sum = kernel("sum");
  const SvmArray<int> memory(context, 16);
  void* pointers[] = {memory.data(), memory.data() + 3};
  const cl_bool flag = CL_FALSE;
  const auto set = [&](cl_kernel_exec_info name, size_t size, const void* value) {
    return clSetKernelExecInfo(sum, name, size, value);
  };
  EXPECT_EQ(set(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers), CL_SUCCESS);
  EXPECT_EQ(set(CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr), CL_SUCCESS);
  EXPECT_EQ(set(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers - 1, pointers), CL_INVALID_VALUE);
  EXPECT_EQ(set(CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(set(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof flag, &flag), CL_SUCCESS);
  EXPECT_EQ(set(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &flag), CL_INVALID_VALUE);
  EXPECT_EQ(set(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(set(CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof flag, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(set(0x7777, sizeof pointers, pointers), CL_INVALID_VALUE);
  EXPECT_EQ(clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr),
            CL_INVALID_KERNEL);
}

TEST_F(SvmKernel, CloneKeepsPointers) {
  SvmArray<Node> nodes(context, 2);
  const SvmArray<cl_int> result(context, 2);
  nodes[0] = {&nodes[1], 3};
  nodes[1] = {nullptr, 4};
  KernelHolder original = kernel("sum");
  void* pointers[] = {nodes.data()};
  EXPECT_EQ(clSetKernelExecInfo(original, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers),
            CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(original, 0, nodes.data()), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(original, 1, &result[0]), CL_SUCCESS);
  cl_int error = CL_INVALID_VALUE;
  const KernelHolder clone(clCloneKernel(original, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(original, 1, &result[1]), CL_SUCCESS);
  original.reset();
  result[0] = result[1] = -1;
  run(clone, 1);
  EXPECT_EQ(result[0], 7);
  EXPECT_EQ(result[1], -1);
}

TEST_F(SvmKernel, TalksToTheHostWhileItRuns) {
  constexpr int kRounds = 200;
  const SvmArray<std::atomic<cl_int>> flags(context, 3, kFineGrain);
  for (auto& flag : flags) flag = 0;
  const KernelHolder answer = kernel("answer");
  EXPECT_EQ(clSetKernelArgSVMPointer(answer, 0, flags.data()), CL_SUCCESS);
  setArgument<cl_int>(answer, 1, kRounds);
  cl_event handle = nullptr;
  ASSERT_EQ(clEnqueueTask(queue, answer, 0, nullptr, &handle), CL_SUCCESS);
  const EventHolder event(handle);
  ASSERT_EQ(clFlush(queue), CL_SUCCESS);  // and no blocking call from here on
  for (int i = 1; i <= kRounds; ++i) {
    flags[0].store(i, std::memory_order_release);
    while (flags[1].load(std::memory_order_acquire) != i) std::this_thread::yield();
    EXPECT_EQ(flags[2].load(std::memory_order_relaxed), i * (i + 1) / 2);
  }
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(executionStatus(event), CL_COMPLETE);
}

TEST_F(SvmKernel, CountsTogetherWithTheHost) {
  constexpr size_t kItems = 20000;
  constexpr int kHost = 20000;
  const SvmArray<std::atomic<cl_int>> counter(context, 1, kFineGrain);
  counter[0] = 0;
  const KernelHolder count = kernel("count");
  EXPECT_EQ(clSetKernelArgSVMPointer(count, 0, counter.data()), CL_SUCCESS);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, count, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clFlush(queue), CL_SUCCESS);
  for (int i = 0; i < kHost; ++i) counter[0].fetch_add(1);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(counter[0], static_cast<int>(kItems) + kHost);
}

TEST_F(SvmKernel, PollingAnEventIsEnough) {
  const SvmArray<cl_int> data(context, 64);
  std::fill(data.begin(), data.end(), 1);
  cl_int by = 1;
  const KernelHolder add = kernel("add");
  EXPECT_EQ(clSetKernelArgSVMPointer(add, 0, data.data()), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(add, 1, &by), CL_SUCCESS);
  setArgument<cl_int>(add, 2, 1);
  const size_t items = 64;
  cl_event handle = nullptr;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, add, 1, nullptr, &items, nullptr, 0, nullptr, &handle),
            CL_SUCCESS);
  const EventHolder event(handle);
  EXPECT_EQ(clFlush(queue), CL_SUCCESS);
  while (executionStatus(event) != CL_COMPLETE) std::this_thread::yield();
  EXPECT_EQ(data[63], 2);
}

}  // namespace
}  // namespace weft::test
