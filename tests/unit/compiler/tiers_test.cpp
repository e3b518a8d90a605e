// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quick code first, final code later: what is given when, and what happens to the work behind it
// when its program, its process or its compiler ends.
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string_view>
#include <thread>
#include <vector>

#include "compiler_fixture.h"
#include "driver/tier_policy.h"
#include "weft/support/log.h"

namespace weft::compiler::testing {
namespace {

using Clock = std::chrono::steady_clock;

/// A kernel whose optimisation takes long enough to be seen, and whose quick code does not.
std::string slowSource(int statements = 8) {
  std::string source = "kernel void slow(global int* p) { int i = get_global_id(0); float x = i;\n";
  for (int i = 0; i < statements; ++i)
    source += "for (int k = 0; k < " + std::to_string(5 + i % 3) + "; ++k) x = x * p[(i + k) & " +
              std::to_string(i + 1) + "] + " + std::to_string(i) + ".5f;\n";
  return source + "p[i] = (int)x; }";
}

/// Runs a flat variant over `items` work-items with one buffer argument.
std::vector<int> runFlat(const abi::MachineCode& code, size_t items) {
  abi::Launch launch{};
  launch.workDim = 1;
  launch.subGroupSize = 16;
  for (int d = 0; d < 3; ++d)
    launch.globalSize[d] = launch.enqueuedLocalSize[d] = launch.numGroups[d] = 1;
  launch.globalSize[0] = launch.enqueuedLocalSize[0] = items;
  struct alignas(128) Block {
    void* buffer;
  } block;
  std::vector<int> data(1024);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i % 3);
  block.buffer = data.data();
  launch.arguments = &block;
  abi::Group group{};
  group.launch = &launch;
  for (int d = 0; d < 3; ++d) group.localSize[d] = group.boxEnd[d] = 1;
  group.localSize[0] = group.boxEnd[0] = items;
  code.groupEntry(&group);
  return data;
}

const Variant* await(const Variant& quick) {
  const auto end = Clock::now() + std::chrono::seconds(120);
  while (!quick.better.load() && quick.provisional && Clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return static_cast<const Variant*>(quick.better.load());
}

class TiersTest : public ::testing::Test {
 protected:
  static std::unique_ptr<Compiler> compilerWith(Tiers tiers) {
    CompilerOptions options = deviceOptions();
    options.tiers = tiers;
    return createCompiler(options);
  }
  static const Variant* variantOf(const Ref<Program>& program) {
    const auto variant = program->variant(0, kFlat);
    EXPECT_TRUE(variant) << variant.error().log;
    return variant ? *variant : nullptr;
  }

  static constexpr VariantKey kFlat{.form = Form::Flat, .width = 1, .subGroupSize = 16};
};

TEST_F(TiersTest, CheapKernelsHaveFinalCodeAtOnce) {
  const auto compiler = compilerWith(Tiers::Auto);
  const Ref<Program> program = programOf(compiler->build(kOneLine, ""));
  ASSERT_TRUE(program);
  // A busy machine may miss the time.
  for (int attempt = 0; attempt < 50; ++attempt) {
    const Ref<Program> other = programOf(compiler->build(kOneLine, ""));
    const Variant* variant = variantOf(other);
    ASSERT_TRUE(variant);
    if (variant->tier == Tier::Final) {
      EXPECT_FALSE(variant->provisional);
      return;
    }
  }
  GTEST_SKIP() << "this machine is too slow to compile a kernel of one line in time";
}

TEST_F(TiersTest, QuickCodeComesFirstAndFinalCodeReplacesIt) {
  const auto compiler = compilerWith(Tiers::Auto);
  const Ref<Program> program = programOf(compiler->build(slowSource(), ""));
  ASSERT_TRUE(program);
  const Variant* quick = variantOf(program);
  ASSERT_TRUE(quick);
  ASSERT_EQ(quick->tier, Tier::Quick);
  EXPECT_TRUE(quick->provisional);
  const std::vector<int> first = runFlat(*quick, 100);
  const Variant* final = await(*quick);
  ASSERT_TRUE(final);
  EXPECT_EQ(final->tier, Tier::Final);
  EXPECT_EQ(final->key, quick->key);
  EXPECT_FALSE(final->provisional);
  EXPECT_EQ(variantOf(program), final);
  EXPECT_EQ(runFlat(*final, 100), first);
  EXPECT_EQ(runFlat(*quick, 100), first) << "what was given stays valid";
}

TEST_F(TiersTest, ArithmeticThatMayChangeWaitsForFinalCode) {
  const auto compiler = compilerWith(Tiers::Auto);
  for (const char* options : {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations"}) {
    const Ref<Program> program = programOf(compiler->build(slowSource(8), options));
    ASSERT_TRUE(program);
    EXPECT_TRUE(program->kernels()[0].relaxedMath) << options;
    const auto start = Clock::now();
    const Variant* variant = variantOf(program);
    ASSERT_TRUE(variant);
    // On a machine that has no time for it, quick code comes after all.
    if (variant->tier != Tier::Final)
      EXPECT_GE(Clock::now() - start, tier_policy::kConsistencyPatience) << options;
  }
  const Ref<Program> exact = programOf(compiler->build(slowSource(), "-cl-denorms-are-zero"));
  ASSERT_TRUE(exact);
  EXPECT_FALSE(exact->kernels()[0].relaxedMath);
}

TEST_F(TiersTest, LaunchesThatWouldBeLongWaitForFinalCode) {
  const auto compiler = compilerWith(Tiers::Auto);
  const LaunchOutlook isLong{.quickTime = std::chrono::minutes(10)};
  const LaunchOutlook isMeasured{.quickTime = std::chrono::milliseconds(1), .measured = true};
  int statements = 8;
  for (const LaunchOutlook& outlook : {isLong, isMeasured}) {
    const Ref<Program> program = programOf(compiler->build(slowSource(++statements), ""));
    ASSERT_TRUE(program);
    const auto first = program->variant(0, kFlat, outlook);
    ASSERT_TRUE(first);
    EXPECT_EQ((*first)->tier, Tier::Final);
    EXPECT_EQ(variantOf(program), *first);
  }
  // Also after one that did not.
  for (const LaunchOutlook& outlook : {isLong, isMeasured}) {
    const Ref<Program> program = programOf(compiler->build(slowSource(++statements), ""));
    ASSERT_TRUE(program);
    const Variant* quick = variantOf(program);
    ASSERT_TRUE(quick);
    const auto second = program->variant(0, kFlat, outlook);
    ASSERT_TRUE(second);
    EXPECT_EQ((*second)->tier, Tier::Final);
    EXPECT_EQ(quick->tier == Tier::Quick ? quick->better.load() : quick, *second);
  }
}

TEST_F(TiersTest, LaunchesWaitNoLongerThanTheyWouldRun) {
  using std::chrono::milliseconds;
  EXPECT_EQ(tier_policy::patienceFor({}), milliseconds(0));
  EXPECT_EQ(tier_policy::patienceFor({.quickTime = tier_policy::kPatience / 2}), milliseconds(0));
  EXPECT_EQ(tier_policy::patienceFor({.quickTime = milliseconds(300)}), milliseconds(300));
  EXPECT_EQ(tier_policy::patienceFor({.quickTime = std::chrono::hours(30)}),
            tier_policy::kLongestPatience);
  // What takes microseconds may be asked for its time, too.
  EXPECT_EQ(
      tier_policy::patienceFor({.quickTime = tier_policy::kWorthMeasuring / 2, .measured = true}),
      milliseconds(0));
}

TEST_F(TiersTest, QuickCodeIsGivenToOthersWhileOneWaits) {
  const auto compiler = compilerWith(Tiers::Auto);
  const Ref<Program> program = programOf(compiler->build(slowSource(60), ""));
  ASSERT_TRUE(program);
  std::atomic<const Variant*> patient = nullptr;
  std::thread waiter([&] {
    const auto code = program->variant(0, kFlat, {.quickTime = std::chrono::minutes(10)});
    if (code) patient = *code;
  });
  const Variant* first = variantOf(program);
  EXPECT_TRUE(first);
  if (first && first->tier == Tier::Quick) EXPECT_EQ(runFlat(*first, 100).size(), 1024u);
  waiter.join();
  ASSERT_TRUE(patient.load());
  EXPECT_EQ(patient.load()->tier, Tier::Final);
  if (first) EXPECT_EQ(runFlat(*first, 100), runFlat(*patient.load(), 100));
}

TEST_F(TiersTest, EachTierCanBeAskedFor) {
  const auto quickly = compilerWith(Tiers::Quick), finally = compilerWith(Tiers::Final);
  const Ref<Program> one = programOf(quickly->build(slowSource(5), ""));
  const Ref<Program> other = programOf(finally->build(slowSource(5), ""));
  ASSERT_TRUE(one && other);
  const Variant* quick = variantOf(one);
  const Variant* final = variantOf(other);
  ASSERT_TRUE(quick && final);
  EXPECT_EQ(quick->tier, Tier::Quick);
  EXPECT_FALSE(quick->provisional);
  EXPECT_EQ(final->tier, Tier::Final);
  EXPECT_EQ(runFlat(*quick, 100), runFlat(*final, 100));
}

TEST_F(TiersTest, OnlyFinalCodeGoesToDisk) {
  PrivateDirectory cache;
  CompilerOptions options = deviceOptions();
  options.cacheEnabled = true;
  options.cacheDirectory = cache.path();
  const auto tierOf = [&](Tiers tiers) {
    options.tiers = tiers;
    const auto compiler = createCompiler(options);
    const Ref<Program> program = programOf(compiler->build(slowSource(6), ""));
    return variantOf(program)->tier;
  };
  EXPECT_EQ(tierOf(Tiers::Quick), Tier::Quick);
  EXPECT_EQ(tierOf(Tiers::Quick), Tier::Quick);
  EXPECT_EQ(tierOf(Tiers::Final), Tier::Final);
  EXPECT_EQ(tierOf(Tiers::Quick), Tier::Final) << "what is on disk costs less than quick code";
  EXPECT_EQ(tierOf(Tiers::Auto), Tier::Final);
}

TEST_F(TiersTest, ProgramsAndCompilersEndWhileFinalCodeIsMade) {
  for (int round = 0; round < 4; ++round) {
    auto compiler = compilerWith(Tiers::Auto);
    Ref<Program> program = programOf(compiler->build(slowSource(8 + round), ""));
    ASSERT_TRUE(program);
    ASSERT_TRUE(variantOf(program));
    if (round % 2) {
      program = nullptr;
      compiler.reset();
    } else {
      compiler.reset();
      EXPECT_TRUE(variantOf(program)) << "programs outlive their compiler";
    }
  }
}

TEST_F(TiersTest, QuickCodeStaysWhereThereWillBeNoFinalCode) {
  const auto compiler = compilerWith(Tiers::Auto);
  const Ref<Program> program = programOf(compiler->build(slowSource(), ""));
  ASSERT_TRUE(program);
  const Variant* quick = variantOf(program);
  ASSERT_TRUE(quick && quick->tier == Tier::Quick);
  const auto begin = Clock::now();
  compiler->finishPosted();
  const std::chrono::duration<double> waited = Clock::now() - begin;
  RecordProperty("waited", std::to_string(waited.count()));
  EXPECT_FALSE(quick->provisional && !quick->better);
  EXPECT_TRUE(variantOf(program));
  EXPECT_EQ(runFlat(*quick, 10), runFlat(*variantOf(program), 10));
}

TEST_F(TiersTest, QuickCodeStaysWhereFinalCodeCannotBeMade) {
  // Only the optimiser makes calls of memset, from loops, and here there is none to link to.
  CompilerOptions options = deviceOptions();
  std::vector<abi::ServiceSymbol> services(options.services.begin(), options.services.end());
  std::erase_if(services, [](const abi::ServiceSymbol& service) {
    return std::string_view(service.name) == "memset";
  });
  options.services = services;
  for (const int statements : {0, 8}) {
    std::string source = slowSource(statements);
    source.insert(source.rfind('}'),
                  "int n = p[600] + 70; for (int k = 0; k < n; ++k) p[700 + k] = 0; ");
    options.tiers = Tiers::Final;
    const auto strict = createCompiler(options);
    const Ref<Program> failing = programOf(strict->build(source, ""));
    ASSERT_TRUE(failing);
    EXPECT_FALSE(failing->variant(0, kFlat));
    EXPECT_FALSE(failing->variant(0, kFlat)) << "and the same when asked again";
    options.tiers = Tiers::Auto;
    const auto compiler = createCompiler(options);
    const Ref<Program> program = programOf(compiler->build(source, ""));
    ASSERT_TRUE(program);
    const Variant* quick = variantOf(program);
    ASSERT_TRUE(quick);
    EXPECT_EQ(quick->tier, Tier::Quick);
    EXPECT_FALSE(await(*quick));
    EXPECT_FALSE(quick->provisional);
    EXPECT_EQ(variantOf(program), quick);
    EXPECT_EQ(runFlat(*quick, 1)[750], 0);
  }
}

TEST_F(TiersTest, ManyThreadsAskForOneVariant) {
  const auto compiler = compilerWith(Tiers::Auto);
  const Ref<Program> program = programOf(compiler->build(slowSource(9), ""));
  ASSERT_TRUE(program);
  std::vector<std::thread> askers;
  for (int t = 0; t < 4; ++t)
    askers.emplace_back([&] {
      const Variant* variant = variantOf(program);
      ASSERT_TRUE(variant);
      if (variant->tier == Tier::Quick) EXPECT_TRUE(await(*variant));
    });
  for (std::thread& asker : askers) asker.join();
}

TEST_F(TiersTest, AChildMakesTheFinalCodeItself) {
  const auto compiler = compilerWith(Tiers::Auto);
  const Ref<Program> program = programOf(compiler->build(slowSource(), ""));
  const Ref<Program> other = programOf(compiler->build(slowSource(7), ""));
  ASSERT_TRUE(program && other);
  const Variant* quick = variantOf(program);
  ASSERT_TRUE(quick);
  ASSERT_TRUE(variantOf(other));
  compiler->prepareFork();
  const pid_t pid = ::fork();
  if (pid == 0) {
    compiler->afterForkInChild();
    ::alarm(100);
    bool good = true;
    for (const Ref<Program>& each : {program, other}) {
      const auto variant = each->variant(0, kFlat);
      good &= variant && ((*variant)->tier == Tier::Final || await(**variant));
    }
    ::_exit(good ? 0 : 1);
  }
  compiler->afterForkInParent();
  int status = -1;
  ::waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_TRUE(quick->tier == Tier::Final || await(*quick));
}

TEST_F(TiersTest, UnloadLeavesBackgroundWorkAlone) {
  const auto compiler = compilerWith(Tiers::Auto);
  const Ref<Program> program = programOf(compiler->build(slowSource(9), ""));
  ASSERT_TRUE(program);
  const Variant* quick = variantOf(program);
  ASSERT_TRUE(quick);
  compiler->unload();
  EXPECT_TRUE(quick->tier == Tier::Final || await(*quick));
}

/// Warnings of the log while it lives.
class Warnings {
 public:
  Warnings() {
    count_ = 0;
    log::configure(log::Level::Warning, [](log::Level, std::string_view) noexcept { ++count_; });
  }
  ~Warnings() { log::configure(log::Level::Off, nullptr); }
  static int count() { return count_; }

 private:
  static inline std::atomic<int> count_{0};
};

// Collectives that may be reached by whole groups of one size or other are tried, and nobody is to
// blame where they are not.
TEST_F(TiersTest, BarrierLoopsOfTheWrongSizeAreNoFault) {
  std::string source =
      "int __attribute__((overloadable)) work_group_reduce_add(int);\n" + slowSource();
  source.insert(source.rfind('}'), "if (get_local_id(0) < 8) p[i] += work_group_reduce_add(1); ");
  const Warnings warnings;
  for (const Tiers tiers : {Tiers::Final, Tiers::Quick, Tiers::Auto}) {
    const auto compiler = compilerWith(tiers);
    const Ref<Program> program = programOf(compiler->build(source, ""));
    ASSERT_TRUE(program);
    EXPECT_TRUE(program->kernels()[0].barrierLoopsOnTrial);
    VariantKey key{
        .form = Form::BarrierLoops, .width = 0, .subGroupSize = 16, .localSize = {8, 1, 1}};
    const auto suited = program->variant(0, key);
    EXPECT_TRUE(suited) << suited.error().log;
    key.localSize[0] = 9;
    for (int i = 0; i < 2; ++i) {
      const auto unsuited = program->variant(0, key);
      ASSERT_FALSE(unsuited);
      EXPECT_EQ(unsuited.error().kind, ErrorKind::Unsuited) << unsuited.error().log;
    }
    compiler->finishPosted();
  }
  EXPECT_EQ(warnings.count(), 0);
}

TEST_F(TiersTest, CodeForAnyRowsServesWholeRows) {
  const auto compiler = compilerWith(Tiers::Final);
  const VariantKey whole{.form = Form::Flat, .width = 0, .subGroupSize = 16, .wholeRows = true};
  for (const bool anyFirst : {false, true}) {
    const Ref<Program> program = programOf(compiler->build(kOneLine, ""));
    ASSERT_TRUE(program);
    if (anyFirst) EXPECT_TRUE(program->variant(0, whole.forAnyRows()));
    const auto variant = program->variant(0, whole);
    ASSERT_TRUE(variant) << variant.error().log;
    EXPECT_EQ((*variant)->key.wholeRows, !anyFirst);
    const std::vector<int> result = runFlat(**variant, 128);
    EXPECT_EQ(runFlat(**program->variant(0, whole.forAnyRows()), 128), result);
  }
}

TEST_F(TiersTest, AKernelIsSpecialisedOnABoundedNumberOfSizes) {
  const auto compiler = compilerWith(Tiers::Quick);
  const Ref<Program> program = programOf(compiler->build(
      "kernel void k(global int* p, local int* t) { t[get_local_id(0)] = p[get_global_id(0)];"
      "barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = t[0]; }",
      ""));
  ASSERT_TRUE(program);
  VariantKey key{.form = Form::BarrierLoops, .width = 1, .subGroupSize = 16};
  for (uint32_t size = 1; size <= kMaxLocalSizes; ++size) {
    key.localSize = {size, 1, 1};
    EXPECT_TRUE(program->variant(0, key)) << size;
  }
  key.localSize = {kMaxLocalSizes + 1, 1, 1};
  const auto refused = program->variant(0, key);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::TooMany);
  key.localSize = {3, 1, 1};
  EXPECT_TRUE(program->variant(0, key)) << "what there is stays";
  EXPECT_TRUE(program->variant(0, {.form = Form::Fibers, .width = 1, .subGroupSize = 16}));
}

TEST_F(TiersTest, AKernelIsSpecialisedOnABoundedNumberOfImages) {
  const auto compiler = compilerWith(Tiers::Quick);
  const Ref<Program> program =
      programOf(compiler->build("kernel void k(global int* p) { p[get_global_id(0)] = 1; }", ""));
  ASSERT_TRUE(program);
  VariantKey key{.form = Form::Flat, .width = 1, .subGroupSize = 16};
  for (uint16_t format = 1; format <= kMaxImageClasses; ++format) {
    key.images = {format};
    EXPECT_TRUE(program->variant(0, key)) << format;
  }
  key.images = {uint16_t{kMaxImageClasses + 1}};
  const auto refused = program->variant(0, key);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::TooMany);
  key.images = {3};
  EXPECT_TRUE(program->variant(0, key)) << "what there is stays";
  key.images = {};
  EXPECT_TRUE(program->variant(0, key));
}

}  // namespace
}  // namespace weft::compiler::testing
