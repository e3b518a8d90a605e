// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace weft::runtime {

/// The CPUs in the affinity mask of the calling thread, in order; empty when the system does not
/// tell. Throws std::bad_alloc.
std::vector<unsigned> allowedCpus();

/// CPUs that this process may compute on at the same time: the affinity mask of the calling
/// thread, limited by the CPU quota of the process's cgroups (version 1 or 2), rounded up.
/// At least 1. Reads files below /proc and /sys; the answer is not cached.
unsigned availableCpus() noexcept;

}  // namespace weft::runtime
