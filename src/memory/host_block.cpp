// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/host_block.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "platform/host_facts.h"
#include "platform/limits.h"
#include "platform/platform.h"
#include "weft/support/checked.h"

namespace weft {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kHugePage = size_t{2} << 20;

/// From here on a block has a mapping of its own.
constexpr size_t kMappedFrom = size_t{256} << 10;

std::byte* map(size_t size) noexcept {
  void* const start =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return start == MAP_FAILED ? nullptr : static_cast<std::byte*>(start);
}

/// Maps `size` bytes, a multiple of a page, so that huge pages fit from the first byte on.
std::byte* mapHuge(size_t size) noexcept {
  const auto room = checkedAdd(size, kHugePage);
  std::byte* const start = room ? map(*room) : nullptr;
  if (start == nullptr) return nullptr;
  const auto address = reinterpret_cast<uintptr_t>(start);
  const size_t before = alignUp<uintptr_t>(address, kHugePage) - address;
  if (before != 0) munmap(start, before);
  if (before != kHugePage) munmap(start + before + size, kHugePage - before);
  madvise(start + before, size, MADV_HUGEPAGE);  // a wish; plain pages are as right
  return start + before;
}

/// From here on it is worth asking the host whether it has that much.
constexpr size_t kAskedFrom = size_t{64} << 20;

/// Whether a block of `size` bytes can be filled, as far as that is known.
bool hostHas(size_t size) noexcept {
  if (size < kAskedFrom) return true;
  try {
    return size <= host::availableMemory();
  } catch (...) {
    return false;  // not even memory for the query
  }
}

/// Bytes of all blocks there are.
std::atomic<uint64_t> allocated{0};

bool takeFromDevice(size_t size) noexcept {
  const uint64_t limit = Platform::instance().device().globalMemory();
  uint64_t before = allocated.load(std::memory_order_relaxed);
  do {
    if (!rangeFits(before, size, limit)) return false;
  } while (!allocated.compare_exchange_weak(before, before + size, std::memory_order_relaxed));
  return true;
}

void giveToDevice(size_t size) noexcept { allocated.fetch_sub(size, std::memory_order_relaxed); }

constexpr size_t alignmentOf(size_t size) {
  return size < kPage ? limits::kMemoryAlignment : kPage;
}
constexpr size_t roundedSize(size_t size) { return alignUp(size, alignmentOf(size)); }

std::byte* get(size_t size) noexcept {
  if (!hostHas(size)) return nullptr;
  const size_t rounded = roundedSize(size);
  if (rounded < kMappedFrom) {
    auto* const start = static_cast<std::byte*>(std::aligned_alloc(alignmentOf(size), rounded));
    if (start != nullptr) std::memset(start, 0, rounded);
    return start;
  }
  return rounded < kHugePage ? map(rounded) : mapHuge(rounded);
}

}  // namespace

HostBlock HostBlock::allocate(size_t size) noexcept {
  HostBlock block;
  if (size > SIZE_MAX - kPage || !takeFromDevice(size)) return block;
  block.data_ = get(size);
  if (block.data_ == nullptr) {
    giveToDevice(size);
    return block;
  }
  block.size_ = size;
  return block;
}

HostBlock::~HostBlock() {
  if (data_ == nullptr) return;
  if (roundedSize(size_) < kMappedFrom)
    std::free(data_);
  else
    munmap(data_, roundedSize(size_));
  giveToDevice(size_);
}

}  // namespace weft
