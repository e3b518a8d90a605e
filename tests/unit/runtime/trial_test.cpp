// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that take place while two codes for the same are compared.
#include <algorithm>
#include <array>

#include "unit/runtime/pool_fixture.h"
#include "weft/abi/code_trial.h"

namespace weft::runtime::test {
namespace {

/// A trial that takes down what it is told.
class Notes final : public abi::CodeTrial {
 public:
  Notes(const abi::MachineCode& code, std::chrono::nanoseconds turn) : abi::CodeTrial(code, turn) {}

  const abi::MachineCode* rival(uint64_t items) noexcept override {
    leastItems = items;
    return opponent;
  }
  void spent(std::chrono::nanoseconds time, uint64_t items) noexcept override {
    EXPECT_GE(time.count(), 0);
    nanoseconds += static_cast<uint64_t>(time.count());
    spentItems += items;
  }
  double usualTime() const noexcept override {
    return static_cast<double>(nanoseconds) /
           static_cast<double>(std::max<uint64_t>(spentItems, 1));
  }
  void compared(const abi::MachineCode& own, const abi::MachineCode& other,
                const Pair& pair) noexcept override {
    EXPECT_EQ(&own, best());
    EXPECT_EQ(&other, opponent);
    EXPECT_GT(pair.best, 0);
    EXPECT_GT(pair.rival, 0);
    ++pairs;
    if (pair.rival > pair.best) ++slower;
    if (takesFrom != 0 && pairs == takesFrom) take(other);
  }
  void take(const abi::MachineCode& code) {
    setBest(code);
    opponent = nullptr;
    end();
  }

  std::atomic<const abi::MachineCode*> opponent{nullptr};
  std::atomic<uint64_t> leastItems{0}, nanoseconds{0}, spentItems{0};
  std::atomic<int> pairs{0}, slower{0};
  int takesFrom = 0;  ///< pairs; 0: never
};

struct Arguments {
  std::vector<std::atomic<int>>* hits = nullptr;
  std::atomic<uint64_t> calls[2] = {0, 0};  ///< of the first code, and of the other
  std::atomic<uint64_t> items[2] = {0, 0};
  std::atomic<int> wrong{0};
};

/// Code number `which`, which takes so long for each work-item.
template <int which, int nanoseconds>
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
  const std::chrono::nanoseconds length(nanoseconds * items);
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
    Notes trial(first, std::chrono::nanoseconds(0));
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

TEST_P(Trials, TellThatTheFasterIsFaster) {
  for (const abi::EntryKind kind : kKinds) {
    Notes trial(first, std::chrono::microseconds(20));
    trial.opponent = &second;
    first.trial = &trial;
    for (int i = 0; i < 1000 && trial.pairs < 20; ++i) launch(kind);
    ASSERT_GE(trial.pairs, 20);
    // One in five may have been disturbed.
    EXPECT_LE(trial.slower, trial.pairs / 5);
  }
}

TEST_P(Trials, EndWithTheBetterCodeForGood) {
  for (const abi::EntryKind kind : kKinds) {
    Notes trial(first, std::chrono::nanoseconds(0));
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
    Notes trial(first, std::chrono::microseconds(100));
    first.trial = &trial;
    launch(kind);  // in parts that are long enough to be measured each
    // Rows that are cut unevenly are taken for even ones.
    EXPECT_GE(trial.spentItems, kItems);
    EXPECT_LT(trial.spentItems, kItems * 5 / 4);
    EXPECT_GE(trial.nanoseconds, 50 * kItems);
    EXPECT_EQ(arguments.calls[1], 0u);
  }
}

}  // namespace
}  // namespace weft::runtime::test
