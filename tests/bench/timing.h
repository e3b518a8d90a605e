// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sched.h>

#include <algorithm>
#include <vector>

#include "session.h"

namespace weft::bench {

/// Has the process compute on one CPU only.
inline void useOneCpu() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(sched_getcpu(), &cpus);
  sched_setaffinity(0, sizeof cpus, &cpus);
}

/// Median over `samples` of the seconds that one call of `body` takes.
template <class Body>
double medianSeconds(int samples, Body&& body) {
  std::vector<double> seconds;
  for (int i = 0; i < samples; ++i) {
    const auto start = Clock::now();
    body();
    seconds.push_back(secondsSince(start));
  }
  std::nth_element(seconds.begin(), seconds.begin() + samples / 2, seconds.end());
  return seconds[samples / 2];
}

}  // namespace weft::bench
