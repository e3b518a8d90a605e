// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random trees of launches with known sums, whose nodes look whether what they wait for is there;
// and trees that are cut off by a fork or the end of their context.
#include <CL/cl_ext.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "fixture.h"
#include "support/extensions.h"
#include "support/sanitizers.h"

namespace weft::test {
namespace {

/// What a kernel knows of one launch.
struct Node {
  cl_int firstChild = 0, children = 0;  ///< neighbours in the list
  cl_int items = 1, groupItems = 1;
  cl_int flags = 0;   ///< of its own launch
  cl_int after = -1;  ///< the sibling whose event it waits for
  cl_int parent = -1;
};

constexpr const char* kSource = R"(
  typedef struct { int firstChild, children, items, groupItems, flags, after, parent; } Node;

  void visit(global const Node* tree, volatile global int* ran, volatile global int* wrong, int me) {
    Node node = tree[me];
    if (node.flags == CLK_ENQUEUE_FLAGS_WAIT_KERNEL && node.parent >= 0 &&
        atomic_or(&ran[node.parent], 0) != tree[node.parent].items)
      atomic_inc(&wrong[0]);
    if (node.after >= 0 && atomic_or(&ran[node.after], 0) != tree[node.after].items)
      atomic_inc(&wrong[1]);
    if (node.after >= 0)
      for (int i = 0; i < tree[node.after].children; ++i) {
        int grandchild = tree[node.after].firstChild + i;
        if (atomic_or(&ran[grandchild], 0) != tree[grandchild].items) atomic_inc(&wrong[2]);
      }
    // Some work-item of the node makes its children, each another one.
    int item = (int)get_global_id(0), count = (int)get_global_size(0);
    clk_event_t previous;
    bool hasPrevious = false;
    for (int i = 0; i < node.children; ++i) {
      int child = node.firstChild + i;
      Node launch = tree[child];
      // Events are made and used by one work-item.
      bool chained = launch.after >= 0, isNext = i + 1 < node.children && tree[child + 1].after == child;
      if ((chained || isNext ? 0 : i % count) != item) continue;
      ndrange_t range = ndrange_1D(launch.items, launch.groupItems);
      clk_event_t made;
      int status;
      do {
        if (chained)
          status = enqueue_kernel(get_default_queue(), launch.flags, range, 1, &previous, &made,
                                  ^{ visit(tree, ran, wrong, child); });
        else if (isNext)
          status = enqueue_kernel(get_default_queue(), launch.flags, range, 0, NULL, &made,
                                  ^{ visit(tree, ran, wrong, child); });
        else
          status = enqueue_kernel(get_default_queue(), launch.flags, range,
                                  ^{ visit(tree, ran, wrong, child); });
      } while (status == CLK_DEVICE_QUEUE_FULL && launch.flags == CLK_ENQUEUE_FLAGS_NO_WAIT);
      if (status != CLK_SUCCESS) atomic_inc(&wrong[3]);
      if (chained && hasPrevious) release_event(previous);
      hasPrevious = chained || isNext;
      if (hasPrevious) previous = made;
    }
    if (hasPrevious) release_event(previous);
    atomic_inc(&ran[me]);
  }

  kernel void root(global const Node* tree, volatile global int* ran, volatile global int* wrong) {
    visit(tree, ran, wrong, 0);
  })";

std::vector<Node> makeTree(unsigned seed, size_t size) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<cl_int>(random() % n); };
  std::vector<Node> tree(1);
  tree[0].items = 1 + below(64);
  tree[0].groupItems = 1;
  for (size_t parent = 0; parent < tree.size() && tree.size() < size; ++parent) {
    const cl_int children = parent == 0 ? 1 + below(40) : below(parent % 7 == 0 ? 12 : 4);
    tree[parent].firstChild = static_cast<cl_int>(tree.size());
    tree[parent].children = children;
    for (cl_int i = 0; i < children; ++i) {
      Node node;
      node.parent = static_cast<cl_int>(parent);
      node.groupItems = 1 << below(5);
      node.items = below(10) == 0 ? 1 + below(2000) : 1 + below(20);
      node.flags = below(3);
      if (i > 0 && below(4) == 0) node.after = static_cast<cl_int>(tree.size()) - 1;
      tree.push_back(node);
    }
  }
  return tree;
}

TEST_F(DeviceEnqueueTest, RandomTrees) {
  const ProgramHolder program = buildProgram(context, kSource, "-cl-std=CL3.0 -g");
  const KernelHolder kernel = makeKernel(program, "root");
  onDevice.reset();
  onDevice = makeDeviceQueue(context, 16 << 20);  // what waits for a kernel stays in it
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const std::vector<Node> tree = makeTree(seed, seed % 10 == 0 ? 5000 : 300);
    const MemoryHolder nodes = makeBuffer(context, tree);
    const MemoryHolder ran = makeBuffer(context, std::vector<cl_int>(tree.size()));
    const MemoryHolder wrong = makeBuffer(context, std::vector<cl_int>(4));
    setBuffer(kernel, 0, nodes);
    setBuffer(kernel, 1, ran);
    setBuffer(kernel, 2, wrong);
    const auto items = static_cast<size_t>(tree[0].items);
    const size_t local = 1;
    ASSERT_EQ(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr),
        CL_SUCCESS);
    const auto counts = readBuffer<cl_int>(queue, ran, tree.size());
    EXPECT_EQ(readBuffer<cl_int>(queue, wrong, 4), std::vector<cl_int>(4)) << "seed " << seed;
    for (size_t i = 0; i < tree.size(); ++i)
      ASSERT_EQ(counts[i], tree[i].items) << "node " << i << " of seed " << seed;
  }
}

constexpr const char* kEndless = R"(
  void go(volatile global int* count) {
    atomic_inc(count);
    for (int i = 0; i < 20000; ++i) atomic_or(count, 0);  // no faster than memory lasts
    for (int i = 0; i < 2; ++i)
      enqueue_kernel(get_default_queue(), i, ndrange_1D(1), ^{ go(count); });
  }
  kernel void endless(volatile global int* count) { go(count); })";

/// Enqueues a tree without end and waits until it grows.
void growForEver(cl_context context, cl_command_queue queue, cl_kernel kernel,
                 volatile cl_int* count) {
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, const_cast<cl_int*>(count)), CL_SUCCESS);
  const size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clFlush(queue), CL_SUCCESS);
  for (int i = 0; i < 20000 && *count < 100; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_GE(*count, 100);
}

ContextHolder terminable() {
  const cl_context_properties list[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  const cl_device_id only = device();
  return ContextHolder(clCreateContext(list, 1, &only, nullptr, nullptr, nullptr));
}

TEST(DeviceEnqueueEnd, OfTheContextEndsAnEndlessTree) {
  const ContextHolder context = terminable();
  const QueueHolder queue = makeQueue(context), onDevice = makeDeviceQueue(context);
  const ProgramHolder program = buildProgram(context, kEndless, "-cl-std=CL3.0");
  const KernelHolder kernel = makeKernel(program, "endless");
  auto* count = static_cast<cl_int*>(
      clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
  ASSERT_NE(count, nullptr);
  *count = 0;
  growForEver(context, queue, kernel, count);
  EXPECT_EQ(extensionFunction<clTerminateContextKHR_fn>("clTerminateContextKHR")(context),
            CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  // Whoever was running a child ends it.
  for (cl_int before = -1, i = 0; before != *count && i < 2000; ++i) {
    before = *count;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const cl_int before = *count;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(*count, before);
  clSVMFree(context, count);
}

/// The sum that a tree of three launches makes, in a context of its own.
bool computes() {
  const ContextHolder context = makeContext();
  const QueueHolder queue = makeQueue(context), onDevice = makeDeviceQueue(context);
  const ProgramHolder program = buildProgram(context, R"(
    kernel void k(global int* out) {
      enqueue_kernel(get_default_queue(), 1, ndrange_1D(100), ^{
        atomic_inc(&out[0]);
        if (get_global_id(0) == 7)
          enqueue_kernel(get_default_queue(), 0, ndrange_1D(1000), ^{ atomic_inc(&out[0]); });
      });
    })",
                                             "-cl-std=CL3.0");
  const KernelHolder kernel = makeKernel(program, "k");
  const MemoryHolder buffer = makeBuffer(context, std::vector<cl_int>(1));
  setBuffer(kernel, 0, buffer);
  const size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  return readBuffer<cl_int>(queue, buffer, 1)[0] == 1100;
}

/// Forks in the middle of an endless tree; 0 when both processes go on as they should.
[[noreturn]] void forkInATree() {
  const ContextHolder context = terminable();
  const QueueHolder queue = makeQueue(context), onDevice = makeDeviceQueue(context);
  const ProgramHolder program = buildProgram(context, kEndless, "-cl-std=CL3.0");
  const KernelHolder kernel = makeKernel(program, "endless");
  auto* count = static_cast<cl_int*>(
      clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
  *count = 0;
  growForEver(context, queue, kernel, count);
  const pid_t child = fork();
  if (child == 0) std::_Exit(computes() ? 0 : 1);
  int status = -1;
  for (int i = 0; i < 6000 && waitpid(child, &status, WNOHANG) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (status != 0) kill(child, SIGKILL);
  extensionFunction<clTerminateContextKHR_fn>("clTerminateContextKHR")(context);
  clFinish(queue);
  std::_Exit(status == 0 && computes() ? 0 : 1);
}

TEST(DeviceEnqueueEnd, AForkLeavesTheTreeBehind) {
  if (kThreadSanitizer) GTEST_SKIP() << "ThreadSanitizer does not follow a fork with threads";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(forkInATree(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace weft::test
