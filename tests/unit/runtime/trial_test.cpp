// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that take place while two codes for the same are compared.
#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <vector>

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

  const abi::MachineCode* rival(bool isUnderWay, nanoseconds shortest) noexcept override {
    shortestCall = shortest;
    return isUnderWay || isDue ? opponent.load() : nullptr;
  }
  void spent(nanoseconds time) noexcept override {
    EXPECT_GE(time.count(), 0);
    spentTime += static_cast<uint64_t>(time.count());
  }
  void compared(const abi::MachineCode& own, const abi::MachineCode& other,
                const Pair& pair) noexcept override {
    if (pair.isWarmUp) {
      ++warmUps;
      return;
    }
    if (&own != best() || &other != opponent) return;  // another slot has ended the trial
    EXPECT_GT(pair.best, 0);
    EXPECT_GT(pair.rival, 0);
    ++pairs;
    {
      const std::scoped_lock lock(lastMutex);
      last = pair;
    }
    if (takesFrom != 0 && pairs == takesFrom) take(other);
  }
  void take(const abi::MachineCode& code) {
    setBest(code);
    opponent = nullptr;
    end();
  }

  std::atomic<const abi::MachineCode*> opponent{nullptr};
  std::atomic<bool> isDue{true};  ///< another pair
  std::atomic<nanoseconds> shortestCall{nanoseconds(0)};
  std::atomic<uint64_t> spentTime{0};  ///< nanoseconds
  std::atomic<int> pairs{0}, warmUps{0};
  std::mutex lastMutex;  ///< while other threads compare
  Pair last;
  int takesFrom = 0;  ///< pairs; 0: never
};

struct Arguments {
  std::vector<std::atomic<int>>* hits = nullptr;
  std::atomic<uint64_t> calls[2] = {0, 0};  ///< of the first code, and of the other
  std::atomic<uint64_t> items[2] = {0, 0};
  std::atomic<int> wrong{0};
  uint64_t rowsTogether = 1;
  std::atomic<int> cut{0};  ///< calls of other numbers of rows
};

/// Code number `which`, which takes so many nanoseconds for each work-item.
template <int which, int itemTime>
void codeOf(const abi::Group* group) {
  auto& arguments =
      *const_cast<Arguments*>(static_cast<const Arguments*>(group->launch->arguments));
  const auto begin = std::chrono::steady_clock::now();
  uint64_t items = 0;
  const uint64_t* const size = group->launch->globalSize;
  for (uint64_t z = group->globalBase[2]; z != group->boxEnd[2]; ++z)
    for (uint64_t y = group->globalBase[1]; y != group->boxEnd[1]; ++y)
      for (uint64_t x = group->globalBase[0]; x != group->boxEnd[0]; ++x, ++items)
        ++(*arguments.hits)[(z * size[1] + y) * size[0] + x];
  if ((group->boxEnd[0] - group->globalBase[0]) % abi::kRowMultiple != 0) ++arguments.wrong;
  if ((group->boxEnd[1] - group->globalBase[1]) % arguments.rowsTogether != 0) ++arguments.cut;
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
    launch.range = {3, {640, 6, 10}, {}, {64, 1, 1}};
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
    first.trials.fill(&trial);
    arguments.items[0] = 0;
    for (int i = 0; i < 3; ++i) launch(kind);
    EXPECT_GT(trial.pairs, 0);
    EXPECT_GT(arguments.calls[0], 0u);
    EXPECT_GT(arguments.calls[1], 0u);
    EXPECT_GE(trial.spentTime, 50 * arguments.items[0]) << "all work-items are told of";
  }
}

TEST_P(Trials, EndWithTheBetterCodeForGood) {
  for (const abi::EntryKind kind : kKinds) {
    Notes trial(first, nanoseconds(0));
    trial.opponent = &second;
    trial.takesFrom = 5;
    first.trials.fill(&trial);
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
    first.trials.fill(&trial);
    launch(kind);  // in parts that are long enough to be measured each
    EXPECT_GE(trial.spentTime, 50 * kItems);
    EXPECT_EQ(arguments.calls[1], 0u);
  }
}

TEST_P(Trials, KeepRowsOfTilesTogether) {
  constexpr uint64_t kTogether = 16;
  const uint64_t rows = 1024 * GetParam();
  Notes trial(first, microseconds(100));
  trial.opponent = &second;
  first.trials.fill(&trial);
  std::vector<std::atomic<int>> hits(64 * rows);
  arguments.hits = &hits;
  arguments.rowsTogether = kTogether;
  for (int i = 0; i < 100 && trial.pairs == 0; ++i) {
    LaunchJob job;
    job.launch.slicing = {.entryKind = abi::EntryKind::Flat,
                          .rowMultiple = abi::kRowMultiple,
                          .tilesFrom = 8,
                          .tileColumns = 64,
                          .rowsTogether = kTogether};
    job.launch.settled = &first;
    job.launch.range = {2, {64, rows, 1}, {}, {1, 1, 1}};
    job.launch.bindings.arguments = &arguments;
    run(job);
  }
  EXPECT_GT(trial.pairs, 0);
  EXPECT_EQ(arguments.cut, 0) << "of " << arguments.calls[0] << " and " << arguments.calls[1];
}

/// One slot's turns, with times as they are told.
class Turns : public ::testing::Test {
 protected:
  Turns() {
    trial.opponent = &second;
    turns.begin(trial, 64, /*isOneCall=*/true);
  }
  bool isRivals() const { return &turns.code() == &second; }
  /// The code whose turn it is runs so many work-items, at 10 ns each, or 5 where it is the rival.
  void run(uint64_t items) {
    turns.ran(items, nanoseconds(static_cast<int64_t>(items) * (isRivals() ? 5 : 10)));
  }
  /// A short part of another kernel's, while its trial compares as well.
  void runOther(Notes& other, uint64_t items) {
    turns.begin(other, 64, /*isOneCall=*/false);
    for (uint64_t left = items; turns.isOn() && left != 0;) {
      const uint64_t taken = std::min(left, turns.mostItems());
      run(taken);
      left -= taken;
    }
    turns.end(other, microseconds(10), 1000);
  }
  /// With nothing known of the work-items, the first call belongs to nobody's turn.
  void look() {
    EXPECT_EQ(&turns.code(), &first);
    turns.ran(128, nanoseconds(1280));
  }

  abi::MachineCode first, second;
  Notes trial{first, microseconds(100)};
  CodeTurns turns;
};

TEST_F(Turns, EachCodeHasOneInEachPair) {
  look();
  int rivalBegan = 0;
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(turns.isOn());
    EXPECT_TRUE(isRivals()) << "it warms up";
    run(1'000'000);
    rivalBegan += isRivals();
    const abi::MachineCode* const begins = &turns.code();
    run(1'000'000);
    EXPECT_NE(&turns.code(), begins);
    if (i % 4 == 0) turns.begin(trial, 64, /*isOneCall=*/true);  // in another part
    EXPECT_NE(&turns.code(), begins);
    run(1'000'000);
  }
  EXPECT_GT(rivalBegan, 5);
  EXPECT_LT(rivalBegan, 35);
  EXPECT_EQ(trial.pairs, 40);
  EXPECT_EQ(trial.warmUps, 40);
  EXPECT_DOUBLE_EQ(trial.last.best, 10);
  EXPECT_DOUBLE_EQ(trial.last.rival, 5);
  EXPECT_EQ(trial.last.lost, milliseconds(-5));
}

TEST_F(Turns, LastAsLongAsTheyShould) {
  look();
  const auto runTurn = [&] {  // how long it is
    const bool isRivals_ = isRivals();
    nanoseconds time{0};
    while (turns.isOn() && isRivals() == isRivals_ && time < milliseconds(1)) {
      const uint64_t items = turns.mostItems();
      time += nanoseconds(static_cast<int64_t>(items) * (isRivals_ ? 5 : 10));
      run(items);
    }
    return time;
  };
  while (trial.warmUps == 0) run(turns.mostItems());
  const uint64_t begin = turns.mostItems();
  EXPECT_LE(begin, 2'500u) << "the rival may be slow";
  const nanoseconds time = runTurn();
  EXPECT_GT(time, microseconds(85));
  EXPECT_LT(time, microseconds(105));
}

TEST_F(Turns, OfLongCallsAreOneEach) {
  turns.ran(64, milliseconds(1));
  trial.isDue = false;
  for (int i = 0; i < 2; ++i) {
    turns.begin(trial, 64, /*isOneCall=*/true);
    ASSERT_TRUE(turns.isOn());
    turns.ran(64, isRivals() ? milliseconds(3) : milliseconds(1));
  }
  EXPECT_FALSE(turns.isOn());
  EXPECT_EQ(trial.warmUps, 0);
  EXPECT_EQ(trial.pairs, 1);
  EXPECT_EQ(trial.last.lost, milliseconds(2));
}

TEST_F(Turns, BeginWithALookAtEachPart) {
  look();
  run(1'000'000);
  turns.end(trial, milliseconds(10), 1'000'000);
  turns.begin(trial, 64, /*isOneCall=*/false);
  EXPECT_EQ(&turns.code(), &first);
  EXPECT_EQ(turns.mostItems(), 64u) << "these work-items may be more work";
  turns.ran(64, nanoseconds(64));
  EXPECT_EQ(&turns.code(), &first) << "that was too short";
  EXPECT_EQ(turns.mostItems(), 512u);
  turns.ran(64, microseconds(64));
  EXPECT_EQ(trial.shortestCall.load(), microseconds(64));
  EXPECT_LE(turns.mostItems(), 100u);
  turns.end(trial, microseconds(1), 100);
  turns.begin(trial, 64, /*isOneCall=*/false);
  const int pairs = trial.pairs;
  for (int turn = 0; turn < 2; ++turn) turns.ran(64, microseconds(200));
  EXPECT_EQ(trial.pairs, pairs + 1) << "short parts have no time for it";
}

TEST_F(Turns, LookAtManyCallsThatAreTooShort) {
  look();
  run(1'000'000);
  turns.end(trial, milliseconds(10), 1'000'000);
  turns.begin(trial, 64, /*isOneCall=*/false);
  // Tiles, which are never larger: those of a whole part of 100 calls would take 20 us.
  int calls = 0;
  for (; calls < 100 && trial.shortestCall.load() != nanoseconds(3 * 64); ++calls)
    turns.ran(64, nanoseconds(3 * 64));
  EXPECT_EQ(calls, 6) << "a look of 1 us is over";
}

TEST_F(Turns, CompareWhatIsAlike) {
  look();
  run(1'000'000);
  turns.ran(9'000, nanoseconds(90'000));
  const auto beginPart = [&](int64_t pace) {
    turns.end(trial, milliseconds(10), 1'000'000);
    turns.begin(trial, 64, /*isOneCall=*/false);
    turns.ran(1000, nanoseconds(1000 * pace));
  };
  for (int i = 0; i < 100; ++i) {
    beginPart(100);
    ASSERT_FALSE(turns.isOn()) << "such work-items are for another pair";
  }
  beginPart(9);
  ASSERT_TRUE(turns.isOn());
  turns.ran(10'000, nanoseconds(100'000));
  EXPECT_EQ(trial.pairs, 1);
  EXPECT_DOUBLE_EQ(trial.last.best, trial.last.rival);
  turns.ran(10'000, nanoseconds(100'000));
  turns.ran(9'000, nanoseconds(90'000));
  int parts = 0;
  for (; trial.pairs == 1 && parts < 100'000; ++parts) {
    beginPart(100);
    if (turns.isOn()) turns.ran(1'000, nanoseconds(100'000));
  }
  EXPECT_EQ(trial.pairs, 2) << "there are no others any more";
  EXPECT_GT(parts, 1000);
  EXPECT_DOUBLE_EQ(trial.last.best, trial.last.rival);
}

/// Else those of a kernel's short launches would decide what its long ones are run with.
TEST_F(Turns, ComeFromPartsThatTakeTheTime) {
  trial.opponent = nullptr;
  const auto part = [&](uint64_t items, int64_t pace) {
    turns.begin(trial, 64, /*isOneCall=*/false);
    const nanoseconds time(static_cast<int64_t>(items) * pace);
    for (uint64_t left = items; turns.isOn() && left != 0;) {
      const uint64_t taken = std::min(left, turns.mostItems());
      turns.ran(taken, nanoseconds(static_cast<int64_t>(taken) * pace));
      left -= taken;
    }
    turns.end(trial, time, items);
    return trial.pairs.load();
  };
  turns.end(trial, microseconds(10), 1000);
  part(100'000, 1000);
  trial.opponent = &second;
  for (int i = 0; i < 100; ++i) ASSERT_EQ(part(100'000, 1), 0) << "another kind has taken longer";
  EXPECT_GT(part(100'000, 1000), 0);
}

TEST_F(Turns, EndWithTheRival) {
  look();
  run(1'000'000);
  trial.opponent = nullptr;
  run(1'000'000);
  EXPECT_TRUE(turns.isOn()) << "a pair is not broken off";
  run(1'000'000);
  EXPECT_FALSE(turns.isOn());
  trial.opponent = &second;
  turns.begin(trial, 64, /*isOneCall=*/true);
  ASSERT_TRUE(turns.isOn());
  trial.opponent = nullptr;
  turns.begin(trial, 64, /*isOneCall=*/true);
  EXPECT_FALSE(turns.isOn());
}

TEST_F(Turns, EndUntilAnotherPairIsDue) {
  look();
  trial.isDue = false;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(turns.isOn());
    run(1'000'000);
    turns.begin(trial, 64, /*isOneCall=*/true);
  }
  run(1'000'000);
  EXPECT_EQ(trial.pairs, 1);
  EXPECT_FALSE(turns.isOn());
  turns.begin(trial, 64, /*isOneCall=*/true);
  EXPECT_FALSE(turns.isOn());
}

TEST_F(Turns, BeginAnewWithAnotherRival) {
  look();
  run(1'000'000);
  run(1'000'000);
  abi::MachineCode third;
  trial.opponent = &third;
  turns.begin(trial, 64, /*isOneCall=*/true);
  EXPECT_EQ(&turns.code(), &third);
  run(1'000'000);
  run(1'000'000);
  EXPECT_EQ(trial.pairs, 0);
  run(1'000'000);
  EXPECT_EQ(trial.pairs, 1);
}

/// Kernels that are launched for a short time each, one after the other.
TEST_F(Turns, OfManyKernelsAllComeToAnEnd) {
  std::array<abi::MachineCode, 20> own;
  std::vector<std::unique_ptr<Notes>> others;
  for (abi::MachineCode& code : own) {
    others.push_back(std::make_unique<Notes>(code, microseconds(100)));
    others.back()->opponent = &second;
  }
  const auto hasPairs = [](const auto& other) { return other->pairs >= 3; };
  for (int i = 0; i < 100'000 && !std::ranges::all_of(others, hasPairs); ++i)
    for (const auto& other : others) {
      if (other->pairs >= 3) other->opponent = nullptr;
      runOther(*other, 1000);
    }
  EXPECT_TRUE(std::ranges::all_of(others, hasPairs));
}

TEST_F(Turns, OfAKernelThatIsGoneAreForgotten) {
  look();
  run(100);
  Notes other(first, microseconds(100));
  other.opponent = &second;
  for (int i = 0; i < 1000; ++i) runOther(other, 1000);
  EXPECT_GT(other.pairs, 0);
  EXPECT_EQ(trial.pairs, 0);
}

TEST_F(Turns, ShortPartsAreMeasuredNowAndThen) {
  trial.opponent = nullptr;
  int measured = 0;
  for (int i = 0; i < 161; ++i) {
    if (!turns.measuresNext(trial)) continue;
    turns.end(trial, nanoseconds(500), 10);
    ++measured;
  }
  EXPECT_EQ(measured, 11);
  EXPECT_EQ(trial.spentTime, 161u * 500) << "each stands for those before it";
  for (int i = 0; i < 32; ++i)
    if (turns.measuresNext(trial)) turns.end(trial, microseconds(50), 10);
  EXPECT_GE(trial.spentTime, 161u * 500 + 17 * 50'000);
}

}  // namespace
}  // namespace weft::runtime::test
