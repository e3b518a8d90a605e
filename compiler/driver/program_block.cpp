// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/program_block.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace weft::compiler {

std::unique_ptr<ProgramBlock> ProgramBlock::create(const ProgramScope& scope) noexcept {
  const size_t size = std::max<size_t>(scope.bytes, 1);
  // Pages of its own: aligned for every variable, and most of a large zero one is never touched.
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  std::unique_ptr<ProgramBlock> block(new (std::nothrow) ProgramBlock(data, size));
  if (!block) {
    munmap(data, size);
    return nullptr;
  }
  auto* bytes = static_cast<std::byte*>(data);
  std::memcpy(bytes, scope.image.data(), scope.image.size());
  for (const ProgramScope::Pointer& pointer : scope.pointers) {
    const std::byte* target = bytes + pointer.target;
    std::memcpy(bytes + pointer.at, &target, sizeof target);
  }
  return block;
}

ProgramBlock::~ProgramBlock() { munmap(data_, bytes_); }

}  // namespace weft::compiler
