// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/blame.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>

#include "fuzz/time_limit.h"

namespace weft::fuzz {
namespace {

compiler::Trial trialIn(const Program& program, const test::Mode& mode, Verdict wrong) {
  RunOptions options;
  options.only = mode;
  Met met;
  const Verdict verdict = runProgram(program, options, met).verdict;
  if (verdict == wrong) return compiler::Trial::Wrong;
  // A mode that is not offered is not run, and nothing is wrong then.
  const bool hasRun = verdict == Verdict::Right && met.runs != 0;
  return hasRun ? compiler::Trial::Right : compiler::Trial::NoCode;
}

/// The first mode in which a program fails, or dies. Fibers of one work-item when there is none.
test::Mode failingMode(const Program& program) {
  void* memory =
      mmap(nullptr, sizeof(test::Mode), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto& running = *new (memory) test::Mode;
  if (const pid_t child = fork(); child == 0) {
    constexpr unsigned kSeconds = 120;
    limitTime(kSeconds);
    RunOptions options;
    options.everyMode = true;
    options.before = [&](const test::Mode* mode, const std::string&) {
      if (mode) running = *mode;
    };
    Met met;
    const Finding finding = runProgram(program, options, met);
    if (finding.verdict == Verdict::Right) running = {};
    _exit(0);
  } else if (child > 0) {
    waitpid(child, nullptr, 0);
  }
  const test::Mode mode = running;
  munmap(memory, sizeof(test::Mode));
  return mode;
}

}  // namespace

compiler::FirstWrong blamePass(const test::Mode& mode,
                               const std::function<compiler::Trial(const test::Mode&)>& run,
                               const std::string& folder) {
  test::Mode plain;
  plain.workers = mode.workers;
  return compiler::findFirstWrong({.run =
                                       [&](const compiler::TrialOptions& trial) {
                                         test::controlPasses(trial.control);
                                         return run(trial.isFormed ? mode : plain);
                                       },
                                   .folder = folder});
}

compiler::FirstWrong blamePass(const Program& program, std::optional<test::Mode> mode,
                               const std::string& folder, Verdict wrong) {
  const auto run = [&](const test::Mode& each) { return trialIn(program, each, wrong); };
  return blamePass(mode ? *mode : failingMode(program), run, folder);
}

}  // namespace weft::fuzz
