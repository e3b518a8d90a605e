// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/host_block.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

#include "platform/limits.h"
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

}  // namespace

HostBlock HostBlock::allocate(size_t size) noexcept {
  HostBlock block;
  const size_t alignment = size < kPage ? limits::kMemoryAlignment : kPage;
  if (size > SIZE_MAX - kPage) return block;
  const size_t rounded = alignUp(size, alignment);
  if (rounded < kMappedFrom) {
    block.data_ = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded));
    return block;
  }
  block.data_ = rounded < kHugePage ? map(rounded) : mapHuge(rounded);
  if (block.data_) block.mapped_ = rounded;
  return block;
}

HostBlock::~HostBlock() {
  if (mapped_ != 0)
    munmap(data_, mapped_);
  else
    std::free(data_);
}

}  // namespace weft
