// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/runner.h"

#include <gtest/gtest-spi.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

#include "fuzz/interpret.h"
#include "fuzz/print.h"
#include "weft/support/checked.h"

namespace weft::fuzz {
namespace {

constexpr uint64_t kPage = 4096;
constexpr unsigned kWideRunsOfOne = 4;

/// Memory between two inaccessible pages, touching one of them.
class Guarded {
 public:
  Guarded(uint64_t bytes, bool guardBelow) : mapped_(alignUp(bytes, kPage) + 2 * kPage) {
    void* all = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<uint8_t*>(all);
    if (mprotect(base_ + kPage, mapped_ - 2 * kPage, PROT_READ | PROT_WRITE) != 0)
      throw std::bad_alloc();
    data_ = guardBelow ? base_ + kPage : base_ + mapped_ - kPage - bytes;
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { munmap(base_, mapped_); }

  uint8_t* data() const { return data_; }

 private:
  uint64_t mapped_;
  uint8_t* base_ = nullptr;
  uint8_t* data_ = nullptr;
};

runtime::NDRange rangeOf(const Shape& shape) {
  return {.dimensions = shape.dimensions,
          .globalSize = shape.global,
          .globalOffset = shape.offset,
          .localSize = shape.local};
}

void addValue(test::Launch& launch, Type type, uint64_t bits) {
  switch (bytesOf(type.scalar)) {
    case 1:
      launch.value(static_cast<uint8_t>(bits));
      break;
    case 2:
      launch.value(static_cast<uint16_t>(bits));
      break;
    case 4:
      launch.value(static_cast<uint32_t>(bits));
      break;
    default:
      launch.value(bits);
      break;
  }
}

std::string hex(const uint8_t* bytes, uint64_t count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (uint64_t i = count; i-- > 0;) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

/// The program's buffers in guarded memory.
class Arguments {
 public:
  Arguments(const Program& program, const std::vector<Bytes>& initial)
      : program_(program), initial_(initial), memory_(initial.size()) {
    for (const int parameter : program.functions[0].parameters) {
      const auto p = static_cast<size_t>(parameter);
      if (program.variables[p].kind == VariableKind::Buffer)
        memory_[p] = std::make_unique<Guarded>(initial[p].size(), program.variables[p].guardBelow);
    }
    reset();
  }

  void reset() {
    for (size_t i = 0; i < memory_.size(); ++i)
      if (memory_[i]) std::memcpy(memory_[i]->data(), initial_[i].data(), initial_[i].size());
  }

  void give(test::Launch& launch) {
    for (const int parameter : program_.functions[0].parameters) {
      const auto p = static_cast<size_t>(parameter);
      const Variable& variable = program_.variables[p];
      if (memory_[p])
        launch.memory(memory_[p]->data(), initial_[p].size());
      else if (variable.isArgument)
        launch.local(program_.sizeOf(variable.type));
      else
        addValue(launch, variable.type, variable.initial[0]);
    }
  }

  /// Where the buffers first differ from what they should hold; empty when nowhere.
  std::string difference(const std::vector<Bytes>& expected) const {
    for (size_t i = 0; i < memory_.size(); ++i) {
      if (!memory_[i]) continue;
      const uint8_t* now = memory_[i]->data();
      const Bytes& wanted = expected[i];
      const auto at = std::mismatch(wanted.begin(), wanted.end(), now).first - wanted.begin();
      if (static_cast<size_t>(at) == wanted.size()) continue;
      const Variable& variable = program_.variables[i];
      const uint64_t size = program_.sizeOf(variable.type.element());
      const uint64_t element = static_cast<uint64_t>(at) / size;
      return variable.name + "[" + std::to_string(element) + "] is " +
             hex(now + element * size, size) + ", not " + hex(wanted.data() + element * size, size);
    }
    return "";
  }

 private:
  const Program& program_;
  const std::vector<Bytes>& initial_;
  std::vector<std::unique_ptr<Guarded>> memory_;
};

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
    test::Launch launch(built, "k");
    launch.range(list(shape.global), list(shape.local), list(shape.offset));
    arguments.give(launch);
    launch.in(mode, [](const test::Outcome&) {});
  }
  if (failures.size() != 0) {
    const std::string text = failures.GetTestPartResult(0).message();
    const bool isBuild = text.contains("no machine code");
    return {isBuild ? Verdict::WrongBuild : Verdict::WrongResult, mode.name() + ": " + text, mode};
  }
  const std::string difference = arguments.difference(expected);
  if (difference.empty()) return {};
  return {Verdict::WrongResult, mode.name() + ": " + difference, mode};
}

}  // namespace

Finding runProgram(const Program& program, const RunOptions& options, Met& met) {
  options.before(nullptr, "interpreter");
  const std::vector<Bytes> initial = initialBuffers(program);
  std::vector<Bytes> expected = initial;
  if (std::string reason = interpret(program, expected); !reason.empty())
    return {Verdict::NoTest, std::move(reason), {}};
  options.before(nullptr, "build");
  const auto built = test::tryBuild(print(program), program.options);
  if (!built) return {Verdict::WrongBuild, "does not build: " + built.error().log, {}};
  const compiler::KernelInfo& kernel = built->program->kernels().front();
  met.usesBarrier = kernel.usesBarrier;
  met.barrierLoops = kernel.barrierLoops;
  if (options.fibersAlone && !kernel.usesBarrier) return {Verdict::NoTest, "no barrier", {}};
  Arguments arguments(program, initial);
  const std::vector<test::Mode> modes =
      options.only ? std::vector<test::Mode>{*options.only} : modesOf(kernel, program, options);
  for (const test::Mode& mode : modes) {
    if (mode.width != 1 && met.wideRuns == kWideRunsOfOne && !options.everyMode) break;
    options.before(&mode, mode.name());
    if (!test::isOffered(built->program, kernel, mode, rangeOf(program.shape))) continue;
    Finding finding = runIn(mode, built->program, program, arguments, expected);
    if (finding.verdict != Verdict::Right) return finding;
    ++met.runs;
    met.wideRuns += mode.width != 1 ? 1 : 0;
  }
  return {};
}

}  // namespace weft::fuzz
