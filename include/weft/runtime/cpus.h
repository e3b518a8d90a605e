// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace weft::runtime {

/// CPUs that this process may compute on at the same time: the affinity mask of the calling
/// thread, limited by the CPU quota of the process's cgroups (version 1 or 2), rounded up.
/// At least 1. Reads files below /proc and /sys; the answer is not cached.
unsigned availableCpus() noexcept;

}  // namespace weft::runtime
