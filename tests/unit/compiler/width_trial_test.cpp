// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trials of other widths: when they begin, what they decide, and what becomes of it.
#include "driver/width_trial.h"

#include <sys/wait.h>

#include <functional>
#include <map>
#include <thread>

#include "base/thread_clock.h"
#include "base/tuning.h"
#include "compiler_fixture.h"

namespace weft::compiler::testing {
namespace {

const abi::MachineCode* rivalOf(abi::CodeTrial& trial) {
  return trial.rival(/*isUnderWay=*/false, std::chrono::nanoseconds(1));
}

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

Comparison::Verdict verdictOn(std::initializer_list<std::pair<int, double>> ratios) {
  Comparison comparison;
  auto verdict = Comparison::Verdict::Open;
  for (const auto& [count, ratio] : ratios)
    for (int i = 0; i < count && verdict == Comparison::Verdict::Open; ++i) {
      comparison.add(ratio);
      verdict = comparison.verdict();
    }
  return verdict;
}

TEST(Comparisons, TellSignalFromNoise) {
  using enum Comparison::Verdict;
  EXPECT_EQ(verdictOn({}), Open);
  EXPECT_EQ(verdictOn({{1, 0.1}}), Open) << "once is chance";
  EXPECT_EQ(verdictOn({{31, 0.8}}), Open) << "there may be other launches";
  EXPECT_EQ(verdictOn({{32, 0.8}}), Better);
  EXPECT_EQ(verdictOn({{32, 0.99}}), NotBetter) << "too little to change for";
  EXPECT_EQ(verdictOn({{20, 1.2}}), NotBetter);
  EXPECT_EQ(verdictOn({{2, 5.0}}), NotBetter) << "nobody need see more";
  EXPECT_EQ(verdictOn({{2, 3.0}, {100, 0.5}}), NotBetter);
  EXPECT_EQ(verdictOn({{1, 30.0}, {31, 0.8}}), Better) << "one that was disturbed";
}

/// A kernel that is launched for different things.
TEST(Comparisons, WeighWhatIsLostElsewhere) {
  using enum Comparison::Verdict;
  const auto verdictOnMix = [](double often, double seldom) {
    Comparison comparison;
    for (int i = 0; comparison.verdict() == Open && i < 1000; ++i)
      comparison.add(i % 12 == 7 ? seldom : often);
    return comparison.verdict();
  };
  EXPECT_EQ(verdictOnMix(0.9, 6), NotBetter);
  EXPECT_EQ(verdictOnMix(0.9, 1.3), Better);
  EXPECT_EQ(verdictOnMix(0.5, 3), Better);
  EXPECT_EQ(verdictOnMix(1.1, 0.2), NotBetter) << "what is won seldom is not enough by itself";
}

TEST(Comparisons, OfEqualCodeEndWithoutAWinner) {
  Comparison comparison;
  for (int i = 0; comparison.verdict() == Comparison::Verdict::Open; ++i) {
    ASSERT_LT(i, 1000);
    comparison.add(i % 2 == 0 ? 0.5 : 1.4);
  }
  EXPECT_EQ(comparison.verdict(), Comparison::Verdict::NotBetter);
}

/// Has code for some widths, which it makes when it is asked to go on.
class FakeHost final : public TrialHost {
 public:
  bool post(WidthTrial&) noexcept override {
    ++posts;
    return accepts;
  }
  Made make(uint32_t width, nanoseconds limit) override {
    EXPECT_GT(limit, nanoseconds(0));
    asked.push_back(width);
    const ThreadClock clock = ThreadClock::ofThisThread();
    while (clock.used() < std::min(needs, limit)) {
    }
    if (isBusy || needs > limit) return {.isLater = true};
    const auto found = codes.find(width);
    return {.code = found == codes.end() ? nullptr : &found->second};
  }
  void remember(const TrialRecord& record) override { ending = record; }

  bool accepts = true, isBusy = false;
  nanoseconds needs{0};  ///< to make one
  int posts = 0;
  std::vector<uint32_t> asked;
  std::map<uint32_t, Variant> codes;
  std::optional<TrialRecord> ending;
};

class WidthTrials : public ::testing::Test {
 protected:
  WidthTrial trialOf(std::vector<uint32_t> widths, bool isEager = false) {
    return {host, code, std::move(widths), milliseconds(10), isEager};
  }
  static void compare(WidthTrial& trial, double ratio, int pairs) {
    for (int i = 0; i < pairs; ++i) {
      if (const abi::MachineCode* rival = rivalOf(trial))
        trial.compared(*trial.best(), *rival, {.best = 1, .rival = ratio});
      trial.spent(tuning::trials::kBetweenPairs);
    }
  }

  FakeHost host;
  Variant code;
};

TEST_F(WidthTrials, BeginWhenTheKernelHasRunForLong) {
  host.codes[16].width = 16;
  WidthTrial trial = trialOf({16});
  EXPECT_EQ(trial.best(), &code);
  trial.spent(milliseconds(100));
  EXPECT_EQ(host.posts, 0);
  EXPECT_EQ(rivalOf(trial), nullptr);
  trial.spent(milliseconds(100));
  EXPECT_EQ(host.posts, 1);
  trial.spent(seconds(1));
  EXPECT_EQ(host.posts, 1) << "it is on its way";
  trial.proceed();
  EXPECT_EQ(rivalOf(trial), &host.codes[16]);
  EXPECT_EQ(trial.rival(false, milliseconds(4)), nullptr) << "a call could take too long";
  EXPECT_EQ(trial.rival(true, milliseconds(4)), nullptr);
}

TEST_F(WidthTrials, TakeTheBestOfAll) {
  for (const uint32_t width : {4, 8, 16, 32}) host.codes[width].width = width;
  host.codes[4].frameBytes = abi::kDirectFrameBytes + 1;
  WidthTrial trial = trialOf({2, 4, 8, 16, 32});
  const auto next = [&] {
    trial.spent(seconds(10));
    trial.proceed();
  };
  next();
  ASSERT_EQ(rivalOf(trial), &host.codes[8]) << "there is none of 2, and 4 needs a stack";
  compare(trial, 0.7, 40);
  EXPECT_EQ(trial.best(), &host.codes[8]);
  EXPECT_EQ(rivalOf(trial), nullptr);
  next();
  ASSERT_EQ(rivalOf(trial), &host.codes[16]);
  compare(trial, 1.3, 40);
  EXPECT_EQ(trial.best(), &host.codes[8]);
  next();
  compare(trial, 0.8, 40);
  EXPECT_EQ(trial.best(), &host.codes[32]);
  EXPECT_FALSE(trial.isOver());
  trial.spent(nanoseconds(1));
  trial.proceed();
  EXPECT_TRUE(trial.isOver());
  ASSERT_TRUE(host.ending);
  EXPECT_EQ(host.ending->width, 32u);
  EXPECT_EQ(host.ending->report, "8: 1.43 (taken), 16: 0.77, 32: 1.25 (taken)");
}

TEST_F(WidthTrials, LoseLittle) {
  host.codes[16].width = 16;
  WidthTrial trial = trialOf({16});
  trial.spent(milliseconds(200));
  trial.proceed();
  ASSERT_NE(rivalOf(trial), nullptr);
  trial.compared(code, host.codes[16], {.best = 1, .rival = 1, .lost = milliseconds(6)});
  EXPECT_EQ(trial.rival(true, nanoseconds(1)), nullptr) << "a fortieth is lost";
  trial.spent(milliseconds(200));
  EXPECT_NE(rivalOf(trial), nullptr);
  trial.compared(code, code, {.lost = milliseconds(6), .isWarmUp = true});
  EXPECT_EQ(trial.rival(true, nanoseconds(1)), nullptr) << "whatever it was lost for";
}

TEST_F(WidthTrials, ComparePairsFromAllOverTheKernelsTime) {
  host.codes[16].width = 16;
  WidthTrial trial = trialOf({16});
  trial.spent(milliseconds(200));
  trial.proceed();
  const abi::MachineCode* const rival = rivalOf(trial);
  ASSERT_NE(rival, nullptr);
  trial.compared(code, *rival, {.best = 1, .rival = 1, .isWarmUp = true});
  EXPECT_EQ(rivalOf(trial), rival);
  trial.compared(code, *rival, {.best = 1, .rival = 1});
  trial.compared(code, *rival, {.best = 1, .rival = 1});  // another slot's
  trial.spent(tuning::trials::kBetweenPairs);
  EXPECT_EQ(rivalOf(trial), nullptr);
  EXPECT_EQ(trial.rival(/*isUnderWay=*/true, nanoseconds(1)), rival) << "what has begun goes on";
  trial.spent(tuning::trials::kBetweenPairs);
  EXPECT_EQ(rivalOf(trial), rival);
}

TEST_F(WidthTrials, WaitWhileThereIsOtherWork) {
  host.codes[16].width = 16;
  host.isBusy = true;
  WidthTrial trial = trialOf({16});
  trial.spent(milliseconds(200));
  trial.proceed();
  EXPECT_EQ(rivalOf(trial), nullptr);
  trial.spent(milliseconds(100));
  EXPECT_EQ(host.posts, 1);
  trial.spent(milliseconds(100));
  EXPECT_EQ(host.posts, 2) << "they come again";
  host.isBusy = false;
  trial.proceed();
  EXPECT_EQ(rivalOf(trial), &host.codes[16]);
  EXPECT_EQ(host.asked, (std::vector<uint32_t>{16, 16}));
}

TEST_F(WidthTrials, GiveUpWhatTakesTooLongUntilItIsWorthIt) {
  host.codes[16].width = 16;
  host.needs = milliseconds(50);
  WidthTrial trial = trialOf({16});  // at 10 ms
  trial.spent(milliseconds(200));
  trial.proceed();
  EXPECT_EQ(rivalOf(trial), nullptr);
  trial.spent(milliseconds(400));
  EXPECT_EQ(host.posts, 1);
  trial.spent(milliseconds(200));
  ASSERT_EQ(host.posts, 2) << "20 times 30 ms later";
  trial.proceed();
  EXPECT_EQ(rivalOf(trial), &host.codes[16]);
}

/// Makes code at once, on whatever thread asks for it.
class ReadyHost final : public TrialHost {
 public:
  bool post(WidthTrial& trial) noexcept override {
    trial.proceed();
    return true;
  }
  Made make(uint32_t width, nanoseconds) override { return {.code = &codes.at(width)}; }
  void remember(const TrialRecord& record) override { ending = record; }

  std::map<uint32_t, Variant> codes;
  std::optional<TrialRecord> ending;
};

/// As slots do, which tell of their pairs and begin others whenever they like.
TEST(WidthTrialThreads, LeadATrialToItsEndTogether) {
  for (int round = 0; round < 100; ++round) {
    ReadyHost host;
    const std::vector<uint32_t> widths{1, 4, 8, 16};
    for (const uint32_t width : widths) host.codes[width].width = width;
    Variant code;
    WidthTrial trial(host, code, widths, milliseconds(1), /*isEager=*/round % 2 != 0);
    std::vector<std::thread> slots;
    for (int i = 0; i < 4; ++i)
      slots.emplace_back([&] {
        while (!trial.isOver()) {
          const abi::MachineCode* const best = trial.best();
          if (const abi::MachineCode* rival = rivalOf(trial))
            trial.compared(*best, *rival,
                           {.best = 1, .rival = rival == &host.codes[8] ? 0.5 : 1.5});
          trial.spent(milliseconds(2));
        }
      });
    for (std::thread& slot : slots) slot.join();
    EXPECT_EQ(trial.best(), &host.codes[round % 2 != 0 ? 16 : 8]);
  }
}

TEST_F(WidthTrials, EndWhereNobodyCanMakeCode) {
  host.accepts = false;
  WidthTrial trial = trialOf({16});
  trial.spent(seconds(1));
  EXPECT_TRUE(trial.isOver());
  EXPECT_EQ(trial.best(), &code);
}

TEST_F(WidthTrials, IgnoreWhatIsOutOfDate) {
  host.codes[16].width = 16;
  WidthTrial trial = trialOf({16});
  trial.spent(seconds(1));
  trial.proceed();
  Variant other;
  for (int i = 0; i < 40; ++i) {
    trial.compared(other, host.codes[16], {.best = 1, .rival = 0.1});
    trial.compared(code, other, {.best = 1, .rival = 0.1});
  }
  EXPECT_EQ(trial.best(), &code);
}

TEST(TrialRecords, SurviveOnlyWhole) {
  TrialRecords records;
  records[3] = TrialRecord{.width = 16, .report = "16: 1.20 (taken)"};
  records[0] = TrialRecord{};
  const std::string bytes = records.encode();
  const auto span = std::as_bytes(std::span(bytes));
  const auto decoded = TrialRecords::decode(span);
  ASSERT_TRUE(decoded);
  for (size_t each = 0; each < records.size(); ++each)
    EXPECT_EQ((*decoded)[each].has_value(), records[each].has_value()) << each;
  EXPECT_EQ((*decoded)[3]->width, 16u);
  EXPECT_EQ((*decoded)[3]->report, records[3]->report);
  for (size_t size = 0; size < span.size(); ++size)
    EXPECT_FALSE(TrialRecords::decode(span.first(size))) << size;
  for (const uint32_t width : {3u, 128u, 1u << 31}) {
    records[3]->width = width;
    const std::string wrong = records.encode();
    EXPECT_FALSE(TrialRecords::decode(std::as_bytes(std::span(wrong))));
  }
}

/// Trials of compiled code.
class StoreTrials : public ::testing::Test {
 protected:
  StoreTrials() {
    options.trials = TrialMode::On;
    options.cacheEnabled = true;
    options.cacheDirectory = cache.path();
    options.features.emplace_back("__opencl_c_subgroups");
  }
  void SetUp() override {
    compiler = createCompiler(options);
    program = programOf(compiler->build(kSource, "-cl-std=CL3.0"));
  }
  const Variant* variant(const VariantKey& key = kFlat, size_t kernel = 0, uint64_t items = 0) {
    auto made = program->variant(kernel, key, {.items = items});
    EXPECT_TRUE(made) << made.error().log;
    return made ? *made : nullptr;
  }
  /// Has the kernel run for long, and its rivals be `ratio` times as slow, until the trial ends.
  static int finish(abi::CodeTrial& trial, const std::function<double(int)>& ratioOf) {
    int rivals = 0;
    const auto end = std::chrono::steady_clock::now() + seconds(120);
    while (!trial.isOver() && std::chrono::steady_clock::now() < end) {
      trial.spent(seconds(100));
      const abi::MachineCode* const rival = rivalOf(trial);
      if (rival == nullptr) {
        std::this_thread::sleep_for(milliseconds(1));
        continue;
      }
      const double ratio = ratioOf(rivals++);
      for (int i = 0; i < 100 && trial.rival(true, nanoseconds(1)) == rival; ++i)
        trial.compared(*trial.best(), *rival, {.best = 1, .rival = ratio});
    }
    EXPECT_TRUE(trial.isOver());
    return rivals;
  }

  static constexpr VariantKey kFlat{.form = Form::Flat, .width = 0, .subGroupSize = 16};
  static constexpr const char* kSource =
      "kernel void add(global float* p, global float* q) {\n"
      "  int i = get_global_id(0);\n"
      "  float x = q[i]; for (int k = 0; k < 9; ++k) x = x * x + p[i]; p[i] = x; }\n"
      "kernel void groups(global int* p) { p[get_global_id(0)] = get_sub_group_local_id(); }\n";
  PrivateDirectory cache;
  CompilerOptions options = deviceOptions();
  std::unique_ptr<Compiler> compiler;
  Ref<Program> program;
};

TEST_F(StoreTrials, MakeDifferentCodeAndKeepTheBest) {
  const Variant* const made = variant();
  ASSERT_NE(made->trials[0], nullptr);
  const int rivals = finish(*made->trials[0], [](int n) { return n == 1 ? 0.5 : 1.1; });
  EXPECT_GE(rivals, 2);
  EXPECT_NE(made->trials[0]->best(), made);
  EXPECT_EQ(variant(), made->trials[0]->best());
  const auto explanation = program->explain(0, kFlat);
  ASSERT_TRUE(explanation);
  EXPECT_NE(explanation->find("2.00 (taken)"), std::string::npos) << *explanation;
}

TEST_F(StoreTrials, AreRememberedByTheDiskCache) {
  const Variant* const made = variant();
  finish(*made->trials[0], [](int n) { return n == 0 ? 0.5 : 1.1; });
  const uint32_t width = variant()->key.width;
  EXPECT_NE(width, 0u) << "who asks after the trial gets the winner";
  const auto taken = program->explain(0, kFlat);
  program = {};
  SetUp();
  EXPECT_EQ(variant()->key.width, width);
  EXPECT_EQ(variant()->trials[0], nullptr) << "there is no more to try";
  const auto later = program->explain(0, kFlat);
  ASSERT_TRUE(later && taken);
  EXPECT_EQ(*later, *taken);
  options.trials = TrialMode::Off;
  program = {};
  SetUp();
  EXPECT_EQ(variant()->key.width, 0u) << "without trials all is as the compiler chooses";
  EXPECT_EQ(variant()->trials[0], nullptr);
}

TEST_F(StoreTrials, AreOfLaunchesOfOneClass) {
  const uint64_t few = 1000, many = 1'000'000;
  const size_t ofMany = abi::rangeClassOf(many);
  const Variant* const made = variant(kFlat, 0, many);
  ASSERT_NE(made->trials[ofMany], made->trials[0]);
  finish(*made->trials[ofMany], [](int n) { return n == 0 ? 0.5 : 1.1; });
  EXPECT_EQ(made->trials[0]->best(), made);
  EXPECT_FALSE(made->trials[0]->isOver());
  finish(*made->trials[0], [](int n) { return n == 1 ? 0.5 : 1.1; });
  const auto check = [&] {
    const uint32_t width = variant(kFlat, 0, many)->key.width;
    EXPECT_NE(width, 0u);
    EXPECT_NE(variant(kFlat, 0, few)->key.width, 0u);
    EXPECT_NE(variant(kFlat, 0, few)->key.width, width);
    EXPECT_EQ(variant(kFlat, 0, uint64_t{1} << 40)->key.width, 0u) << "nobody has tried";
  };
  check();
  const Variant* const first = variant(kFlat, 0, many);
  EXPECT_EQ(first->trials, abi::CodeTrials{});
  program = {};
  SetUp();
  check();
  const Variant* const own = variant(kFlat, 0, uint64_t{1} << 40);
  EXPECT_EQ(own->trials[0], nullptr) << "what is known is not tried again";
  EXPECT_NE(own->trials[abi::kRangeClasses - 1], nullptr);
  const auto explanation = program->explain(0, kFlat);
  ASSERT_TRUE(explanation);
  EXPECT_NE(explanation->find("ranges of 262144 work-items and more, below 1048576: other widths"),
            std::string::npos)
      << *explanation;
  EXPECT_NE(explanation->find("ranges of fewer work-items than 4096: other widths"),
            std::string::npos)
      << *explanation;
}

TEST(RangeClasses, HaveFourTimesAsMuchEach) {
  EXPECT_EQ(abi::rangeClassOf(0), 0u);
  EXPECT_EQ(abi::rangeClassOf(UINT64_MAX), abi::kRangeClasses - 1);
  for (size_t each = 1; each < abi::kRangeClasses; ++each) {
    const uint64_t least = abi::leastItemsOfClass(each);
    EXPECT_EQ(abi::rangeClassOf(least), each);
    EXPECT_EQ(abi::rangeClassOf(least - 1), each - 1);
    EXPECT_EQ(abi::rangeClassOf(4 * least - 1), each);
  }
}

TEST_F(StoreTrials, HappenOnlyWhereResultsStayTheSame) {
  EXPECT_EQ(variant({.form = Form::Flat, .width = 8, .subGroupSize = 16})->trials[0], nullptr);
  EXPECT_EQ(variant({.form = Form::Fibers, .width = 0, .subGroupSize = 16})->trials[0], nullptr);
  EXPECT_EQ(variant({.form = Form::GroupLoop, .width = 0, .subGroupSize = 16}, 1)->trials[0],
            nullptr)
      << "sub-groups are made of lanes";
  program = programOf(compiler->build(kSource, "-cl-std=CL3.0 -cl-fast-relaxed-math"));
  EXPECT_EQ(variant()->trials[0], nullptr);
  program = programOf(compiler->build(kSource, "-cl-std=CL3.0 -cl-opt-disable"));
  EXPECT_EQ(variant()->trials[0], nullptr);
}

TEST_F(StoreTrials, EndWithTheirProgram) {
  const Variant* const made = variant();
  made->trials[0]->spent(seconds(100));  // the first rival is under way
  program = {};
  SetUp();
  ASSERT_NE(variant()->trials[0], nullptr);
  variant()->trials[0]->spent(seconds(100));
  compiler.reset();
  program = {};
}

TEST_F(StoreTrials, AChildKeepsWhatIsKnown) {
  const Variant* const made = variant();
  made->trials[0]->spent(seconds(100));
  compiler->prepareFork();
  const pid_t child = ::fork();
  if (child == 0) {
    compiler->afterForkInChild();
    abi::CodeTrial& trial = *made->trials[0];
    for (int i = 0; i < 1000; ++i) trial.spent(seconds(100));
    _exit(trial.best() == made && variant() == made ? 0 : 1);
  }
  compiler->afterForkInParent();
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  finish(*made->trials[0], [](int) { return 1.1; });
}

}  // namespace
}  // namespace weft::compiler::testing
