// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "soak.h"

namespace weft::soak {
namespace {

double mebibytes(size_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

}  // namespace

size_t residentBytes() {
  // Free memory that the C library keeps is no leak, and how much of it there is depends on chance.
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  size_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

void MemoryWatch::look(uint64_t done, uint64_t total) {
  const uint64_t tenth = done * 10 / total;
  if (tenth <= reported_) return;
  reported_ = tenth;
  const size_t now = residentBytes();
  if (atWarm_ == 0) atWarm_ = now;
  highest_ = std::max(highest_, now);
  std::printf("%s: %llu of %llu, %.1f MiB resident\n", name_.c_str(),
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(total),
              mebibytes(now));
  std::fflush(stdout);
}

void MemoryWatch::finish() {
  const size_t now = residentBytes();
  const size_t grown = now > atWarm_ ? now - atWarm_ : 0;
  std::printf("%s: %.1f MiB after the warm-up, %.1f MiB at the end, %.1f MiB at most\n",
              name_.c_str(), mebibytes(atWarm_), mebibytes(now),
              mebibytes(std::max(highest_, now)));
  std::fflush(stdout);
  require(grown <= limit_, name_ + ": memory has grown by " + std::to_string(grown) +
                               " bytes, more than " + std::to_string(limit_));
}

}  // namespace weft::soak
