// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/small_runner.h"

#include <map>
#include <memory>
#include <set>

#include "fuzz/disguise.h"
#include "fuzz/interpret.h"
#include "fuzz/parse.h"
#include "fuzz/print.h"
#include "fuzz/small_programs.h"

namespace weft::fuzz {

/// A program in one range, and what comes of it.
struct Trial {
  Trial(uint64_t number, const SmallRange& range, bool disguised) : program(smallProgram(number)) {
    if (disguised) disguise(program, number);
    fit(program, range.shape, range.n);
    program.functions[0].name += std::to_string(number);
    initial = initialBuffers(program);
    expected = initial;
    isDefined = interpret(program, expected).empty();
    if (isDefined) arguments = std::make_unique<Arguments>(program, initial);
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  Program program;
  std::vector<Bytes> initial, expected;
  std::unique_ptr<Arguments> arguments;
  bool isDefined = false;
};

struct SmallRunner::Case {
  uint64_t number = 0;
  std::vector<std::unique_ptr<Trial>> trials;  ///< in ranges where it has one outcome
  std::string text, options;
  test::Program built;
  std::shared_ptr<test::product::Program> product;
};

void SmallRunner::run(const std::vector<uint64_t>& numbers) {
  std::vector<std::unique_ptr<Case>> all;
  std::map<std::string, std::vector<Case*>> byOptions;
  for (const uint64_t number : numbers) {
    if (isRepeated(number)) continue;
    before(number, "interpreter");
    auto fresh = std::make_unique<Case>();
    fresh->number = number;
    for (const SmallRange& range : smallRanges(number)) {
      auto trial = std::make_unique<Trial>(number, range, options_.disguised);
      if (trial->isDefined) fresh->trials.push_back(std::move(trial));
    }
    if (fresh->trials.empty()) {
      ++totals_.undefined;
      continue;
    }
    const Program& program = fresh->trials.front()->program;
    fresh->text = print(program);
    fresh->options = program.options;
    byOptions[fresh->options].push_back(fresh.get());
    all.push_back(std::move(fresh));
  }
  for (auto& [options, cases] : byOptions) build(cases);
  for (const auto& each : all) {
    if (each->product)
      runInProduct(*each);
    else if (each->built)
      runAll(*each);
    else
      continue;
    ++totals_.programs;
  }
}

/// All in one program object; each in one of its own where that does not build.
void SmallRunner::build(std::vector<Case*>& cases) const {
  std::string text;
  for (const Case* each : cases) text += each->text;
  before(cases.size() == 1 ? cases[0]->number : kAll, "build");
  std::string log;
  if (options_.product) {
    const auto built = test::product::Program::build(text, cases[0]->options, log);
    for (Case* each : cases) each->product = built;
    if (built) return;
  } else {
    const auto built = test::tryBuild(text, cases[0]->options);
    for (Case* each : cases)
      if (built) each->built = built->program;
    if (built) return;
    log = built.error().log;
  }
  if (cases.size() == 1) return found(cases[0]->number, "does not build: " + log);
  for (Case* each : cases) {
    std::vector<Case*> alone{each};
    build(alone);
  }
}

void SmallRunner::runInProduct(Case& each) {
  for (const auto& trial : each.trials) {
    const Shape& shape = trial->program.shape;
    before(each.number, "public API, " + shape.text());
    const Finding finding =
        fuzz::runInProduct(*each.product, trial->program, *trial->arguments, trial->expected);
    ++totals_.runs;
    if (finding.verdict == Verdict::Right) continue;
    return found(each.number, shape.text() + ", " + finding.text);
  }
  ++totals_.modes;
}

/// One worker runs them: what many do at once is tested elsewhere.
bool SmallRunner::isChosen(const test::Mode& mode, uint64_t number) const {
  static constexpr uint32_t kInTurn[] = {2, 4, 8, 16, 32, 64};
  if (mode.workers != 1) return false;
  if (options_.everyWidth) return true;
  const uint64_t turn = number + static_cast<unsigned>(mode.form);
  if (mode.width > 1 && (options_.disguised || mode.width != kInTurn[turn % 6])) return false;
  // Another choice than the library's in the lanes, one in turn.
  const unsigned other = mode.plainIndices ? 1 : mode.wholeRows ? 2 : mode.rowDimension ? 3 : 0;
  return other == 0 || turn % 3 + 1 == other;
}

void SmallRunner::runAll(Case& each) {
  const std::string name = each.trials.front()->program.functions[0].name;
  const compiler::KernelInfo& kernel = *test::kernelInfo(each.built, name);
  // Code with barrier loops is for one group size: the whole program is compiled for each.
  std::set<std::array<uint64_t, 3>> groupSizes;
  std::set<std::string> seen;
  for (size_t t = 0; t < each.trials.size(); ++t) {
    Trial& trial = *each.trials[(t + each.number) % each.trials.size()];
    const Shape& shape = trial.program.shape;
    const bool isNewSize = groupSizes.size() < 2 || groupSizes.contains(shape.local);
    for (const test::Mode& mode : test::candidateModes(kernel, rangeOf(shape))) {
      if (!isChosen(mode, each.number)) continue;
      if (mode.form == compiler::Form::BarrierLoops && !options_.everyWidth) {
        if (!isNewSize) continue;
        groupSizes.insert(shape.local);
      }
      // Without a barrier fibers are no form that is ever chosen.
      if (mode.form == compiler::Form::Fibers && !kernel.usesBarrier && mode.width != 1 &&
          !options_.everyWidth)
        continue;
      before(each.number, mode.name() + ", " + shape.text());
      if (!test::isOffered(each.built, kernel, mode, rangeOf(shape))) continue;
      const Finding finding =
          runIn(mode, each.built, trial.program, *trial.arguments, trial.expected);
      ++totals_.runs;
      if (mode.width != 1) ++totals_.wideRuns;
      if (seen.insert(mode.name()).second) ++totals_.modes;
      if (finding.verdict == Verdict::Right) continue;
      return found(each.number, shape.text() + ", " + finding.text);
    }
  }
}

}  // namespace weft::fuzz
