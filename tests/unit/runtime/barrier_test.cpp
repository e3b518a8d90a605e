// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <immintrin.h>

#include <array>

#include "unit/runtime/pool_fixture.h"

namespace weft::runtime::test {
namespace {

using BarrierFunction = void(abi::WorkItem*, uint32_t);

/// Arguments of the kernels below, which compiled code would have resolved at link time.
struct Arguments {
  BarrierFunction* barrier = nullptr;
  uint32_t rounds = 0;
  std::atomic<int>* wrong = nullptr;
  std::atomic<int>* count = nullptr;
};

const Arguments& argumentsOf(const abi::WorkItem* item) {
  return *static_cast<const Arguments*>(item->group->launch->arguments);
}

uint64_t linearId(const abi::WorkItem* item) {
  const uint64_t* size = item->group->localSize;
  return (item->localId[2] * size[1] + item->localId[1]) * size[0] + item->localId[0];
}

uint64_t groupItems(const abi::WorkItem* item) {
  const uint64_t* size = item->group->localSize;
  return size[0] * size[1] * size[2];
}

uint32_t* localWords(const abi::WorkItem* item) {
  return reinterpret_cast<uint32_t*>(item->group->localMemory);
}

/// Every round each work-item writes its word and reads that of another one.
void exchangeKernel(abi::WorkItem* item) {
  const Arguments& arguments = argumentsOf(item);
  const uint64_t id = linearId(item), items = groupItems(item);
  for (uint32_t round = 0; round < arguments.rounds; ++round) {
    localWords(item)[id] = round * 10000 + static_cast<uint32_t>(id);
    arguments.barrier(item, 0);
    const uint64_t other = (id + round + 1) % items;
    if (localWords(item)[other] != round * 10000 + other) ++*arguments.wrong;
    arguments.barrier(item, 1);
  }
  ++*arguments.count;
}

[[gnu::noinline]] uint32_t deepBarrier(abi::WorkItem* item, int depth, uint32_t value) {
  volatile char frame[64];
  frame[0] = static_cast<char>(value);
  if (depth > 0)
    return deepBarrier(item, depth - 1, value + 1) + static_cast<uint32_t>(frame[0]) * 0;
  argumentsOf(item).barrier(item, 2);
  return value;
}

void nestedKernel(abi::WorkItem* item) {
  const Arguments& arguments = argumentsOf(item);
  const uint64_t id = linearId(item);
  for (uint32_t i = 0; i < 3; ++i)
    for (uint32_t j = 0; j <= i; ++j) {
      localWords(item)[id] = i * 8 + j;
      const int depth = 5 + static_cast<int>(id % 7);
      if (deepBarrier(item, depth, 1) != 1 + static_cast<uint32_t>(depth)) ++*arguments.wrong;
      for (uint64_t k = 0; k < groupItems(item); ++k)
        if (localWords(item)[k] != i * 8 + j) ++*arguments.wrong;
      arguments.barrier(item, 3);
    }
  ++*arguments.count;
}

/// Work-item `id` takes part in `id` rounds and then returns.
void earlyReturnKernel(abi::WorkItem* item) {
  const Arguments& arguments = argumentsOf(item);
  const uint64_t id = linearId(item), items = groupItems(item);
  if (id == 0) localWords(item)[0] = 0;
  for (uint64_t round = 0; round < id; ++round) {
    arguments.barrier(item, 0);
    // Those with an id of `round` at least were here before; the word was set by the one that
    // is last in the previous round.
    if (localWords(item)[0] != round) ++*arguments.wrong;
    arguments.barrier(item, 1);
    if (id == items - 1) localWords(item)[0] = static_cast<uint32_t>(round + 1);
  }
  ++*arguments.count;
}

/// Returns early in every second work-item, the first and last ones among them or not.
template <int kRest>
void halfReturnsKernel(abi::WorkItem* item) {
  const Arguments& arguments = argumentsOf(item);
  ++*arguments.count;
  if (linearId(item) % 2 == kRest) return;
  for (uint32_t round = 0; round < 5; ++round) arguments.barrier(item, round % 2);
  ++*arguments.count;
}

void divergentKernel(abi::WorkItem* item) {
  const Arguments& arguments = argumentsOf(item);
  arguments.barrier(item, 0);
  if (linearId(item) >= groupItems(item) / 2)
    arguments.barrier(item, 1);
  else
    arguments.barrier(item, 2);
  if (groupItems(item) > 1) ++*arguments.wrong;
}

class Barriers : public PoolTest {
 protected:
  void prepare(LaunchJob& job, abi::ItemEntry entry, uint64_t items, uint64_t groups = 1) {
    arguments.barrier = service<BarrierFunction>(*executor, abi::kBarrierService);
    arguments.wrong = &wrong;
    arguments.count = &count;
    wrong = 0;
    count = 0;
    job.launch.kernel.name = "tested";
    job.launch.slicing.entryKind = EntryKind::Fibers;
    job.launch.itemEntry = entry;
    job.launch.range = {1, {items * groups, 1, 1}, {}, {items, 1, 1}};
    job.launch.bindings.localBytes = items * sizeof(uint32_t);
    job.launch.frameBytes = 4096;
    job.launch.bindings.arguments = &arguments;
    job.launch.kernel.barriers.assign(sites.begin(), sites.end());
  }

  Arguments arguments;
  std::atomic<int> wrong{0}, count{0};
  std::array<compiler::BarrierSite, 4> sites{
      {{"kernel.cl", 10}, {"kernel.cl", 20}, {"other.h", 30}, {"", 0}}};
};
WEFT_SWEEP_WORKERS(Barriers);

TEST_P(Barriers, SeparateWritesFromReadsAtEverySize) {
  for (const uint64_t items : {1, 2, 3, 16, 63, 64, 65, 256, 1000, 4096}) {
    if (items > 256 && GetParam() > 8) continue;
    LaunchJob job;
    prepare(job, exchangeKernel, items, 5);
    arguments.rounds = items > 256 ? 2 : 7;
    run(job, items % 2 ? Drive::Workers : Drive::Help);
    ASSERT_EQ(job.failures(), 0) << job.message();
    EXPECT_EQ(wrong, 0) << items;
    EXPECT_EQ(static_cast<uint64_t>(count), items * 5);
  }
}

TEST_P(Barriers, WorkInThreeDimensions) {
  LaunchJob job;
  prepare(job, exchangeKernel, 1);
  arguments.rounds = 3;
  job.launch.range = {3, {21, 10, 6}, {5, 6, 7}, {4, 4, 4}};  // ragged along each dimension
  job.launch.bindings.localBytes = 64 * sizeof(uint32_t);
  run(job);
  EXPECT_EQ(job.failures(), 0);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(count, 21 * 10 * 6);
}

TEST_P(Barriers, WorkAtAnyCallDepth) {
  for (const uint64_t items : {1, 8, 100}) {
    LaunchJob job;
    prepare(job, nestedKernel, items, 3);
    run(job);
    EXPECT_EQ(job.failures(), 0);
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(static_cast<uint64_t>(count), items * 3);
  }
}

TEST_P(Barriers, EndedWorkItemsCountAsArrived) {
  for (const uint64_t items : {1, 2, 3, 50}) {
    LaunchJob job;
    prepare(job, earlyReturnKernel, items, 4);
    run(job);
    EXPECT_EQ(job.failures(), 0) << job.message();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(static_cast<uint64_t>(count), items * 4);
  }
  for (const auto entry : {halfReturnsKernel<0>, halfReturnsKernel<1>}) {
    for (const uint64_t items : {2, 3, 64}) {
      LaunchJob job;
      prepare(job, entry, items, 4);
      run(job);
      EXPECT_EQ(job.failures(), 0) << job.message();
      const uint64_t early = entry == halfReturnsKernel<0> ? (items + 1) / 2 : items / 2;
      EXPECT_EQ(static_cast<uint64_t>(count), (2 * items - early) * 4);
    }
  }
}

TEST_P(Barriers, StrictModeReportsEarlyReturns) {
  options.strictBarriers = true;
  recreate();
  for (const auto entry : {halfReturnsKernel<0>, halfReturnsKernel<1>}) {
    LaunchJob job;
    prepare(job, entry, 64);
    run(job);
    EXPECT_EQ(job.failures(), 1);
    EXPECT_EQ(job.kind(), FailureKind::BarrierDivergence);
    EXPECT_NE(job.message().find("kernel.cl:10"), std::string::npos) << job.message();
  }
  LaunchJob job;
  prepare(job, exchangeKernel, 64, 10);
  arguments.rounds = 3;
  run(job);
  EXPECT_EQ(job.failures(), 0) << job.message();
}

TEST_P(Barriers, DivergenceEndsTheLaunchAndNamesBothLines) {
  for (int round = 0; round < 3; ++round) {
    LaunchJob job;
    prepare(job, divergentKernel, 128);
    run(job);
    EXPECT_EQ(job.failures(), 1);
    EXPECT_EQ(wrong, 0) << "a work-item got past the barrier";
    EXPECT_EQ(job.kind(), FailureKind::BarrierDivergence);
    for (const char* part : {"tested", "kernel.cl:20", "other.h:30"})
      EXPECT_NE(job.message().find(part), std::string::npos) << job.message();
    // The lanes are fit for the next group.
    LaunchJob next;
    prepare(next, exchangeKernel, 200);
    arguments.rounds = 3;
    run(next);
    EXPECT_EQ(next.failures(), 0);
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(count, 200);
  }
}

TEST_P(Barriers, DivergenceWithoutSourceLinesIsReportedToo) {
  LaunchJob job;
  prepare(job, divergentKernel, 16);
  job.launch.kernel.barriers.clear();
  run(job);
  EXPECT_EQ(job.kind(), FailureKind::BarrierDivergence);
  EXPECT_NE(job.message().find("unknown line"), std::string::npos) << job.message();
}

/// Checks that lane groups start at every fourth work-item of a row.
void wideKernel(abi::WorkItem* item) {
  const Arguments& arguments = argumentsOf(item);
  if (item->localId[0] % 4 != 0) ++*arguments.wrong;
  arguments.barrier(item, 0);
  ++*arguments.count;
}

TEST_P(Barriers, OneFiberRunsOneLaneGroup) {
  for (const std::array<uint64_t, 3> local :
       {std::array<uint64_t, 3>{64, 1, 1}, {10, 1, 1}, {2, 3, 5}, {3, 7, 1}, {1, 1, 9}}) {
    LaunchJob job;
    prepare(job, wideKernel, 1);
    job.launch.range = {3, local, {}, local};
    job.launch.width = 4;
    run(job);
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(static_cast<uint64_t>(count), (local[0] + 3) / 4 * local[1] * local[2]);
  }
}

constexpr uint32_t kMxcsrFlags = 0x3f;

void mxcsrKernel(abi::WorkItem* item) {
  const Arguments& arguments = argumentsOf(item);
  for (int round = 0; round < 3; ++round) {
    uint16_t x87 = 0;
    asm volatile("fnstcw %0" : "=m"(x87));
    if ((_mm_getcsr() & ~kMxcsrFlags) != arguments.rounds || x87 != 0x037f) ++*arguments.wrong;
    volatile float tiny = 1e-40f;
    volatile float result = tiny * 0.5f;
    if ((result == 0) != ((arguments.rounds & 0x8000) != 0)) ++*arguments.wrong;
    if (arguments.barrier) arguments.barrier(item, 0);
  }
  ++*arguments.count;
}

void mxcsrGroupKernel(const abi::Group* group) {
  abi::WorkItem item{};
  item.group = group;
  mxcsrKernel(&item);
}

TEST_P(Barriers, KernelsSeeADefinedFloatingPointState) {
  const uint32_t before = _mm_getcsr();
  const uint32_t strange = 0x1f80 | 0x6000 | 0x8040;  // towards zero, denormals flushed
  _mm_setcsr(strange);
  uint16_t x87 = 0x027f, after = 0;  // double precision
  asm volatile("fldcw %0" : : "m"(x87));
  for (const bool flush : {false, true, false}) {
    for (const EntryKind kind : {EntryKind::Fibers, EntryKind::Group, EntryKind::Flat}) {
      for (const uint64_t frame : {2000, 50000}) {
        LaunchJob job;
        prepare(job, mxcsrKernel, 64, 4);
        if (kind != EntryKind::Fibers) arguments.barrier = nullptr;
        arguments.rounds = flush ? 0x9fc0 : 0x1f80;
        job.launch.slicing.entryKind = kind;
        job.launch.groupEntry = mxcsrGroupKernel;
        job.launch.kernel.denormsAreZero = flush;
        job.launch.frameBytes = frame;
        run(job, frame == 2000 ? Drive::Help : Drive::Workers);
        EXPECT_EQ(wrong, 0);
        EXPECT_GT(count, 0);
      }
    }
  }
  EXPECT_EQ(_mm_getcsr() & ~kMxcsrFlags, strange);
  asm volatile("fnstcw %0" : "=m"(after));
  EXPECT_EQ(after, x87);
  _mm_setcsr(before);
  x87 = 0x037f;
  asm volatile("fldcw %0" : : "m"(x87));
}

}  // namespace
}  // namespace weft::runtime::test
