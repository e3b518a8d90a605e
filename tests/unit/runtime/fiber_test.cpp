// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/fiber.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <set>
#include <thread>

#include "exec/lane_runner.h"
#include "exec/local_arena.h"
#include "fiber/stack_slab.h"
#include "support/sanitizers.h"

namespace weft::runtime::test {
namespace {

struct Counter : Fiber {
  Fiber* back = nullptr;
  int steps = 0;
};

void countSteps(Fiber& self) noexcept {
  auto& counter = static_cast<Counter&>(self);
  for (;;) {
    ++counter.steps;
    Fiber::switchTo(counter, *counter.back);
  }
}

TEST(Fibers, SwitchThereAndBack) {
  auto slab = StackSlab::create(2, 16384);
  ASSERT_TRUE(slab);
  Fiber thread;
  thread.adoptThread();
  Counter a, b;
  for (Counter* counter : {&a, &b}) {
    counter->back = &thread;
    counter->create(slab->stack(counter == &b), &countSteps);
    EXPECT_TRUE(counter->suspended());
    EXPECT_EQ(counter->steps, 0) << "parked before its body";
  }
  for (int i = 1; i <= 1000; ++i) {
    Fiber::switchTo(thread, a);
    Fiber::switchTo(thread, b);
    ASSERT_EQ(a.steps, i);
    ASSERT_EQ(b.steps, i);
  }
  a.drop();
  EXPECT_FALSE(a.suspended());
  a.create(slab->stack(0), &countSteps);
  Fiber::switchTo(thread, a);
  EXPECT_EQ(a.steps, 1001);
  a.drop();
  b.drop();
}

TEST(Fibers, AParkedFiberMayServeAnotherThread) {
  auto slab = StackSlab::create(1, 16384);
  Counter counter;
  counter.create(slab->stack(0), &countSteps);
  const auto resume = [&] {
    Fiber thread;
    thread.adoptThread();
    counter.back = &thread;
    Fiber::switchTo(thread, counter);
  };
  std::thread(resume).join();
  std::thread(resume).join();
  resume();
  EXPECT_EQ(counter.steps, 3);
  counter.drop();
}

class Slabs : public testing::TestWithParam<GuardKind> {};
INSTANTIATE_TEST_SUITE_P(Guards, Slabs,
                         testing::Values(GuardKind::Light, GuardKind::Mapped,
                                         GuardKind::Unchecked));

TEST_P(Slabs, StacksAreApartAndColoured) {
  constexpr size_t kUsable = 16384;
  auto slab = StackSlab::create(100, kUsable, GetParam());
  ASSERT_TRUE(slab);
  std::set<uintptr_t> colours;
  const std::byte* previousTop = nullptr;
  for (size_t i = 0; i < slab->count(); ++i) {
    const StackSpan stack = slab->stack(i);
    EXPECT_GE(stack.bytes(), kUsable);
    EXPECT_GT(stack.bottom, previousTop);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(stack.top) % 64, 0u);
    colours.insert(reinterpret_cast<uintptr_t>(stack.top) % 4096);
    std::fill(stack.bottom, stack.top, std::byte{1});
    previousTop = stack.top;
  }
  EXPECT_EQ(colours.size(), 64u) << "each cache set of a page once";
  slab->release();
  EXPECT_EQ(slab->stack(5).bottom[0], std::byte{0});
}

TEST(SlabLimits, ImpossibleSizesAreRefused) {
  EXPECT_FALSE(StackSlab::create(2, ~size_t{0}));
  EXPECT_FALSE(StackSlab::create(size_t{1} << 40, size_t{1} << 40));
  EXPECT_FALSE(StackSlab::create(1, size_t{1} << 60));
}

using GuardDeathTest = Slabs;
INSTANTIATE_TEST_SUITE_P(Guards, GuardDeathTest,
                         testing::Values(GuardKind::Light, GuardKind::Mapped));

TEST_P(GuardDeathTest, EveryStackEndsAtAGuard) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto slab = StackSlab::create(3, 16384, GetParam());
  ASSERT_TRUE(slab);
  for (size_t i = 0; i < 3; ++i) {
    volatile std::byte* below = slab->stack(i).bottom - 1;
    EXPECT_DEATH(*below = std::byte{1}, "");
  }
}

[[gnu::noinline]] int recurse(int depth) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(depth);
  return depth > 0 ? recurse(depth - 1) + frame[0] : 0;
}

LaneLimits smallLimits() {
  LaneLimits limits = defaultLaneLimits(64, 1);
  limits.maxLanes = 64;
  return limits;
}

TEST(StackDeathTest, AnOverflowingLaneFaults) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        LaneRunner runner(smallLimits(), false);
        runner.prepare(4, 1000);
        abi::Group group{};
        group.localSize[0] = group.localSize[1] = group.localSize[2] = 1;
        runner.run({.entry = [](abi::WorkItem* item) { recurse(100000); }, .width = 1}, group,
                   0x1f80);
      },
      "");
}

TEST(Lanes, LimitsSayWhatCanBeHad) {
  const LaneLimits limits = defaultLaneLimits(4096, 64, 1);
  EXPECT_FALSE(limits.allow(4097, 100));
  EXPECT_FALSE(limits.allow(1, uint64_t{5} << 30));
  EXPECT_FALSE(limits.allow(4096, uint64_t{1} << 52));
  EXPECT_FALSE(limits.allow(1, ~uint64_t{0}));
  // Whatever the machine, groups of the sizes that kernels advertise. Sanitizers need room as well.
  const uint64_t extra = weft::test::kSanitizer ? 32768 : 0;
  for (const uint64_t frame :
       {uint64_t{500}, uint64_t{16} << 10, uint64_t{1} << 20, uint64_t{64} << 20})
    EXPECT_TRUE(
        limits.allow(std::min(uint64_t{4096}, (uint64_t{64} << 20) / (frame + extra)), frame))
        << frame;
}

TEST(Lanes, AreReusedAndBounded) {
  LaneLimits limits = smallLimits();
  limits.maxBytes = 8 << 20;
  limits.keptBytes = 4 << 20;
  LaneRunner runner(limits, false);
  EXPECT_FALSE(runner.prepare(0, 100));
  EXPECT_FALSE(runner.prepare(65, 100));
  EXPECT_TRUE(runner.prepare(64, 100));
  const size_t mapped = runner.stackBytesMapped();
  EXPECT_GT(mapped, 64u * 16384);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(runner.prepare(64, 100));
  EXPECT_EQ(runner.stackBytesMapped(), mapped);
  for (const uint64_t frame : {60000, 3000000, 100, 200000, 6000000, 70000}) {
    runner.prepare(frame > 1000000 ? 1 : 16, frame);
    EXPECT_LE(runner.stackBytesMapped(), limits.maxBytes);
  }
  EXPECT_FALSE(runner.prepare(64, 1 << 20));
  EXPECT_FALSE(runner.prepare(1, 16 << 20));
  EXPECT_TRUE(runner.prepare(64, 100));
}

TEST(Lanes, FallBackWhenGuardMappingsRunOut) {
  LaneLimits limits = smallLimits();
  limits.preferredGuard = GuardKind::Mapped;
  limits.mappedGuards = 16;
  LaneRunner runner(limits, false);
  ASSERT_TRUE(runner.prepare(64, 1000));
  abi::Group group{};
  group.localSize[0] = 64;
  group.localSize[1] = group.localSize[2] = 1;
  static int count;
  count = 0;
  const Divergence divergence =
      runner.run({.entry = [](abi::WorkItem*) { count += 1; }, .width = 1}, group, 0x1f80);
  EXPECT_EQ(divergence.kind, Divergence::Kind::None);
  EXPECT_EQ(count, 64);
}

TEST(LocalArenas, HaveBlocksUpToTheLimit) {
  LocalArena arena(1000);
  EXPECT_FALSE(arena.block(1001));
  uint8_t* block = arena.block(1000);
  ASSERT_TRUE(block);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % abi::kLocalMemoryAlignment, 0u);
  std::fill(block, block + 1000, uint8_t{1});
  EXPECT_TRUE(arena.block(0));
}

/// Whether `address` is in a page that the system has given memory to.
bool isBacked(const uint8_t* address) {
  constexpr uintptr_t kPage = 4096;
  unsigned char state = 0;
  auto* page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(address) / kPage * kPage);
  return mincore(page, kPage, &state) == 0 && (state & 1) != 0;
}

TEST(LocalArenas, AreBackedOnBothSides) {
  LocalArena arena(65536);
  for (const uint64_t bytes : {uint64_t{40000}, uint64_t{100}, uint64_t{65536}}) {
    const uint8_t* block = arena.block(bytes);
    ASSERT_TRUE(block);
    EXPECT_TRUE(isBacked(block - LocalArena::kMargin));
    EXPECT_TRUE(isBacked(block - 1));
    EXPECT_TRUE(isBacked(block + bytes + LocalArena::kMargin - 1 - bytes % 128));
  }
}

TEST(LocalArenaDeathTest, AccessesFarBehindTheEndFault) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  LocalArena arena(65536);
  volatile uint8_t* block = arena.block(4096);
  ASSERT_TRUE(block);
  EXPECT_DEATH(block[4096 + LocalArena::kMargin] = 1, "");
}

}  // namespace
}  // namespace weft::runtime::test
