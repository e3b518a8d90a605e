// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/device.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

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
  facts.computeUnits = config().threads != 0 ? std::min(config().threads, runtime::kMaxWorkers)
                                             : std::max(1u, runtime::availableCpus());
  facts.cpus = runtime::allowedCpus();
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

DeviceFacts factsOfPart(const DeviceFacts& whole, const DevicePart& part) {
  DeviceFacts facts = whole;
  facts.computeUnits = static_cast<cl_uint>(part.slots.size());
  return facts;
}

/// What `slot` points to, made by the first of those who ask.
template <class T, class Make>
T* madeOnce(std::atomic<T*>& slot, Make make) {
  if (T* const ready = slot.load(std::memory_order_acquire)) return ready;
  std::unique_ptr<T> mine = make();
  T* made = nullptr;
  if (!slot.compare_exchange_strong(made, mine.get(), std::memory_order_acq_rel)) return made;
  return mine.release();
}

}  // namespace

Device::Device(Platform& platform) : platform_(platform), facts_(gatherFacts()) {}

Device::Device(Device& parent, DevicePart part)
    : platform_(parent.platform_),
      parent_(&parent),
      facts_(factsOfPart(parent.facts_, part)),
      part_(std::move(part)) {}

Device::~Device() {
  delete hostPlaces_.load(std::memory_order_acquire);
  delete workers_.load(std::memory_order_acquire);
  delete fewerWorkers_.load(std::memory_order_acquire);
}

const std::vector<host::CpuPlace>& Device::hostPlaces() const {
  const Device& device = root();
  return *madeOnce(device.hostPlaces_, [&] {
    return std::make_unique<const std::vector<host::CpuPlace>>(host::cpuPlaces(device.facts_.cpus));
  });
}

std::vector<host::CpuPlace> Device::places() const {
  std::vector<host::CpuPlace> all = hostPlaces();
  if (!part_.cpus.empty())
    std::erase_if(all, [&](const host::CpuPlace& place) {
      return std::ranges::find(part_.cpus, place.cpu) == part_.cpus.end();
    });
  return all;
}

std::vector<ComputeUnit> Device::units() const {
  std::vector<ComputeUnit> all = spreadUnits(root().computeUnits(), hostPlaces());
  if (isRoot()) return all;
  std::vector<ComputeUnit> own;
  for (const unsigned slot : part_.slots) own.push_back(all[slot]);
  return own;
}

Result<std::vector<DevicePart>> Device::partition(const PartitionRequest& request) const {
  const auto allUnits = units();
  const auto allPlaces = places();
  return weft::partition({.units = allUnits,
                          .places = allPlaces,
                          .isPinned = !part_.cpus.empty(),
                          .pinAll = config().pin},
                         request);
}

runtime::WorkerSet* Device::workers(runtime::Executor& executor) const {
  if (isRoot()) return nullptr;
  return madeOnce(workers_, [&] { return executor.createWorkerSet(part_.slots, part_.cpus); });
}

runtime::WorkerSet* Device::fewerWorkers(runtime::Executor& executor) const {
  if (computeUnits() < 2) return workers(executor);
  return madeOnce(fewerWorkers_, [&] {
    std::vector<unsigned> half = part_.slots;
    if (isRoot())
      for (unsigned slot = 0; slot < computeUnits(); ++slot) half.push_back(slot);
    half.resize((half.size() + 1) / 2);
    return executor.createWorkerSet(half, part_.cpus);
  });
}

}  // namespace weft
