// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/device.h"

#include <algorithm>
#include <bit>

#include "config/config.h"
#include "platform/host_facts.h"
#include "platform/platform.h"
#include "weft/runtime/cpus.h"

namespace weft {
namespace {

/// Local memory is an arena in each worker's cache. Half of the second-level cache leaves room for
/// the kernel's other data; more would invite programs to size their tiles out of the cache.
uint64_t localMemoryBytes(uint64_t l2Bytes) {
  return std::clamp(std::bit_floor(l2Bytes / 2), limits::kMinLocalMemory, limits::kMaxLocalMemory);
}

DeviceFacts gatherFacts() {
  const host::Caches caches = host::caches();
  const host::CpuVendor vendor = host::cpuVendor();
  DeviceFacts facts;
  facts.name = host::cpuName();
  facts.vendor = vendor.name;
  facts.vendorId = vendor.pciId;
  facts.computeUnits =
      config().threads != 0 ? config().threads : std::max(1u, runtime::availableCpus());
  facts.clockMHz = host::clockMHz();
  facts.cacheBytes = caches.lastLevelBytes;
  facts.cacheLineBytes = caches.lineBytes;
  facts.globalMemory = host::usableMemory();
  // A program that sizes its buffers by this figure can still have two of them.
  facts.maxAllocation =
      facts.globalMemory / 2 / limits::kMemoryAlignment * limits::kMemoryAlignment;
  facts.maxConstantBuffer = std::min(facts.maxAllocation, limits::kMaxConstantBufferSize);
  facts.localMemory = localMemoryBytes(caches.l2Bytes);
  facts.vectorBytes = host::vectorBytes();
  facts.fma = host::hasFma();
  return facts;
}

}  // namespace

Device::Device(Platform& platform)
    : Object(&platform), platform_(platform), facts_(gatherFacts()) {}

}  // namespace weft
