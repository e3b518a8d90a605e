// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/stack_slab.h"

#include <sys/mman.h>

#include <cassert>
#include <utility>

#include "weft/support/checked.h"

namespace weft::runtime {
namespace {

constexpr size_t kPage = 4096;
// Three cache lines: a multiple of the line that shares no factor but the line with the page, so
// that the tops of 64 neighbours fall into 64 different sets.
constexpr size_t kColourStep = 192;
#ifdef MADV_GUARD_INSTALL
constexpr int kGuardInstall = MADV_GUARD_INSTALL;
#else
constexpr int kGuardInstall = 102;  // Linux 6.13; older headers do not know it
#endif

/// Guard page, stack, and one page that the colour of the top may take.
std::optional<size_t> strideFor(size_t usableBytes) noexcept {
  const auto padded = checkedAdd<size_t>(usableBytes, 3 * kPage - 1);
  if (!padded) return std::nullopt;
  return *padded & ~(kPage - 1);
}

}  // namespace

std::optional<size_t> StackSlab::mappedBytes(size_t count, size_t usableBytes) noexcept {
  const auto stride = strideFor(usableBytes);
  if (!stride) return std::nullopt;
  return checkedMul(*stride, count);
}

bool StackSlab::lightGuards() noexcept {
  const auto slab = create(1, kPage, GuardKind::Light);
  return slab && slab->guards_ == GuardKind::Light;
}

std::optional<StackSlab> StackSlab::create(size_t count, size_t usableBytes,
                                           GuardKind preferred) noexcept {
  assert(count > 0);
  const auto bytes = mappedBytes(count, usableBytes);
  if (!bytes) return std::nullopt;
  void* memory = mmap(nullptr, *bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return std::nullopt;
  StackSlab slab;
  slab.base_ = static_cast<std::byte*>(memory);
  slab.bytes_ = *bytes;
  slab.count_ = count;
  slab.stride_ = *bytes / count;
  // Huge pages would make every stack cost two megabytes.
  madvise(memory, *bytes, MADV_NOHUGEPAGE);
  if (preferred == GuardKind::Light && slab.installGuards(GuardKind::Light)) return slab;
  if (preferred != GuardKind::Unchecked && slab.installGuards(GuardKind::Mapped)) return slab;
  if (preferred != GuardKind::Unchecked) return std::nullopt;
  mprotect(slab.base_, kPage, PROT_NONE);
  slab.guards_ = GuardKind::Unchecked;
  return slab;
}

bool StackSlab::installGuards(GuardKind kind) noexcept {
  for (size_t i = 0; i < count_; ++i) {
    std::byte* page = base_ + i * stride_;
    const int failed = kind == GuardKind::Light ? madvise(page, kPage, kGuardInstall)
                                                : mprotect(page, kPage, PROT_NONE);
    if (failed) return false;
  }
  guards_ = kind;
  return true;
}

StackSlab::StackSlab(StackSlab&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      stride_(other.stride_),
      count_(std::exchange(other.count_, 0)),
      guards_(other.guards_) {}

StackSlab& StackSlab::operator=(StackSlab&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  std::swap(stride_, other.stride_);
  std::swap(count_, other.count_);
  std::swap(guards_, other.guards_);
  return *this;
}

StackSlab::~StackSlab() {
  if (!base_) return;
#if WEFT_ASAN
  __asan_unpoison_memory_region(base_, bytes_);
#endif
  munmap(base_, bytes_);
}

StackSpan StackSlab::stack(size_t index) const noexcept {
  assert(index < count_);
  std::byte* guard = base_ + index * stride_;
  return {guard + kPage, guard + stride_ - (index * kColourStep) % kPage};
}

void StackSlab::release() noexcept {
  // The guards survive: MADV_DONTNEED leaves protections and guard markers as they are.
  madvise(base_, bytes_, MADV_DONTNEED);
}

}  // namespace weft::runtime
