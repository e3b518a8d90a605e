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
void run(const std::string& body, const std::string& functions = "") {
  const Program program = build(
      functions +
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

// What is added is nothing, though nobody can tell.
TEST(WaitingLoops, TakeTurnsByAddingNothing) {
  run("int turn = atomic_inc(lock), step = out[i];\n"
      "while (atomic_add(lock + 1, step) < turn) ;\n"
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

constexpr const char* kRelease = "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(lock, 0);\n";

TEST(WaitingLoops, CountFromZeroToTakeALock) {
  run(std::string("while (atomic_inc(lock) != 0) ;\nsum[0] += 1;\n") + kRelease);
  run(std::string("while (atomic_inc(lock) > 0) ;\nsum[0] += 1;\n") + kRelease);
  run(std::string("bool mine;\ndo mine = atomic_inc(lock) < 1; while (!mine);\nsum[0] += 1;\n") +
      kRelease);
  run("while (atomic_inc(&lock[i & 1]) != 0) atomic_dec(&lock[i & 1]);\n"
      "atomic_inc(sum);\n"
      "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_dec(&lock[i & 1]);\n");
}

// The loop is left by a counter, which only whoever has the lock moves on.
TEST(WaitingLoops, CountUnderALock) {
  run(std::string("int mine = -1;\n"
                  "while (mine < 0) if (atomic_xchg(lock, 1) == 0) mine = atomic_inc(sum);\n"
                  "out[i] = mine;\n") +
      kRelease);
  run(std::string("int mine = 0;\n"
                  "do {\n"
                  "  if (atomic_cmpxchg(lock, 0, 1) == 0) mine = atomic_inc(sum) + 1;\n"
                  "} while (mine < 1);\n"
                  "out[i] = mine;\n") +
      kRelease);
}

// The way out depends on an array of the work-item's own.
TEST(WaitingLoops, KeepWhatIsReadInAnArray) {
  // lock[1] stays 0, which nobody can tell.
  const std::string array =
      "int seen[64], at = i % 32 + sum[0] % 2;\n"
      "for (int n = 0; n < 64; ++n) seen[n] = lock[1];\n";
  run(array +
      "do { seen[at & 63] = !atomic_xchg(lock, 1); ++at; } while (!seen[(at - 1) & 63]);\n"
      "sum[0] += 1; out[i] = seen[at & 63];\n" +
      kRelease);
  run(array +
      "seen[at & 63] = 0;\n"
      "while (!seen[at & 63]) {\n"
      "  if (atomic_xchg(lock, 1) == 0) seen[(at + 1) & 63] = 1;\n"
      "  ++at;\n"
      "}\n"
      "sum[0] += 1; out[i] = seen[at & 63];\n" +
      kRelease);
}

// The way out depends on shared memory of which each work-item has its part.
TEST(WaitingLoops, KeepWhatIsReadInSharedMemory) {
  run(std::string("out[i] = 0;\n"
                  "while (!out[i]) if (atomic_xchg(lock, 1) == 0) out[i] = 1;\n"
                  "sum[0] += 1;\n") +
      kRelease);
  run(std::string("local int seen[64]; int l = get_local_id(0); seen[l] = 0;\n"
                  "while (!seen[l]) if (atomic_xchg(lock, 1) == 0) seen[l] = 1;\n"
                  "sum[0] += 1;\n") +
      kRelease);
}

// What the swap is given is made of what was read, and says that the lock is free.
TEST(WaitingLoops, TakeABitOfAWord) {
  run("int free;\n"
      "do free = *lock & ~1; while (atomic_cmpxchg(lock, free, free | 1) != free);\n"
      "sum[0] += 1;\n"
      "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_and(lock, ~1);\n");
}

// What the swap is given is read in the loop, and says whose turn it is: it stays as it is,
// whatever others do to the place that is swapped.
TEST(WaitingLoops, TakeTurnsByWhatIsRead) {
  run("int turn = atomic_inc(lock), mine;\n"
      "out[i] = turn;\n"
      "do mine = out[i]; while (atomic_cmpxchg(lock + 1, mine, -1) != mine);\n"
      "sum[0] += 1;\n"
      "mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(lock + 1, turn + 1);\n");
}

// The way out depends on a variable that two sides of a branch set.
TEST(WaitingLoops, CountWhatIsDoneUnderALock) {
  run("int left = 2, tries = 0;\n"
      "while (left > 0) {\n"
      "  if (atomic_xchg(lock, 1) == 0) {\n"
      "    if (left == 1) sum[0] += 1;\n"
      "    mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(lock, 0); left -= 1;\n"
      "  } else {\n"
      "    out[i] = ++tries;\n"
      "  }\n"
      "}\n");
}

// As trees of bodies are built: a link that is -2 is being changed by somebody.
TEST(WaitingLoops, LockLinks) {
  // Volatile: of what is not, LLVM may take one reading for all that follow in a loop.
  run("volatile global int* links = lock;\n"
      "for (int left = 1; left > 0;) {\n"
      "  int link = links[i & 1];\n"
      "  if (link == -2) continue;\n"
      "  if (atomic_cmpxchg(&links[i & 1], link, -2) == link) {\n"
      "    out[i] = link; atomic_inc(sum);\n"
      "    mem_fence(CLK_GLOBAL_MEM_FENCE); links[i & 1] = i; left -= 1;\n"
      "  }\n"
      "}\n");
}

// The fence has what is not volatile read anew.
TEST(WaitingLoops, WaitAtFences) {
  run("if (i % 64 != 0) while (out[i - 1] == 0) mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
      "atomic_inc(sum);\n"
      "mem_fence(CLK_GLOBAL_MEM_FENCE); out[i] = 1;\n");
}

TEST(WaitingLoops, TakeALockInAFunction) {
  const std::string functions =
      "__attribute__((noinline)) int take(volatile global int* lock, global int* out) {\n"
      "  int tries = 0;\n"
      "  for (int n = 0; n < 3; ++n) out[n] = n * n % 7;\n"
      "  while (atomic_xchg(lock, 1)) ++tries;\n"
      "  return tries;\n"
      "}\n"
      "__attribute__((noinline)) void ask(volatile global int* lock, int* answer) {\n"
      "  *answer = !atomic_xchg(lock, 1);\n"
      "}\n"
      "__attribute__((noinline)) int try(volatile global int* lock, global int* out) {\n"
      "  for (int n = 0; n < 3; ++n) out[n] = n * n % 7;\n"
      "  return !atomic_xchg(lock, 1);\n"
      "}\n";
  run(std::string("take(lock, out);\nsum[0] += 1;\n") + kRelease, functions);
  run(std::string("while (!try(lock, out)) ;\nsum[0] += 1;\n") + kRelease, functions);
  run(std::string("int mine = 0;\nwhile (!mine) ask(lock, &mine);\nsum[0] += 1;\n") + kRelease,
      functions);
}

TEST(WaitingLoops, TakeALockInASubGroup) {
  run(std::string("out[i] = sub_group_reduce_add((int)i);\n"
                  "while (atomic_xchg(lock, 1)) ;\nsum[0] += 1;\n") +
      kRelease);
}

}  // namespace
}  // namespace weft::test
