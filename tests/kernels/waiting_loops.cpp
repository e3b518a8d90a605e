// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items that wait for each other: OpenCL does not promise that they all go on, but where they
// run one after the other they do, in every form and width.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr size_t kItems = 320, kGroup = 64;

/// Runs `kernel void k(volatile global int* lock, volatile global int* sum, global int* out)` with
/// BODY, in which every work-item adds one to sum[0] while it has the lock.
void run(const std::string& body) {
  const Program program = build(
      "kernel void k(volatile global int* lock, volatile global int* sum, global int* out) {\n"
      "  size_t i = get_global_id(0);\n" +
      body + "}\n");
  std::vector<int> lock(2), sum(1), out(kItems);
  Launch(program, "k")
      .range({kItems}, {kGroup})
      .buffer(lock)
      .buffer(sum)
      .buffer(out)
      .unordered()
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(sum[0], int{kItems}); });
}

TEST(WaitingLoops, TakeALockByExchange) {
  run("while (atomic_xchg(lock, 1)) ;\n"
      "sum[0] += 1; out[i] = sum[0];\n"
      "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(lock, 0);\n");
}

TEST(WaitingLoops, TakeALockByCompareAndSwap) {
  run("while (atomic_cmpxchg(lock, 0, 1) != 0) out[i] += 1;\n"
      "sum[0] += 1;\n"
      "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(lock, 0);\n");
}

TEST(WaitingLoops, TakeTurns) {
  run("int turn = atomic_inc(lock);\n"
      "while (lock[1] != turn) ;\n"
      "sum[0] += 1;\n"
      "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_inc(lock + 1);\n");
}

TEST(WaitingLoops, TakeTurnsByAtomicReads) {
  run("int turn = atomic_inc(lock);\n"
      "while (atomic_add(lock + 1, 0) < turn) ;\n"
      "sum[0] += 1;\n"
      "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_add(lock + 1, 1);\n");
}

TEST(WaitingLoops, TryAgainUnlessDone) {
  run("for (bool done = false; !done;) {\n"
      "  if (atomic_or(lock, 1) == 0) {\n"
      "    sum[0] += 1; done = true;\n"
      "    mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_and(lock, 0);\n"
      "  }\n"
      "}\n");
}

// A lock for each bin of a table, and two at once in the same order.
TEST(WaitingLoops, HoldTwoLocks) {
  run("while (atomic_cmpxchg(lock, 0, i + 1)) ;\n"
      "while (atomic_xchg(lock + 1, 1)) ;\n"
      "sum[0] += 1;\n"
      "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(lock + 1, 0); atomic_xchg(lock, 0);\n");
}

TEST(WaitingLoops, TakeALockBetweenBarriers) {
  run("local int near[64]; int l = get_local_id(0); near[l] = l;\n"
      "barrier(CLK_LOCAL_MEM_FENCE);\n"
      "while (atomic_xchg(lock, 1)) ;\n"
      "sum[0] += 1;\n"
      "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(lock, 0);\n"
      "barrier(CLK_LOCAL_MEM_FENCE);\n"
      "out[i] = near[63 - l];\n");
}

}  // namespace
}  // namespace weft::test
