// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the ready children of slots are: each is taken once, and memory goes back to where it is
// from.
#include "children/child_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace weft::runtime {
namespace {

/// A family that nobody asks for anything.
struct QuietFamily final : FamilyBase {
  void groupEnded(Child*, ChildStore&) noexcept override {}
};

FamilyBase& family(size_t which) {
  static QuietFamily families[2];
  return families[which];
}

struct Taken {
  explicit Taken(size_t count) : children(count), times(count) {
    for (Child& child : children) child.family = &family(0);
  }
  void note(const Child* child) { times[static_cast<size_t>(child - children.data())]++; }

  std::vector<Child> children;
  std::vector<std::atomic<int>> times;
};

TEST(ChildStore, TakesTheNewestAndLosesNone) {
  Taken taken(10000);  // more than the deque has room for
  ChildStore store;
  store.setFamily(family(0));
  for (Child& child : taken.children) store.push(child);
  EXPECT_EQ(store.popNewest(), &taken.children.back());
  taken.note(&taken.children.back());
  while (Child* child = store.popNewest()) taken.note(child);
  EXPECT_TRUE(store.isEmpty());
  for (const auto& times : taken.times) EXPECT_EQ(times, 1);
}

TEST(ChildStore, ThievesTakeTheOldestOfTheirFamily) {
  Taken taken(100);
  ChildStore store, thief;
  store.setFamily(family(0));
  for (Child& child : taken.children) store.push(child);
  EXPECT_EQ(thief.stealFrom(store, family(1)), 0u);
  const size_t count = thief.stealFrom(store, family(0));
  EXPECT_GT(count, 1u);
  EXPECT_EQ(thief.popNewest(), &taken.children.front());
}

TEST(ChildStore, EachChildIsTakenOnceWhateverTheThreads) {
  constexpr size_t kChildren = 6000;
  constexpr int kRounds = 20, kThieves = 3;
  for (int round = 0; round < kRounds; ++round) {
    Taken taken(kChildren);
    ChildStore store;
    store.setFamily(family(0));
    std::atomic<bool> ended{false};
    std::vector<std::thread> thieves;
    for (int i = 0; i < kThieves; ++i)
      thieves.emplace_back([&] {
        ChildStore mine;
        mine.setFamily(family(0));
        while (!ended.load() || !store.isEmpty())
          if (mine.stealFrom(store, family(0)) != 0)
            while (Child* child = mine.popNewest()) taken.note(child);
      });
    for (size_t i = 0; i < kChildren; ++i) {
      store.push(taken.children[i]);
      // Mostly next to empty, where owner and thieves meet.
      if (i % 7 != 0 || round % 2 != 0)
        if (Child* child = store.popNewest()) taken.note(child);
    }
    while (Child* child = store.popNewest()) taken.note(child);
    ended = true;
    for (std::thread& thief : thieves) thief.join();
    for (const auto& times : taken.times) ASSERT_EQ(times, 1);
  }
}

TEST(ChildStore, MemoryGoesBackToItsStore) {
  ChildStore home, other;
  uint32_t bytes = 700;
  void* block = home.allocate(bytes);
  EXPECT_GE(bytes, 700u);
  other.give(block, bytes, home);
  uint32_t again = 700;
  EXPECT_EQ(home.allocate(again), block);
  home.give(block, again, home);
}

TEST(ChildStore, KeepsALittleOfAQueuesRoom) {
  DeviceQueue queue(3200);
  ChildStore store, other;
  EXPECT_TRUE(store.takeRoom(queue, 3200));
  EXPECT_FALSE(other.takeRoom(queue, 1));
  store.giveRoom(queue, 200);
  EXPECT_TRUE(store.takeRoom(queue, 150));  // of what it has kept
  store.giveRoom(queue, 150);
  EXPECT_TRUE(store.takeRoom(queue, 200));
  store.giveRoom(queue, 3200);
  EXPECT_TRUE(other.takeRoom(queue, 3200));
  other.giveRoom(queue, 100);
  other.flushRoom();
  EXPECT_TRUE(store.takeRoom(queue, 100));
}

}  // namespace
}  // namespace weft::runtime
