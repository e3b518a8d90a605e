// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/clock.h"

#include <ctime>

namespace weft {
namespace {

uint64_t toNanoseconds(const timespec& time) noexcept {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

uint64_t nowNanoseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return toNanoseconds(now);
}

uint64_t clockResolutionNanoseconds() noexcept {
  timespec resolution{};
  if (clock_getres(CLOCK_MONOTONIC, &resolution) != 0) return 1;
  const uint64_t value = toNanoseconds(resolution);
  return value == 0 ? 1 : value;
}

}  // namespace weft
