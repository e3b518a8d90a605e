// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/lane_pool.h"

#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <new>

#include "weft/support/checked.h"

namespace weft::runtime {
namespace {

constexpr size_t kMinStackBytes = size_t{16} << 10;
constexpr size_t kMinGrowth = 16;
constexpr size_t kMiB = size_t{1} << 20;

/// Kernel frames go from a few bytes to megabytes; two classes for each power of two waste a
/// third at most.
std::optional<size_t> sizeClass(uint64_t bytes) noexcept {
  if (bytes > (uint64_t{1} << 46)) return std::nullopt;
  size_t size = kMinStackBytes;
  while (size < bytes) {
    if (size + size / 2 >= bytes) return size + size / 2;
    size *= 2;
  }
  return size;
}

size_t mappingLimit() noexcept {
  constexpr size_t kSystemDefault = 65530;
  size_t limit = kSystemDefault;
  if (FILE* file = std::fopen("/proc/sys/vm/max_map_count", "re")) {
    if (std::fscanf(file, "%zu", &limit) != 1) limit = kSystemDefault;
    std::fclose(file);
  }
  return limit;
}

size_t signalFrameBytes() noexcept {
  constexpr size_t kOlderKernels = 4096;  // a frame with AVX-512 state
#ifdef AT_MINSIGSTKSZ
  return std::max<size_t>(kOlderKernels, getauxval(AT_MINSIGSTKSZ));
#else
  return kOlderKernels;
#endif
}

}  // namespace

LaneLimits defaultLaneLimits(size_t maxLanes, unsigned slots, uint64_t totalBytes) noexcept {
  if (totalBytes == 0) {
    const long pages = sysconf(_SC_PHYS_PAGES);
    totalBytes = pages > 0 ? static_cast<uint64_t>(pages) * 4096 / 2 : 1024 * kMiB;
  }
  LaneLimits limits;
  limits.maxLanes = maxLanes;
  // Address space: what is not touched costs nothing. The least holds the largest group of a kernel
  // with little private memory, and groups of the size that kernels with more of it advertise.
  limits.maxBytes = std::clamp(totalBytes / slots, 256 * kMiB, 4096 * kMiB);
  limits.keptBytes = std::clamp(totalBytes / slots / 32, 16 * kMiB, 128 * kMiB);
  // A guard of its own splits the mapping in two; the application needs mappings as well.
  limits.mappedGuards = mappingLimit() / 4 / slots / 2;
  limits.preferredGuard = StackSlab::lightGuards() ? GuardKind::Light : GuardKind::Mapped;
  // The services and libm use little stack; printf formats on the thread's own stack.
  limits.stackMargin = signalFrameBytes() + 8192 + (WEFT_ASAN || WEFT_TSAN ? 32768 : 0);
  return limits;
}

std::optional<size_t> LaneLimits::stackBytes(uint64_t frameBytes) const noexcept {
  const auto needed = checkedAdd<uint64_t>(frameBytes, stackMargin);
  return needed ? sizeClass(*needed) : std::nullopt;
}

bool LaneLimits::allow(uint64_t count, uint64_t frameBytes) const noexcept {
  const auto stack = stackBytes(frameBytes);
  const auto bytes =
      count <= maxLanes && stack ? StackSlab::mappedBytes(count, *stack) : std::nullopt;
  return bytes && *bytes <= maxBytes;
}

std::unique_ptr<LaneSet> LaneSet::create(size_t stackBytes, size_t maxLanes) noexcept {
  void* memory = mmap(nullptr, maxLanes * sizeof(Lane), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  std::unique_ptr<LaneSet> set(new (std::nothrow)
                                   LaneSet(static_cast<Lane*>(memory), maxLanes, stackBytes));
  if (!set) munmap(memory, maxLanes * sizeof(Lane));
  return set;
}

LaneSet::~LaneSet() {
  for (size_t i = 0; i < capacity_; ++i) {
    lanes_[i].drop();
    lanes_[i].~Lane();
  }
  munmap(lanes_, maxLanes_ * sizeof(Lane));
}

size_t LaneSet::mappedBytes() const noexcept {
  size_t bytes = 0;
  for (const StackSlab& slab : slabs_) bytes += slab.mappedBytes();
  return bytes;
}

bool LaneSet::grow(size_t count, GuardKind guard, LaneRunner& runner, Fiber::Body body) noexcept {
  assert(capacity_ + count <= maxLanes_);
  // Without guards of their own stacks get twice the room instead.
  const size_t bytes = guard == GuardKind::Unchecked ? 2 * stackBytes_ : stackBytes_;
  auto slab = StackSlab::create(count, bytes, guard);
  // The system may run out of mappings before our own bound on guards does.
  if (!slab && guard == GuardKind::Mapped)
    slab = StackSlab::create(count, 2 * stackBytes_, GuardKind::Unchecked);
  if (!slab) return false;
  try {
    slabs_.push_back(std::move(*slab));
  } catch (const std::bad_alloc&) {
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    Lane* lane = new (&lanes_[capacity_]) Lane;
    lane->stack = slabs_.back().stack(i);
    lane->runner = &runner;
    lane->create(lane->stack, body);
    ++capacity_;
  }
  return true;
}

void LaneSet::reset(size_t count, Fiber::Body body) noexcept {
  for (size_t i = 0; i < count; ++i) {
    lanes_[i].drop();
    lanes_[i].mxcsr = 0;
    lanes_[i].create(lanes_[i].stack, body);
  }
}

LaneSet* LanePool::find(size_t stackBytes) noexcept {
  for (const auto& set : sets_)
    if (set->stackBytes() == stackBytes) return set.get();
  return nullptr;
}

LaneSet* LanePool::add(size_t stackBytes) noexcept {
  auto created = LaneSet::create(stackBytes, limits_.maxLanes);
  if (!created) return nullptr;
  try {
    sets_.push_back(std::move(created));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return sets_.back().get();
}

/// Drops sets of other sizes until `bytes` more are within what is kept; whether they are within
/// the limits then.
bool LanePool::makeRoom(size_t bytes, const LaneSet* keep) noexcept {
  const auto fits = [&](size_t limit) { return rangeFits(mappedBytes_, bytes, limit); };
  for (size_t i = sets_.size(); i-- > 0 && !fits(limits_.keptBytes);) {
    if (sets_[i].get() == keep) continue;
    mappedBytes_ -= sets_[i]->mappedBytes();
    sets_.erase(sets_.begin() + static_cast<ptrdiff_t>(i));
  }
  return fits(limits_.maxBytes);
}

GuardKind LanePool::chooseGuard(size_t count) const noexcept {
  size_t lanes = 0;
  for (const auto& set : sets_) lanes += set->capacity();
  if (limits_.preferredGuard == GuardKind::Mapped && lanes + count > limits_.mappedGuards)
    return GuardKind::Unchecked;
  return limits_.preferredGuard;
}

LaneSet* LanePool::acquire(size_t count, uint64_t frameBytes) noexcept {
  if (count == 0 || count > limits_.maxLanes) return nullptr;
  const auto stackBytes = limits_.stackBytes(frameBytes);
  if (!stackBytes) return nullptr;
  LaneSet* set = find(*stackBytes);
  if (set && set->capacity() >= count) {
    // What an earlier launch needed a great deal of is not held for ever.
    if (mappedBytes_ > limits_.keptBytes) makeRoom(0, set);
    return set;
  }

  const size_t have = set ? set->capacity() : 0;
  // Grown in steps, so that groups of slowly rising size do not add a slab each time.
  const size_t wanted = std::min(std::max({count, have + have / 2, kMinGrowth}), limits_.maxLanes);
  for (const size_t target : {wanted, count}) {
    const auto bytes = StackSlab::mappedBytes(target - have, *stackBytes);
    if (!bytes || !makeRoom(*bytes, set)) continue;
    if (!set) set = add(*stackBytes);
    if (!set) return nullptr;
    const size_t before = set->mappedBytes();
    const bool grown = set->grow(target - have, chooseGuard(target - have), runner_, body_);
    mappedBytes_ += set->mappedBytes() - before;
    if (grown) return set;
  }
  return nullptr;
}

}  // namespace weft::runtime
