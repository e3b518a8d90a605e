// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/synchronisation.h"

#include <llvm/IR/MemoryModelRelaxationAnnotations.h>

namespace weft::compiler {

using namespace llvm;

namespace {

constexpr uint64_t kScopeWorkItem = 0;
constexpr const char* kFencedSpace = "opencl-fence-space";
constexpr struct {
  uint64_t flag;  ///< of cl_mem_fence_flags
  const char* name;
} kSpaces[] = {{1, "local"}, {2, "global"}, {4, "image"}};

}  // namespace

AtomicOrdering orderOf(const Value* order) {
  const auto* constant = dyn_cast<ConstantInt>(order);
  if (!constant) return AtomicOrdering::SequentiallyConsistent;
  switch (constant->getZExtValue()) {
    case 0:
      return AtomicOrdering::Monotonic;
    case 1:  // consume
    case 2:
      return AtomicOrdering::Acquire;
    case 3:
      return AtomicOrdering::Release;
    case 4:
      return AtomicOrdering::AcquireRelease;
    default:
      return AtomicOrdering::SequentiallyConsistent;
  }
}

AtomicOrdering loadOrder(AtomicOrdering order) {
  switch (order) {
    case AtomicOrdering::Release:
      return AtomicOrdering::Monotonic;
    case AtomicOrdering::AcquireRelease:
      return AtomicOrdering::Acquire;
    default:
      return order;
  }
}

AtomicOrdering storeOrder(AtomicOrdering order) {
  switch (order) {
    case AtomicOrdering::Acquire:
      return AtomicOrdering::Monotonic;
    case AtomicOrdering::AcquireRelease:
      return AtomicOrdering::Release;
    default:
      return order;
  }
}

SyncScope::ID scopeOf(const Value* scope) {
  const auto* constant = dyn_cast<ConstantInt>(scope);
  return constant && constant->getZExtValue() == kScopeWorkItem ? SyncScope::SingleThread
                                                                : SyncScope::System;
}

void makePlain(Instruction& access) {
  if (auto* load = dyn_cast<LoadInst>(&access))
    load->setVolatile(false);
  else
    cast<StoreInst>(access).setVolatile(false);
}

void annotateSpaces(FenceInst& fence, const Value* flags) {
  const auto* constant = dyn_cast<ConstantInt>(flags);
  if (!constant) return;
  SmallVector<MMRAMetadata::TagT> tags;
  for (const auto& space : kSpaces)
    if (constant->getZExtValue() & space.flag) tags.push_back({kFencedSpace, space.name});
  fence.setMetadata(LLVMContext::MD_mmra, MMRAMetadata::getMD(fence.getContext(), tags));
}

bool ordersLocalMemoryAlone(const FenceInst& fence) {
  const MMRAMetadata tags(fence);
  if (!tags.hasTag(kFencedSpace, "local")) return false;
  return none_of(tags, [](const MMRAMetadata::TagT& tag) {
    return tag.first == kFencedSpace && tag.second != "local";
  });
}

}  // namespace weft::compiler
