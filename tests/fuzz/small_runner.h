// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/runner.h"

namespace weft::fuzz {

struct SmallOptions {
  bool everyWidth = false;  ///< else width 1, the compiler's choice, and another in turn
  bool product = false;     ///< through the public API alone
  bool disguised = false;   ///< programs are disguised first, and run at width 1 and as chosen
};

struct SmallTotals {
  uint64_t programs = 0, undefined = 0, runs = 0, wideRuns = 0, modes = 0;
};

/// Runs small programs, which are built together: one by one in several modes, and in each of them
/// over all ranges where the program has one outcome.
///
/// `before` is called before each step that may end the process, with the program's number; or
/// kAll while all are built. `found` is told of each program that goes wrong, once.
class SmallRunner {
 public:
  static constexpr uint64_t kAll = ~uint64_t{0};

  std::function<void(uint64_t number, const std::string& stage)> before;
  std::function<void(uint64_t number, const std::string& text)> found;

  SmallRunner(const SmallOptions& options, SmallTotals& totals)
      : options_(options), totals_(totals) {}

  void run(const std::vector<uint64_t>& numbers);

 private:
  struct Case;

  void build(std::vector<Case*>& cases) const;
  void runInProduct(Case& each);
  void runAll(Case& each);
  bool isChosen(const test::Mode& mode, uint64_t number) const;

  const SmallOptions& options_;
  SmallTotals& totals_;
};

}  // namespace weft::fuzz
