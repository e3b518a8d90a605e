// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string>
#include <vector>

namespace weft::bench {

/// One measured figure. run() is called once in a process of its own, so that what it measures
/// may include first-use costs; steady figures warm up by themselves.
struct Case {
  const char* name;
  const char* unit;
  bool higherIsBetter;
  double (*run)(const std::string& platform);
};

/// Latencies, transfers and barriers.
std::span<const Case> hostCases();
/// Builds and first launches.
std::span<const Case> buildCases();
/// Throughput of math functions.
std::span<const Case> mathCases();

/// Replays of command buffers against enqueues of the same commands.
std::span<const Case> commandBufferCases();

/// All of the above.
std::vector<Case> cases();

}  // namespace weft::bench
