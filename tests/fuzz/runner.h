// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/arguments.h"
#include "fuzz/ast.h"
#include "kernels/harness.h"

namespace weft::fuzz {

enum class Verdict : uint8_t {
  Right,
  NoTest,      ///< the program has no defined outcome
  WrongBuild,  ///< it does not build, or a form of it does not compile
  WrongResult,
};

struct Finding {
  Verdict verdict = Verdict::Right;
  std::string text;  ///< why, where, and what came out instead
  std::optional<test::Mode> mode;
};

/// What the runs of one program met.
struct Met {
  bool usesBarrier = false, barrierLoops = false;
  unsigned runs = 0, wideRuns = 0;
};

struct RunOptions {
  std::optional<test::Mode> only;  ///< rather than a choice of all modes
  bool everyMode = false;
  bool fibersAlone = false;  ///< programs with barriers, in fibers of all widths
  /// Called before each step, which may end the process; with the mode of runs.
  std::function<void(const test::Mode*, const std::string& step)> before =
      [](const test::Mode*, const std::string&) {};
};

NDRange rangeOf(const Shape& shape);

/// Runs the kernel of `program`, one of those in `built`, once.
Finding runIn(const test::Mode& mode, const test::Program& built, const Program& program,
              Arguments& arguments, const std::vector<Bytes>& expected);

/// The same through the public API, with the code that there is and then with final code.
Finding runInProduct(test::product::Program& built, const Program& program, Arguments& arguments,
                     const std::vector<Bytes>& expected);

/// Builds a program, runs it in several modes, and compares its buffers with what the interpreter
/// says they hold. Buffers begin or end at memory that cannot be touched.
Finding runProgram(const Program& program, const RunOptions& options, Met& met);

}  // namespace weft::fuzz
