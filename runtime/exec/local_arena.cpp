// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/local_arena.h"

#include <sys/mman.h>

#include "weft/abi/work_group.h"
#include "weft/support/checked.h"

namespace weft::runtime {
namespace {

constexpr uint64_t kPage = 4096;

}  // namespace

LocalArena::~LocalArena() {
  if (base_) munmap(base_, mappedBytes_);
}

bool LocalArena::map() noexcept {
  const auto padded = checkedAdd<uint64_t>(maxBytes_, 2 * kMargin + 2 * kPage);
  if (!padded) return false;
  const size_t usable = alignUp<uint64_t>(maxBytes_ + 1, kPage) + 2 * kMargin;
  void* memory = mmap(nullptr, usable + kPage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  base_ = static_cast<uint8_t*>(memory);
  mappedBytes_ = usable + kPage;
  backed_ = base_ + usable;
  end_ = backed_ - kMargin;
  mprotect(backed_, kPage, PROT_NONE);
  return true;
}

uint8_t* LocalArena::block(uint64_t bytes) noexcept {
  if (bytes > maxBytes_) return nullptr;
  if (!base_ && !map()) return nullptr;
  uint8_t* const start = end_ - alignUp<uint64_t>(bytes, abi::kLocalMemoryAlignment);
  if (bytes == 0) return start;
  while (backed_ > start - kMargin) {
    backed_ -= kPage;
    *static_cast<volatile uint8_t*>(backed_) = 0;
  }
  return start;
}

}  // namespace weft::runtime
