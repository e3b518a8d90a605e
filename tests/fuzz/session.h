// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace weft::fuzz {

struct SessionOptions {
  uint64_t firstSeed = 1;
  uint64_t programs = 0;      ///< how many at most; 0: any number
  uint64_t seconds = 0;       ///< ends after so long; 0: never
  uint64_t mostFailures = 1;  ///< ends after so many
  bool everyMode = false;     ///< each program in all forms and widths, rather than some
  bool fibersAlone = false;   ///< programs with barriers only, in fibers only
  bool imagesAlone = false;   ///< programs with images only
  bool partsAlone = false;    ///< programs with variables that are written part by part only
  std::string folder;         ///< where reduced programs go
};

struct Totals {
  uint64_t programs = 0, discarded = 0, barrierLoops = 0, fibersAlone = 0, noBarrier = 0;
  uint64_t runs = 0, wideRuns = 0;
  uint64_t failures = 0;
};

/// Runs random programs in child processes, which may crash or hang, and reports what went wrong
/// through `report`, each failure with a program that was made small.
///
/// Pre: this process has one thread.
Totals runSession(const SessionOptions& options, void (*report)(const std::string&));

}  // namespace weft::fuzz
