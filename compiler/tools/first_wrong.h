// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pipeline/pass_control.h"

namespace weft::compiler {

/// What came of a kernel some of whose passes were left out.
enum class Trial : uint8_t {
  Right,
  Wrong,
  NoCode,  ///< it cannot run: the form asked for cannot be made of what there is
};

/// One execution of a pass.
struct PassStep {
  std::string pass;
  std::string where;  ///< function or loop
};

struct FirstWrong {
  enum class Kind : uint8_t {
    Pass,      ///< right before `steps`, wrong after them
    AnyPass,   ///< wrong without any of them: what every kernel goes through is at fault
    NotWrong,  ///< right with all of them
    Unknown,   ///< nothing can be run
  };
  Kind kind = Kind::Unknown;
  /// One, or several that follow each other where the code between them cannot run.
  std::vector<PassStep> steps;
  uint64_t number = 0;  ///< of the first of `steps`, from 1
  uint64_t total = 0;   ///< passes that run in all

  /// As sentences in lines, each of which begins with `prefix`.
  std::string text(const std::string& prefix = "") const;
};

/// A kernel to be compiled and run.
struct TrialOptions {
  PassControl& control;  ///< for the compiler, which has to be new and without a cache
  /// In the form where it is wrong; else in fibers of one work-item, which need no form to be made.
  bool isFormed = true;
};

struct SearchOptions {
  /// Compiles a kernel from its source, runs it, and says whether its results are right.
  std::function<Trial(const TrialOptions&)> run;
  std::string folder;         ///< gets before.ll and after.ll; empty: they are not written
  unsigned secondsEach = 30;  ///< a trial that takes longer hangs, and is wrong
};

/// Names the pass whose execution makes a kernel wrong: finds, by bisection, a number of passes
/// that gives right results where one more gives wrong ones. Each trial is a child process, which
/// may crash: that is a wrong result too.
///
/// Pre: this process has one thread; the kernel has one defined result.
FirstWrong findFirstWrong(const SearchOptions& options);

/// The trial that findFirstWrong() takes for right: without any pass that can be left out, in
/// fibers of one work-item.
Trial runWithoutPasses(const SearchOptions& options);

}  // namespace weft::compiler
