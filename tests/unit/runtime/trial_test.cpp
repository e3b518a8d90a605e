// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that take place while two codes for the same are compared.
#include <algorithm>
#include <array>

#include "exec/code_turns.h"
#include "unit/runtime/pool_fixture.h"
#include "weft/abi/code_trial.h"

namespace weft::runtime::test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// A trial that takes down what it is told.
class Notes final : public abi::CodeTrial {
 public:
  Notes(const abi::MachineCode& code, nanoseconds turn) : abi::CodeTrial(code, turn) {}

  const abi::MachineCode* rival(uint64_t items) noexcept override {
    leastItems = items;
    return opponent;
  }
  void spent(nanoseconds time, uint64_t items) noexcept override {
    EXPECT_GE(time.count(), 0);
    spentTime += static_cast<uint64_t>(time.count());
    spentItems += items;
  }
  double usualTime() const noexcept override {
    return static_cast<double>(spentTime) / static_cast<double>(std::max<uint64_t>(spentItems, 1));
  }
  void compared(const abi::MachineCode& own, const abi::MachineCode& other,
                const Pair& pair) noexcept override {
    if (&own != best() || &other != opponent) return;  // another slot has ended the trial
    EXPECT_GT(pair.best, 0);
    EXPECT_GT(pair.rival, 0);
    ++pairs;
    last = pair;
    if (takesFrom != 0 && pairs == takesFrom) take(other);
  }
  void take(const abi::MachineCode& code) {
    setBest(code);
    opponent = nullptr;
    end();
  }

  std::atomic<const abi::MachineCode*> opponent{nullptr};
  std::atomic<uint64_t> leastItems{0}, spentTime{0}, spentItems{0};  ///< time in nanoseconds
  std::atomic<int> pairs{0};
  Pair last;          ///< where one thread compares
  int takesFrom = 0;  ///< pairs; 0: never
};

struct Arguments {
  std::vector<std::atomic<int>>* hits = nullptr;
  std::atomic<uint64_t> calls[2] = {0, 0};  ///< of the first code, and of the other
  std::atomic<uint64_t> items[2] = {0, 0};
  std::atomic<int> wrong{0};
};

/// Code number `which`, which takes so many nanoseconds for each work-item.
template <int which, int itemTime>
void codeOf(const abi::Group* group) {
  auto& arguments =
      *const_cast<Arguments*>(static_cast<const Arguments*>(group->launch->arguments));
  const auto begin = std::chrono::steady_clock::now();
  uint64_t items = 0;
  for (uint64_t y = group->globalBase[1]; y != group->boxEnd[1]; ++y)
    for (uint64_t x = group->globalBase[0]; x != group->boxEnd[0]; ++x, ++items)
      ++(*arguments.hits)[y * group->launch->globalSize[0] + x];
  if ((group->boxEnd[0] - group->globalBase[0]) % abi::kRowMultiple != 0) ++arguments.wrong;
  ++arguments.calls[which];
  arguments.items[which] += items;
  const nanoseconds length(itemTime * items);
  while (std::chrono::steady_clock::now() - begin < length) {
  }
}

class Trials : public PoolTest {
 protected:
  static constexpr uint64_t kItems = uint64_t{640} * 60;

  Trials() {
    first.groupEntry = codeOf<0, 50>;
    second.groupEntry = codeOf<1, 0>;
  }

  void launch(abi::EntryKind kind) {
    std::vector<std::atomic<int>> hits(kItems);
    arguments.hits = &hits;
    LaunchJob job;
    HandWritten& launch = job.launch;
    launch.slicing.entryKind = kind;
    launch.slicing.rowMultiple = abi::kRowMultiple;
    launch.slicing.groupsPerCall = kind == abi::EntryKind::Group ? abi::Slicing::kAny : 1;
    launch.settled = &first;
    launch.range = {2, {640, 60, 1}, {}, {64, 1, 1}};
    launch.bindings.arguments = &arguments;
    run(job);
    ASSERT_EQ(job.failures(), 0) << job.message();
    ASSERT_EQ(arguments.wrong, 0);
    ASSERT_TRUE(std::ranges::all_of(hits, [](const auto& count) { return count == 1; }));
  }

  static constexpr abi::EntryKind kKinds[] = {abi::EntryKind::Flat, abi::EntryKind::Group};
  abi::MachineCode first, second;
  Arguments arguments;
};
WEFT_SWEEP_WORKERS(Trials);

TEST_P(Trials, ChangeCodeBetweenCalls) {
  for (const abi::EntryKind kind : kKinds) {
    Notes trial(first, nanoseconds(0));
    trial.opponent = &second;
    first.trial = &trial;
    for (int i = 0; i < 3; ++i) launch(kind);
    EXPECT_GT(trial.pairs, 0);
    EXPECT_EQ(trial.leastItems, 64u);
    EXPECT_GT(arguments.calls[0], 0u);
    EXPECT_GT(arguments.calls[1], 0u);
    EXPECT_EQ(trial.spentItems, 3 * kItems) << "all work-items are told of";
  }
}

TEST_P(Trials, EndWithTheBetterCodeForGood) {
  for (const abi::EntryKind kind : kKinds) {
    Notes trial(first, nanoseconds(0));
    trial.opponent = &second;
    trial.takesFrom = 5;
    first.trial = &trial;
    for (int i = 0; i < 1000 && !trial.isOver(); ++i) launch(kind);
    ASSERT_TRUE(trial.isOver());
    launch(kind);  // others may have been at it still
    arguments.items[0] = arguments.items[1] = 0;
    launch(kind);
    EXPECT_EQ(arguments.items[0], 0u);
    EXPECT_EQ(arguments.items[1], kItems);
  }
}

TEST_P(Trials, AreToldOfWhatRunsWithoutARival) {
  for (const abi::EntryKind kind : kKinds) {
    Notes trial(first, microseconds(100));
    first.trial = &trial;
    launch(kind);  // in parts that are long enough to be measured each
    // Rows that are cut unevenly are taken for even ones.
    EXPECT_GE(trial.spentItems, kItems);
    EXPECT_LT(trial.spentItems, kItems * 5 / 4);
    EXPECT_GE(trial.spentTime, 50 * kItems);
    EXPECT_EQ(arguments.calls[1], 0u);
  }
}

/// One slot's turns, with times as they are told.
class Turns : public ::testing::Test {
 protected:
  Turns() {
    trial.opponent = &second;
    trial.spentTime = 1000;
    trial.spentItems = 100;
    turns.begin(trial, 64);
  }
  /// The code whose turn it is runs so many work-items, at 10 ns each, or 5 where it is the rival.
  void run(uint64_t items) {
    const bool isRival = &turns.code() == &second;
    turns.ran(items, nanoseconds(static_cast<int64_t>(items) * (isRival ? 5 : 10)));
  }

  abi::MachineCode first, second;
  Notes trial{first, microseconds(100)};
  CodeTurns turns;
};

TEST_F(Turns, BeginAlternately) {
  std::string order;
  for (int i = 0; i < 16; ++i) {
    ASSERT_TRUE(turns.isOn());
    order += &turns.code() == &first ? 'A' : 'B';
    run(1'000'000);
  }
  EXPECT_EQ(order, "ABBAABBAABBAABBA");
  EXPECT_EQ(trial.pairs, 7) << "the first pair warms up";
  EXPECT_DOUBLE_EQ(trial.last.best, 10);
  EXPECT_DOUBLE_EQ(trial.last.rival, 5);
  EXPECT_EQ(trial.last.lost, milliseconds(-5));
}

TEST_F(Turns, LastAsLongAsTheyShould) {
  for (int i = 0; i < 6; ++i) run(2'500);  // at first an eighth of it
  EXPECT_EQ(trial.pairs, 2);
  trial.spentTime = 10 * trial.spentItems;
  EXPECT_EQ(turns.mostItems(), 10'000u);
  while (&turns.code() != &first) run(10'000);
  run(4'000);
  trial.spentTime = 10 * trial.spentItems;
  EXPECT_EQ(turns.mostItems(), 6'000u);
  EXPECT_EQ(&turns.code(), &first) << "it goes on in the next part";
}

TEST_F(Turns, EndWithTheRival) {
  run(1'000'000);
  run(1'000'000);
  trial.opponent = nullptr;
  run(1'000'000);
  EXPECT_TRUE(turns.isOn()) << "a pair is not broken off";
  run(1'000'000);
  EXPECT_FALSE(turns.isOn());
}

TEST_F(Turns, BeginAnewWithAnotherRival) {
  abi::MachineCode third;
  run(1'000'000);
  trial.opponent = &third;
  turns.begin(trial, 64);
  EXPECT_EQ(&turns.code(), &first);
  run(1'000'000);
  EXPECT_EQ(&turns.code(), &third);
  EXPECT_EQ(trial.pairs, 0);
}

TEST_F(Turns, ShortPartsAreMeasuredNowAndThen) {
  trial.opponent = nullptr;
  trial.spentItems = 0;
  int measured = 0;
  for (int i = 0; i < 161; ++i) {
    if (!turns.measuresNext(trial)) continue;
    turns.spent(trial, nanoseconds(500), 10);
    ++measured;
  }
  EXPECT_EQ(measured, 11);
  EXPECT_EQ(trial.spentItems, 1610u) << "each stands for those before it";
  for (int i = 0; i < 32; ++i)
    if (turns.measuresNext(trial)) turns.spent(trial, microseconds(50), 10);
  EXPECT_GE(trial.spentItems, 1610u + 170);
}

}  // namespace
}  // namespace weft::runtime::test
