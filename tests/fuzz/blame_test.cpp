// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/blame.h"

#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>

#include "fuzz/generator.h"

namespace weft::fuzz {
namespace {

using compiler::FirstWrong;
using compiler::Trial;
using compiler::TrialOptions;
using Kind = compiler::FirstWrong::Kind;

/// What a compilation asks, without one: passes p0, p1... of which the form is one.
struct FakeKernel {
  size_t passes = 0;
  size_t form = 0;
  std::function<Trial(size_t ran, bool isFormed)> result;

  FirstWrong search() const {
    return compiler::findFirstWrong({.run =
                                         [&](const TrialOptions& trial) {
                                           llvm::LLVMContext context;
                                           llvm::Module module("", context);
                                           size_t ran = 0;
                                           for (size_t i = 0; i < passes; ++i) {
                                             const std::string name = "p" + std::to_string(i);
                                             const char* form_ = compiler::kFormStep;
                                             ran += trial.control.mayRun(i == form ? form_ : name,
                                                                         "f", module);
                                           }
                                           return result(ran, trial.isFormed);
                                         },
                                     .folder = ""});
  }
};

TEST(Blame, FindsEachPass) {
  constexpr size_t kPasses = 13, kForm = 4;
  for (size_t wrong = 1; wrong <= kPasses; ++wrong) {
    const FakeKernel kernel{kPasses, kForm, [&](size_t ran, bool isFormed) {
                              if (isFormed != (ran > kForm)) return Trial::NoCode;
                              return ran >= wrong ? Trial::Wrong : Trial::Right;
                            }};
    const FirstWrong found = kernel.search();
    ASSERT_EQ(found.kind, Kind::Pass);
    ASSERT_EQ(found.steps.size(), 1u);
    EXPECT_EQ(found.number, wrong);
    EXPECT_EQ(found.total, kPasses);
    EXPECT_EQ(found.steps[0].pass,
              wrong - 1 == kForm ? compiler::kFormStep : "p" + std::to_string(wrong - 1));
    EXPECT_EQ(found.steps[0].where, "f");
  }
}

TEST(Blame, NamesAllBetweenWhichNothingRuns) {
  const FakeKernel kernel{20, 3, [](size_t ran, bool) {
                            if (ran > 5 && ran < 9) return Trial::NoCode;
                            return ran >= 9 ? Trial::Wrong : Trial::Right;
                          }};
  const FirstWrong found = kernel.search();
  ASSERT_EQ(found.kind, Kind::Pass);
  EXPECT_EQ(found.number, 6u);
  EXPECT_EQ(found.steps.size(), 4u);
}

TEST(Blame, CrashesAreWrong) {
  const FakeKernel kernel{20, 3, [](size_t ran, bool) {
                            if (ran >= 17) _exit(77);
                            return Trial::Right;
                          }};
  const FirstWrong found = kernel.search();
  ASSERT_EQ(found.kind, Kind::Pass);
  EXPECT_EQ(found.steps[0].pass, "p16");
}

TEST(Blame, SaysWhenNoPassIsToBlame) {
  const auto always = [](Trial trial) {
    return FakeKernel{5, 1, [trial](size_t, bool) { return trial; }}.search().kind;
  };
  EXPECT_EQ(always(Trial::Right), Kind::NotWrong);
  EXPECT_EQ(always(Trial::Wrong), Kind::AnyPass);
  EXPECT_EQ(always(Trial::NoCode), Kind::Unknown);
}

TEST(Blame, LooksForTheModeOfAProgram) {
  const Program program = Generator(1).generate();
  EXPECT_EQ(blamePass(program, std::nullopt).kind, Kind::NotWrong);
}

/// A compilation in which one pass does something wrong, the first time it runs.
class Saboteur final : public compiler::PassControl {
 public:
  Saboteur(compiler::PassControl& control, std::string pass)
      : control_(control), pass_(std::move(pass)) {}

  bool mayRun(llvm::StringRef pass, llvm::StringRef where, llvm::Module& module) override {
    const bool runs = control_.mayRun(pass, where, module);
    isNext_ = runs && pass == pass_;
    return runs;
  }
  void ran(llvm::Module& module) override {
    if (isNext_ && !isDone_) isDone_ = spoil(module);
    isNext_ = false;
    control_.ran(module);
  }

 private:
  /// Whatever the kernel stores to its buffer is of another value.
  static bool spoil(llvm::Module& module) {
    llvm::SmallVector<llvm::Instruction*> stores;
    for (llvm::Function& function : module)
      for (llvm::Instruction& instruction : llvm::instructions(function)) {
        const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        const bool isMasked = call && call->getIntrinsicID() == llvm::Intrinsic::masked_store;
        if ((llvm::isa<llvm::StoreInst>(instruction) || isMasked) &&
            instruction.getOperand(0)->getType()->isIntOrIntVectorTy(32))
          stores.push_back(&instruction);
      }
    for (llvm::Instruction* store : stores)
      store->setOperand(0, llvm::IRBuilder<>(store).CreateNot(store->getOperand(0)));
    return !stores.empty();
  }

  compiler::PassControl& control_;
  std::string pass_;
  bool isNext_ = false, isDone_ = false;
};

struct Sabotage {
  const char* pass;
  test::Mode mode;
};

class BlameOfCompiler : public testing::TestWithParam<Sabotage> {};

constexpr char kSource[] = R"(
kernel void k(global int* o, global const int* a, int n) {
  int i = get_global_id(0);
  int sum = 0;
  for (int j = 0; j < n; ++j) sum += a[(i + j) & 63] & (j + i);
  if (i > 5) o[i] = sum;
})";

Trial runSabotaged(const TrialOptions& trial, const Sabotage& sabotage) {
  Saboteur control(trial.control, sabotage.pass);
  test::controlPasses(control);
  constexpr int kItems = 64, kTurns = 9;
  std::vector<int> a(kItems), o(kItems, -3), expected = o;
  std::iota(a.begin(), a.end(), 1000);
  for (int i = 6; i < kItems; ++i) {
    expected[static_cast<size_t>(i)] = 0;
    for (int j = 0; j < kTurns; ++j)
      expected[static_cast<size_t>(i)] += a[static_cast<size_t>((i + j) & 63)] & (j + i);
  }
  bool isRight = false;
  test::Launch launch(test::build(kSource), "k");
  launch.range({kItems}, {16}).buffer(o).buffer(a).value(kTurns);
  launch.in(trial.isFormed ? sabotage.mode : test::Mode{},
            [&](const test::Outcome&) { isRight = o == expected; });
  return isRight ? Trial::Right : Trial::Wrong;
}

/// A pass that computes nonsense is named, whichever it is; so is the function it ran on, and the
/// code before and after it is written.
TEST_P(BlameOfCompiler, NamesThePass) {
  const Sabotage& sabotage = GetParam();
  // Of this process: another one may try the same pass in another form.
  const std::string folder =
      testing::TempDir() + "weft_blame_" + sabotage.pass + "_" + std::to_string(getpid());
  std::filesystem::remove_all(folder);
  const FirstWrong found = compiler::findFirstWrong(
      {.run = [&](const TrialOptions& trial) { return runSabotaged(trial, sabotage); },
       .folder = folder});
  ASSERT_EQ(found.kind, Kind::Pass) << found.text();
  ASSERT_EQ(found.steps.size(), 1u) << found.text();
  EXPECT_EQ(found.steps[0].pass, sabotage.pass) << found.text();
  const auto read = [&](const char* name) {
    std::ifstream file(folder + "/" + name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string before = read("before.ll"), after = read("after.ll");
  EXPECT_TRUE(before.contains("define")) << before;
  EXPECT_TRUE(after.contains("define")) << after;
  EXPECT_NE(before, after);
  std::filesystem::remove_all(folder);
}

constexpr test::Mode kFlat{compiler::Form::Flat, 0, 1};
constexpr test::Mode kNarrow{compiler::Form::Flat, 1, 1};  // where LLVM vectorises
constexpr test::Mode kGroups{compiler::Form::GroupLoop, 4, 1};
constexpr test::Mode kLanes{compiler::Form::Fibers, 4, 1};
INSTANTIATE_TEST_SUITE_P(
    Passes, BlameOfCompiler,
    testing::Values(Sabotage{"relax-convergence", kFlat}, Sabotage{"inline-budget", kFlat},
                    Sabotage{"expose-private", kFlat}, Sabotage{"forward-item", kFlat},
                    Sabotage{"narrow-sums", kGroups}, Sabotage{"trim-item-loops", kFlat},
                    Sabotage{"vectorize-items", kFlat}, Sabotage{"vectorize-items", kGroups},
                    Sabotage{"reassociate", kFlat}, Sabotage{"gvn", kGroups},
                    Sabotage{"loop-vectorize", kNarrow}, Sabotage{"div-rem-pairs", kFlat},
                    Sabotage{"loop-groups", kGroups}, Sabotage{"narrow-sums", kLanes},
                    Sabotage{"reassociate", kLanes}),
    [](const testing::TestParamInfo<Sabotage>& info) {
      std::string name = info.param.pass;
      std::ranges::replace(name, '-', '_');
      return name + "_" + std::to_string(info.index);
    });

}  // namespace
}  // namespace weft::fuzz
