// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::runtime {

/// CPUs that the quota of this process's cgroups allows, possibly a fraction; nothing when there
/// is no limit. Every ancestor's limit counts. `root` is put before all paths, for tests.
std::optional<double> cgroupCpuLimit(const std::string& root = "");

/// Text of a version 2 cpu.max file ("max 100000" or "150000 100000") in CPUs.
std::optional<double> parseCpuMax(std::string_view text);

}  // namespace weft::runtime
