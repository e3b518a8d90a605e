// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/runtime/cpus.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "sched/cgroup.h"
#include "sched/cpu_mask.h"

namespace weft::runtime {

std::vector<unsigned> allowedCpus() { return CpuMask::ofThisThread().cpus(); }

unsigned availableCpus() noexcept {
  unsigned cpus = static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  try {
    if (const size_t allowed = allowedCpus().size(); allowed != 0)
      cpus = static_cast<unsigned>(allowed);
    if (const auto limit = cgroupCpuLimit(); limit && *limit < cpus)
      cpus = std::max(1u, static_cast<unsigned>(std::ceil(*limit)));
  } catch (...) {  // no memory to read them all: what is known counts
  }
  return cpus;
}

}  // namespace weft::runtime
