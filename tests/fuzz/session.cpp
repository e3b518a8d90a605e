// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/session.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>

#include "fuzz/blame.h"
#include "fuzz/disguise.h"
#include "fuzz/image.h"
#include "fuzz/print.h"
#include "fuzz/reduce.h"
#include "fuzz/runner.h"
#include "fuzz/time_limit.h"

namespace weft::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kSecondsOfProgram = 60;
constexpr unsigned kSecondsOfAttempt = 15;
constexpr std::chrono::seconds kReduction{90};
constexpr size_t kMostAttempts = 1 << 15;

enum class Attempt : uint8_t { Open, Running, Fails, Passes };

/// Written by the child, and read by the parent after it has died.
struct Shared {
  Totals totals;
  uint64_t seed = 0;
  std::array<char, 64> stage{};   ///< what was being run
  std::array<char, 4096> text{};  ///< the finding
  std::array<char, 4096> pass{};  ///< the pass that makes the program wrong
  test::Mode mode;
  bool hasMode = false, buildFails = false;
  uint32_t attempts = 0;
  std::array<Attempt, kMostAttempts> attempt{};
};

template <size_t N>
void set(std::array<char, N>& to, const std::string& text) {
  const size_t length = std::min(N - 1, text.size());
  std::memcpy(to.data(), text.data(), length);
  to[length] = '\0';
}

std::string sparseText(const Chunks& chunks) {
  return " in " + std::to_string(chunks.count) + " chunks every " + std::to_string(chunks.pitch) +
         " bytes, the pointer at the start of chunk " + std::to_string(chunks.origin);
}

std::string textOf(const Variable& variable) {
  const ImageType& image = variable.image;
  return std::to_string(image.width) + " x " + std::to_string(image.height) + " x " +
         std::to_string(image.slices) + " of type " + std::to_string(image.channelType()) +
         " order " + std::to_string(image.channelOrder()) + ", " +
         (variable.guardBelow ? "nothing before them" : "nothing behind them");
}

/// What a child process does.
class Child {
 public:
  Child(Shared& shared, const SessionOptions& options) : shared_(shared), options_(options) {}

  /// Runs programs from `shared.seed` on. False when one failed.
  bool search(Clock::time_point end) {
    for (;; ++shared_.seed) {
      const bool isOver =
          (options_.programs != 0 && shared_.seed >= options_.firstSeed + options_.programs) ||
          (options_.seconds != 0 && Clock::now() >= end);
      if (isOver) return true;
      limitTime(kSecondsOfProgram);
      if (!runOne()) return false;
    }
  }

  /// Makes the program of `shared.seed` small, and writes it.
  void reduceAndWrite(Clock::time_point end) {
    Program program = randomProgram(shared_.seed);
    size_t next = 0;
    reduce(program, [&] {
      if (next >= kMostAttempts) return false;
      Attempt& attempt = shared_.attempt[next++];
      if (attempt != Attempt::Open) return attempt == Attempt::Fails;  // known to an earlier child
      if (Clock::now() > end) return false;
      limitTime(kSecondsOfAttempt);
      attempt = Attempt::Running;
      attempt = stillFails(program) ? Attempt::Fails : Attempt::Passes;
      return attempt == Attempt::Fails;
    });
    limitTime(0);
    write(program);
  }

  /// Names the pass that makes the small program wrong. Pre: nothing was built in this process.
  void blame() {
    Program program = randomProgram(shared_.seed);
    size_t next = 0;
    reduce(program,
           [&] { return next < kMostAttempts && shared_.attempt[next++] == Attempt::Fails; });
    const Verdict wrong = shared_.buildFails ? Verdict::WrongBuild : Verdict::WrongResult;
    const auto mode = shared_.hasMode ? std::optional(shared_.mode) : std::nullopt;
    set(shared_.pass, blamePass(program, mode, file(".passes"), wrong).text("// "));
  }

 private:
  bool runOne() {
    const Program program = randomProgram(shared_.seed);
    Met met;
    RunOptions run;
    run.everyMode = options_.everyMode;
    run.fibersAlone = options_.fibersAlone;
    const auto has = [&](auto predicate) {
      return std::ranges::any_of(program.variables, predicate);
    };
    const auto isImage = [](const Variable& v) { return v.kind == VariableKind::Image; };
    if (options_.imagesAlone && !has(isImage)) return true;
    if (options_.partsAlone && !has(&Variable::isPartial)) return true;
    run.before = [&](const test::Mode* mode, const std::string& stage) {
      set(shared_.stage, stage);
      shared_.hasMode = mode != nullptr;
      if (mode) shared_.mode = *mode;
    };
    const Finding finding = runProgram(program, run, met);
    Totals& totals = shared_.totals;
    totals.runs += met.runs;
    totals.wideRuns += met.wideRuns;
    if (finding.verdict == Verdict::NoTest) {
      ++totals.discarded;
      if (std::getenv("WEFT_FUZZ_DISCARDS")) std::cout << "no test: " << finding.text << "\n";
      return true;
    }
    ++totals.programs;
    ++(met.barrierLoops  ? totals.barrierLoops
       : met.usesBarrier ? totals.fibersAlone
                         : totals.noBarrier);
    if (finding.verdict == Verdict::Right) return true;
    set(shared_.text, finding.text);
    shared_.buildFails = finding.verdict == Verdict::WrongBuild;
    shared_.hasMode = finding.mode.has_value();
    if (finding.mode) shared_.mode = *finding.mode;
    return false;
  }

  bool stillFails(const Program& program) {
    RunOptions run;
    if (shared_.hasMode) run.only = shared_.mode;
    Met met;
    const Finding finding = runProgram(program, run, met);
    if (!shared_.buildFails) {
      if (finding.verdict != Verdict::WrongResult) return false;
      set(shared_.text, finding.text);
      return true;
    }
    return finding.verdict == Verdict::WrongBuild &&
           firstError(finding.text) == firstError(shared_.text.data());
  }

  static std::string firstError(const std::string& text) {
    const size_t begin = text.find("error: ");
    return begin == std::string::npos ? text : text.substr(begin, text.find('\n', begin) - begin);
  }

  std::string file(const char* kind) const {
    return options_.folder + "/" + std::to_string(shared_.seed) + kind;
  }

  void write(const Program& program) {
    std::error_code ignored;
    std::filesystem::create_directories(options_.folder, ignored);
    const Program whole = randomProgram(shared_.seed);
    const auto head = [&](const Program& which) {
      std::string text = "// seed " + std::to_string(shared_.seed) + ", " + which.shape.text() +
                         ", " + which.options + "\n// " + shared_.text.data() + "\n";
      for (const int parameter : which.functions[0].parameters) {
        const Variable& variable = which.variables[static_cast<size_t>(parameter)];
        text += "// " + variable.name + ": " +
                (variable.kind == VariableKind::Image     ? textOf(variable)
                 : variable.kind == VariableKind::Sampler ? samplerText(variable.initial[0])
                 : variable.kind == VariableKind::Buffer
                     ? std::to_string(variable.count) + " elements" +
                           (variable.isSparse() ? sparseText(variable.chunks) : "") + ", " +
                           (variable.guardBelow ? "nothing before them" : "nothing behind them")
                 : variable.isArgument ? std::to_string(which.sizeOf(variable.type)) + " bytes"
                                       : std::to_string(variable.initial[0])) +
                "\n";
      }
      return text;
    };
    std::ofstream(file(".whole.cl")) << head(whole) << print(whole);
    std::ofstream(file(".cl")) << head(program) << print(program);
  }

  Shared& shared_;
  const SessionOptions& options_;
};

/// Runs `action` in a child process. Returns its status as waitpid gives it.
template <class Action>
int inChild(Action action) {
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    // What one state of the sources has made is nothing to the next.
    setenv("WEFT_CACHE", "0", /*replace=*/0);
    action();
    std::cout.flush();
    // What the compiler and the executor would do at exit proves nothing here.
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) return -1;
  return status;
}

std::string readFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

Totals runSession(const SessionOptions& options, void (*report)(const std::string&)) {
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto& shared = *new (memory) Shared;
  shared.seed = options.firstSeed;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(options.seconds);
  while (shared.totals.failures < options.mostFailures) {
    shared.text[0] = '\0';
    shared.buildFails = false;
    const int status = inChild([&] {
      if (Child(shared, options).search(end)) _exit(0);
      _exit(1);
    });
    if (status == 0) break;
    ++shared.totals.failures;
    if (shared.text[0] == '\0') {
      const std::string how = WIFSIGNALED(status)
                                  ? "ended by signal " + std::to_string(WTERMSIG(status))
                                  : "ended with status " + std::to_string(WEXITSTATUS(status));
      set(shared.text, std::string(shared.stage.data()) + ": " + how);
    }
    shared.attempt.fill(Attempt::Open);
    std::cout << "seed " << shared.seed << " fails, and is being made small\n";
    // A child dies at most once for each attempt; of anything else, the next would too.
    const Clock::time_point reductionEnd = Clock::now() + kReduction;
    while (const int ended =
               inChild([&] { Child(shared, options).reduceAndWrite(reductionEnd); })) {
      const auto running = std::ranges::find(shared.attempt, Attempt::Running);
      if (running == shared.attempt.end()) break;
      *running = ended == status ? Attempt::Fails : Attempt::Passes;
    }
    const std::string file = options.folder + "/" + std::to_string(shared.seed) + ".cl";
    shared.pass[0] = '\0';
    // The library's own compiler answers to nobody.
    if (!shared.hasMode || !shared.mode.product) inChild([&] { Child(shared, options).blame(); });
    std::ofstream(file, std::ios::app) << shared.pass.data();
    report(readFile(file) + "// in " + file +
           ", beside the whole program and the code before and " + "after that pass\n");
    ++shared.seed;
  }
  const Totals totals = shared.totals;
  munmap(memory, sizeof(Shared));
  return totals;
}

}  // namespace weft::fuzz
