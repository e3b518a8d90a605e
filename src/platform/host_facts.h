// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// What the machine is, read from cpuid and from the kernel's files. Every function that reads
/// files takes the path that stands for "/", so that tests can give a machine of their own.
namespace weft::host {

/// Brand string of the processor without padding, e.g. "AMD EPYC 9755 128-Core Processor".
std::string cpuName();

struct CpuVendor {
  std::string name;
  uint32_t pciId = 0;  ///< 0 when the vendor has none that we know
};
CpuVendor cpuVendor();

/// Bytes of the widest SIMD register that processor and kernel both support; at least 16.
uint32_t vectorBytes();
/// Whether fused multiply-add is one instruction.
bool hasFma();

/// Highest clock of the first processor, in MHz; 0 when nothing tells.
uint32_t clockMHz(const std::string& root = "");

struct Caches {
  uint64_t lastLevelBytes = 0;  ///< 0 when nothing tells
  uint64_t l2Bytes = 0;         ///< 0 when nothing tells
  uint32_t lineBytes = 64;
};
Caches caches(const std::string& root = "");

/// Smallest memory limit of the process's cgroup and its parents, v1 and v2.
std::optional<uint64_t> cgroupMemoryLimit(const std::string& root = "");

/// Memory that could be had now: free, or used for nothing but caches of files, within the limits
/// of the process's cgroups. The largest number where the host does not tell.
uint64_t availableMemory(const std::string& root = "");

/// Memory that this process may use: physical, within cgroup limit and RLIMIT_AS.
uint64_t usableMemory();

}  // namespace weft::host
