// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drawn programs on several platforms: a process for each, which take turns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../platform.h"
#include "distribution.h"

namespace weft::bench::generated {

/// Environment variable that hands seconds of warm-up to the contestants' processes.
inline constexpr const char* kWarmUpVariable = "BENCH_WARM_UP";

struct Options {
  std::optional<uint32_t> seed;  ///< another one for each report where there is none
  size_t count = 300;
  std::vector<std::string> kernels;  ///< these in place of drawn ones
  std::string families = ".";        ///< a regex
  std::string machine = "native";    ///< of plain C++
  int rounds = 5;
  bool print = false;  ///< the source in place of measurements
};

/// Prints a line for each kernel, then the report. False when a result was wrong, or missing on the
/// first platform.
bool runGenerated(const char* self, const std::vector<Platform>& platforms, const Options& options,
                  const std::string& provenance);

/// The process of a contestant: what runGenerated starts.
int runContestant(const std::string& platform, const std::string& name, const std::string& library);

}  // namespace weft::bench::generated
