// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which memories and caches the CPUs share, as the kernel's files tell it.
namespace weft::host {

/// What CPUs may share, in the order in which CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE looks
/// for a division.
enum class Domain : uint8_t { Numa, L4, L3, L2, L1 };
inline constexpr size_t kDomains = 5;

/// Where a CPU stands among the others.
struct CpuPlace {
  static constexpr unsigned kNone = ~0u;

  unsigned cpu = 0;
  /// By Domain: the lowest CPU of those that share it; kNone where the system tells of none.
  std::array<unsigned, kDomains> domains{kNone, kNone, kNone, kNone, kNone};

  unsigned in(Domain domain) const noexcept { return domains[static_cast<size_t>(domain)]; }
};

/// The places of `cpus`, in an order in which neighbours share as much as possible. Reads files
/// below /sys; `root` is put before their paths, for tests.
std::vector<CpuPlace> cpuPlaces(std::span<const unsigned> cpus, const std::string& root = "");

/// The kernel's list format, e.g. "0-3,8"; what it cannot mean is left out.
std::vector<unsigned> parseCpuList(std::string_view text);

}  // namespace weft::host
