// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "weft/runtime/cpus.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "sched/cgroup.h"

namespace weft::runtime {
namespace {

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const noexcept { CPU_FREE(set); }
};

/// Size of the affinity mask; the kernel's may be larger than the fixed cpu_set_t.
unsigned cpusInMask() noexcept {
  constexpr int kMostCpus = 1 << 16;
  for (int cpus = CPU_SETSIZE; cpus <= kMostCpus; cpus *= 2) {
    const std::unique_ptr<cpu_set_t, FreeCpuSet> set(CPU_ALLOC(cpus));
    if (!set) break;
    const size_t bytes = CPU_ALLOC_SIZE(cpus);
    if (sched_getaffinity(0, bytes, set.get()) == 0)
      return static_cast<unsigned>(CPU_COUNT_S(bytes, set.get()));
  }
  return static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace

unsigned availableCpus() noexcept {
  unsigned cpus = std::max(1u, cpusInMask());
  try {
    if (const auto limit = cgroupCpuLimit(); limit && *limit < cpus)
      cpus = std::max(1u, static_cast<unsigned>(std::ceil(*limit)));
  } catch (...) {  // no memory to read the quota: the mask alone counts
  }
  return cpus;
}

}  // namespace weft::runtime
