// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/runner.h"

#include <gtest/gtest-spi.h>

#include <algorithm>
#include <random>

#include "fuzz/arguments.h"
#include "fuzz/interpret.h"
#include "fuzz/print.h"

namespace weft::fuzz {
namespace {

constexpr unsigned kWideRunsOfOne = 4;

}  // namespace

NDRange rangeOf(const Shape& shape) {
  return {.dimensions = shape.dimensions,
          .globalSize = shape.global,
          .globalOffset = shape.offset,
          .localSize = shape.local};
}

namespace {

/// Forms at width 1 in their order, then wider ones in any.
std::vector<test::Mode> modesOf(const compiler::KernelInfo& kernel, const Program& program,
                                const RunOptions& options) {
  std::mt19937_64 random(program.seed);
  const bool severalWorkers = options.everyMode || random() % 8 == 0;
  std::vector<test::Mode> narrow, wide;
  for (const test::Mode& mode : test::candidateModes(kernel, rangeOf(program.shape)))
    if ((mode.workers == 1 || severalWorkers) &&
        (mode.form == compiler::Form::Fibers || !options.fibersAlone))
      (mode.width == 1 ? narrow : wide).push_back(mode);
  std::ranges::shuffle(wide, random);
  narrow.insert(narrow.end(), wide.begin(), wide.end());
  return narrow;
}

}  // namespace

Finding runIn(const test::Mode& mode, const test::Program& built, const Program& program,
              Arguments& arguments, const std::vector<Bytes>& expected) {
  testing::TestPartResultArray failures;
  arguments.reset();
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &failures);
    const Shape& shape = program.shape;
    const auto list = [&](const std::array<uint64_t, 3>& sizes) {
      return test::Sizes(sizes.begin(), sizes.begin() + shape.dimensions);
    };
    test::Launch launch(built, program.functions[0].name);
    launch.range(list(shape.global), list(shape.local), list(shape.offset));
    arguments.give(launch);
    launch.in(mode, [](const test::Outcome&) {});
  }
  if (failures.size() != 0) {
    const std::string text = failures.GetTestPartResult(0).message();
    // Of sub-groups that are too much for lanes the library makes fibers.
    if (program.subGroupSize != 0 && text.contains("cannot be in lanes")) return {};
    const bool isBuild = text.contains("no machine code");
    return {isBuild ? Verdict::WrongBuild : Verdict::WrongResult, mode.name() + ": " + text, mode};
  }
  const std::string difference = arguments.difference(expected);
  if (difference.empty()) return {};
  return {Verdict::WrongResult, mode.name() + ": " + difference, mode};
}

Finding runInProduct(test::product::Program& built, const Program& program, Arguments& arguments,
                     const std::vector<Bytes>& expected) {
  const test::Mode mode{.product = true};
  const std::string& name = program.functions[0].name;
  const auto wrong = [&](const char* when, const std::string& what) {
    return Finding{
        Verdict::WrongResult,
        mode.name() + ", " + built.lastCode(name).description + ", " + when + ": " + what, mode};
  };
  for (const char* when : {"at once", "in final code"}) {
    arguments.reset();
    if (const std::string error = built.run(name, rangeOf(program.shape), arguments.forProduct());
        !error.empty())
      return wrong(when, error);
    if (const std::string difference = arguments.difference(expected); !difference.empty())
      return wrong(when, difference);
    if (!built.lastCode(name).wasQuick) return {};
    if (!test::product::awaitFinal(built, name)) return wrong(when, "there is no final code");
  }
  return {};
}

Finding runProgram(const Program& program, const RunOptions& options, Met& met) {
  options.before(nullptr, "interpreter");
  const std::vector<Bytes> initial = initialBuffers(program);
  std::vector<Bytes> expected = initial;
  if (std::string reason = interpret(program, expected); !reason.empty())
    return {Verdict::NoTest, std::move(reason), {}};
  options.before(nullptr, "build");
  // Functions that are kept apart stay so, with barriers and all, in some programs.
  const auto inlining = program.seed % 4 == 0 ? test::Inlining::Least : test::Inlining::Usual;
  const auto built = test::tryBuild(print(program), program.options, inlining);
  if (!built) return {Verdict::WrongBuild, "does not build: " + built.error().log, {}};
  const compiler::KernelInfo& kernel = built->program->kernels().front();
  met.usesBarrier = kernel.usesBarrier;
  met.barrierLoops = kernel.barrierLoops;
  if (options.fibersAlone && !kernel.usesBarrier) return {Verdict::NoTest, "no barrier", {}};
  Arguments arguments(program, initial);
  const std::vector<test::Mode> modes =
      options.only ? std::vector<test::Mode>{*options.only} : modesOf(kernel, program, options);
  for (const test::Mode& mode : modes) {
    if (mode.product) break;
    if (mode.width != 1 && met.wideRuns == kWideRunsOfOne && !options.everyMode) break;
    options.before(&mode, mode.name());
    if (!test::isOffered(built->program, kernel, mode, rangeOf(program.shape))) continue;
    Finding finding = runIn(mode, built->program, program, arguments, expected);
    if (finding.verdict != Verdict::Right) return finding;
    ++met.runs;
    met.wideRuns += mode.width != 1 ? 1 : 0;
  }
  if ((options.only && !options.only->product) || options.fibersAlone) return {};
  const test::Mode product{.product = true};
  options.before(&product, product.name());
  std::string log;
  const auto made = test::product::Program::build(print(program), program.options, log);
  if (!made) return {Verdict::WrongBuild, "the library does not build it: " + log, product};
  met.runs += 2;
  return runInProduct(*made, program, arguments, expected);
}

}  // namespace weft::fuzz
