// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "base/error.h"
#include "platform/topology.h"

/// How the compute units of a device are divided among sub-devices.
namespace weft {

/// A compute unit: an execution slot, and where it stands; without places of CPUs that is nowhere.
struct ComputeUnit {
  unsigned slot = 0;
  host::CpuPlace place;
};

/// The slots 0 to count - 1, spread evenly over the places.
std::vector<ComputeUnit> spreadUnits(unsigned count, std::span<const host::CpuPlace> places);

struct EqualParts {
  unsigned units;  ///< of each
};
struct CountedParts {
  std::vector<unsigned> units;  ///< of each; one or more
};
struct DomainParts {
  std::optional<host::Domain> domain;  ///< nothing: the first along which there is a division
};

/// What clCreateSubDevices is asked for.
struct PartitionRequest {
  std::variant<EqualParts, CountedParts, DomainParts> scheme;
  std::vector<cl_device_partition_property> list;  ///< as given, terminator included
};

/// The makings of one sub-device.
struct DevicePart {
  std::vector<unsigned> slots;
  std::vector<unsigned> cpus;  ///< to which its workers are pinned; empty for none
  std::vector<cl_device_partition_property> list;  ///< CL_DEVICE_PARTITION_TYPE
};

/// What is to be divided.
struct PartitionInput {
  std::span<const ComputeUnit> units;
  std::span<const host::CpuPlace> places;  ///< of the CPUs that the device may use
  bool isPinned = false;                   ///< to these CPUs
  bool pinAll = false;                     ///< pin parts made by number, too
};

/// The parts, in order.
///   CL_DEVICE_PARTITION_FAILED  the units cannot be divided so
Result<std::vector<DevicePart>> partition(const PartitionInput& input,
                                          const PartitionRequest& request);

/// The domains along which the units can be divided; CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE
/// where there is one.
cl_device_affinity_domain affinityDomains(std::span<const ComputeUnit> units) noexcept;
/// Whether the host tells, for each of the units, what it shares at this level.
bool isKnown(host::Domain domain, std::span<const ComputeUnit> units) noexcept;

}  // namespace weft
