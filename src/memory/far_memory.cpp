// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/far_memory.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>

#include "weft/compiler/compiler.h"

namespace weft {
namespace {

std::atomic<size_t> count{0};

bool isMapped(uintptr_t address) noexcept {
  constexpr uintptr_t kPage = 4096;
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(address & ~(kPage - 1)), 1, &resident) == 0;
}

}  // namespace

void FarMemory::add(size_t size) noexcept {
  if (size >= compiler::kFarBytes) count.fetch_add(1, std::memory_order_relaxed);
}

void FarMemory::remove(size_t size) noexcept {
  if (size >= compiler::kFarBytes) count.fetch_sub(1, std::memory_order_relaxed);
}

bool FarMemory::exists() noexcept { return count.load(std::memory_order_relaxed) != 0; }

bool FarMemory::mayHold(const void* pointer) noexcept {
  constexpr uintptr_t kHalf = compiler::kFarBytes / 2 - 1;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  return address != 0 &&
         (isMapped(address + kHalf) || (address > kHalf && isMapped(address - kHalf)));
}

}  // namespace weft
