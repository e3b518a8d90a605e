// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/partition.h"

namespace weft::validate {
namespace {

using Property = cl_device_partition_property;

Result<unsigned> unitCount(const Device& device, Property count) noexcept {
  if (count < 0 || count > static_cast<Property>(device.computeUnits()))
    return clError(CL_INVALID_DEVICE_PARTITION_COUNT);
  return static_cast<unsigned>(count);
}

Result<EqualParts> equalParts(const Device& device, Property count) noexcept {
  if (count == 0) return clError(CL_INVALID_VALUE);
  WEFT_TRY(const unsigned units, unitCount(device, count));
  return EqualParts{units};
}

/// As every part has a unit at least, the bound on the units bounds the parts.
Result<CountedParts> countedParts(const Device& device, const Property* counts) {
  CountedParts parts;
  unsigned left = device.computeUnits();
  for (; *counts != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++counts) {
    WEFT_TRY(const unsigned units, unitCount(device, *counts));
    if (units > left) return clError(CL_INVALID_DEVICE_PARTITION_COUNT);
    left -= units;
    parts.units.push_back(units);
  }
  if (parts.units.empty()) return clError(CL_INVALID_VALUE);
  return parts;
}

Result<DomainParts> domainParts(const Device& device, Property value) {
  const auto units = device.units();
  const auto on = [&](host::Domain domain) -> Result<DomainParts> {
    if (!isKnown(domain, units)) return clError(CL_INVALID_VALUE);
    return DomainParts{domain};
  };
  switch (value) {
    case CL_DEVICE_AFFINITY_DOMAIN_NUMA:
      return on(host::Domain::Numa);
    case CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE:
      return on(host::Domain::L4);
    case CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE:
      return on(host::Domain::L3);
    case CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE:
      return on(host::Domain::L2);
    case CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE:
      return on(host::Domain::L1);
    case CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE:
      // Where there never was a division, the scheme is not supported; else it has come to its end.
      if (device.isRoot() && affinityDomains(units) == 0) return clError(CL_INVALID_VALUE);
      return DomainParts{};
    default:
      return clError(CL_INVALID_VALUE);
  }
}

}  // namespace

Result<PartitionRequest> partition(const Device& device, const Property* list) {
  if (list == nullptr) return clError(CL_INVALID_VALUE);
  PartitionRequest request;
  if (list[0] == CL_DEVICE_PARTITION_BY_COUNTS) {
    WEFT_TRY(CountedParts parts, countedParts(device, list + 1));
    // Two zeros end this list; the second one need not be there for us to read.
    request.list.assign(list, list + 1 + parts.units.size());
    request.list.insert(request.list.end(), {CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
    request.scheme = std::move(parts);
    return request;
  }
  if (list[0] == CL_DEVICE_PARTITION_EQUALLY) {
    WEFT_TRY(request.scheme, equalParts(device, list[1]));
  } else if (list[0] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) {
    WEFT_TRY(request.scheme, domainParts(device, list[1]));
  } else {
    return clError(CL_INVALID_VALUE);
  }
  if (list[2] != 0) return clError(CL_INVALID_VALUE);
  request.list.assign(list, list + 3);
  return request;
}

}  // namespace weft::validate
