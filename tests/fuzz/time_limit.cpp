// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/time_limit.h"

#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace weft::fuzz {
namespace {

// A program runs on a few workers at once, but mostly on one: compilation is the larger part.
constexpr unsigned kShareOfProcessors = 2;
constexpr unsigned kShareOfClock = 30;

}  // namespace

void limitTime(unsigned seconds) {
  itimerval limit{};
  limit.it_value.tv_sec = static_cast<time_t>(seconds) * kShareOfProcessors;
  if (setitimer(ITIMER_PROF, &limit, nullptr) != 0) {
    std::perror("setitimer");
    std::abort();
  }
  alarm(seconds * kShareOfClock);
}

}  // namespace weft::fuzz
