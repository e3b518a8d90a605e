// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/partition.h"

#include <algorithm>
#include <array>

namespace weft {
namespace {

using host::CpuPlace;
using host::Domain;

constexpr std::array<cl_device_affinity_domain, host::kDomains> kDomainBits{
    CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};

cl_device_affinity_domain bitOf(Domain domain) noexcept {
  return kDomainBits[static_cast<size_t>(domain)];
}

bool divides(Domain domain, std::span<const ComputeUnit> units) noexcept {
  return isKnown(domain, units) && std::ranges::any_of(units, [&](const ComputeUnit& unit) {
           return unit.place.in(domain) != units.front().place.in(domain);
         });
}

std::optional<Domain> firstDivision(std::span<const ComputeUnit> units) noexcept {
  for (size_t i = 0; i < host::kDomains; ++i)
    if (divides(static_cast<Domain>(i), units)) return static_cast<Domain>(i);
  return std::nullopt;
}

std::vector<unsigned> cpusOf(std::span<const CpuPlace> places) {
  std::vector<unsigned> cpus;
  for (const CpuPlace& place : places) cpus.push_back(place.cpu);
  return cpus;
}

/// A part of neighbouring units, made by number.
DevicePart countedPart(const PartitionInput& input, std::span<const ComputeUnit> units,
                       const PartitionRequest& request) {
  DevicePart part;
  part.list = request.list;
  for (const ComputeUnit& unit : units) part.slots.push_back(unit.slot);
  if (input.pinAll && !input.places.empty()) {
    for (const ComputeUnit& unit : units) part.cpus.push_back(unit.place.cpu);
  } else if (input.isPinned) {
    part.cpus = cpusOf(input.places);
  }
  return part;
}

Result<std::vector<DevicePart>> split(const PartitionInput& input, const EqualParts& scheme,
                                      const PartitionRequest& request) {
  const size_t count = input.units.size() / scheme.units;
  if (count < 2) return clError(CL_DEVICE_PARTITION_FAILED);
  std::vector<DevicePart> parts;
  for (size_t i = 0; i < count; ++i)
    parts.push_back(
        countedPart(input, input.units.subspan(i * scheme.units, scheme.units), request));
  return parts;
}

Result<std::vector<DevicePart>> split(const PartitionInput& input, const CountedParts& scheme,
                                      const PartitionRequest& request) {
  if (input.units.size() < 2) return clError(CL_DEVICE_PARTITION_FAILED);
  std::vector<DevicePart> parts;
  size_t first = 0;
  for (const unsigned count : scheme.units) {
    parts.push_back(countedPart(input, input.units.subspan(first, count), request));
    first += count;
  }
  return parts;
}

Result<std::vector<DevicePart>> split(const PartitionInput& input, const DomainParts& scheme,
                                      const PartitionRequest&) {
  const auto domain = scheme.domain ? scheme.domain : firstDivision(input.units);
  if (!domain || !divides(*domain, input.units)) return clError(CL_DEVICE_PARTITION_FAILED);
  const std::vector<cl_device_partition_property> list{
      CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
      static_cast<cl_device_partition_property>(bitOf(*domain)), 0};
  std::vector<unsigned> shared;  // what the units of each part share, in order
  std::vector<DevicePart> parts;
  for (const ComputeUnit& unit : input.units) {
    const unsigned what = unit.place.in(*domain);
    const auto index = static_cast<size_t>(std::ranges::find(shared, what) - shared.begin());
    if (index == shared.size()) {
      shared.push_back(what);
      parts.emplace_back().list = list;
      for (const CpuPlace& place : input.places)
        if (place.in(*domain) == what) parts.back().cpus.push_back(place.cpu);
    }
    parts[index].slots.push_back(unit.slot);
  }
  return parts;
}

}  // namespace

std::vector<ComputeUnit> spreadUnits(unsigned count, std::span<const CpuPlace> places) {
  std::vector<ComputeUnit> units(count);
  for (unsigned i = 0; i < count; ++i) {
    units[i].slot = i;
    if (!places.empty()) units[i].place = places[size_t{i} * places.size() / count];
  }
  return units;
}

Result<std::vector<DevicePart>> partition(const PartitionInput& input,
                                          const PartitionRequest& request) {
  return std::visit([&](const auto& scheme) { return split(input, scheme, request); },
                    request.scheme);
}

cl_device_affinity_domain affinityDomains(std::span<const ComputeUnit> units) noexcept {
  cl_device_affinity_domain bits = 0;
  for (size_t i = 0; i < host::kDomains; ++i)
    if (divides(static_cast<Domain>(i), units)) bits |= kDomainBits[i];
  return bits == 0 ? 0 : bits | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
}

bool isKnown(Domain domain, std::span<const ComputeUnit> units) noexcept {
  return std::ranges::all_of(
      units, [&](const ComputeUnit& unit) { return unit.place.in(domain) != CpuPlace::kNone; });
}

}  // namespace weft
