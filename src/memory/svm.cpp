// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/svm.h"

#include <iterator>
#include <utility>

#include "base/process_wide.h"
#include "context/context.h"

namespace weft {
namespace {

uintptr_t addressOf(const void* pointer) noexcept { return reinterpret_cast<uintptr_t>(pointer); }

}  // namespace

SvmRegistry& SvmRegistry::instance() noexcept {
  static constinit ProcessWide<SvmRegistry> registry;
  return registry.get();
}

SvmRegistry::SvmRegistry() = default;
SvmRegistry::~SvmRegistry() = default;

void* SvmRegistry::allocate(Context& context, size_t size, const SvmTraits& traits) {
  HostBlock block = HostBlock::allocate(size);
  if (!block) return nullptr;
  void* const pointer = block.data();
  Allocation allocation{std::move(block), size, traits, Ref<Context>(&context)};
  MutexLock lock(mutex_);
  allocations_.emplace(addressOf(pointer), std::move(allocation));
  return pointer;
}

bool SvmRegistry::free(const Context& context, void* pointer, bool usm) noexcept {
  Allocations::node_type freed;  // given back without the lock, after nobody can find it any more
  MutexLock lock(mutex_);
  const auto found = allocations_.find(addressOf(pointer));
  if (found == allocations_.end() || found->second.context.get() != &context ||
      isUsm(found->second.traits.kind) != usm)
    return false;
  freed = allocations_.extract(found);
  lock.unlock();
  return true;
}

std::optional<SvmRange> SvmRegistry::find(const Context& context, const void* pointer) noexcept {
  MutexLock lock(mutex_);
  const auto after = allocations_.upper_bound(addressOf(pointer));
  if (after == allocations_.begin()) return std::nullopt;
  const auto& [base, allocation] = *std::prev(after);
  if (addressOf(pointer) - base >= allocation.size || allocation.context.get() != &context)
    return std::nullopt;
  return SvmRange{allocation.block.data(), allocation.size, allocation.traits};
}

std::optional<SvmRange> SvmRegistry::findSvm(const Context& context, const void* pointer) noexcept {
  std::optional<SvmRange> found = find(context, pointer);
  if (found && isUsm(found->traits.kind)) found.reset();
  return found;
}

// Held for a bounded number of steps by whoever has it.
void SvmRegistry::prepareFork() noexcept { mutex_.lock(); }

void SvmRegistry::afterForkInParent() noexcept { mutex_.unlock(); }

void SvmRegistry::afterForkInChild() noexcept { mutex_.unlock(); }

}  // namespace weft
