// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lower_local.h"

#include <llvm/ADT/MapVector.h>

#include "ir/abi_access.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

uint64_t offsetOf(const GlobalVariable& variable) {
  const MDNode* node = variable.getMetadata(names::kLocalOffset);
  return node ? mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue() : 0;
}

/// Where `variable` lies, as a pointer made at `builder`.
Value* addressOf(IRBuilder<>& builder, const GlobalVariable& variable) {
  const uint64_t alignment = variable.getAlign().valueOrOne().value();
  const bool movesUp = alignment > abi::kLocalMemoryAlignment;
  const uint64_t room = movesUp ? alignment - abi::kLocalMemoryAlignment : 0;
  const uint64_t offset = offsetOf(variable) + room;
  Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                      AbiAccess(builder).localMemory(), offset);
  if (!movesUp) return address;
  return builder.CreateIntrinsic(Intrinsic::ptrmask, {address->getType(), builder.getInt64Ty()},
                                 {address, builder.getInt64(-alignment)});
}

}  // namespace

PreservedAnalyses LowerLocalPass::run(Module& module, ModuleAnalysisManager&) {
  for (GlobalVariable& variable : make_early_inc_range(module.globals())) {
    if (variable.getAddressSpace() != names::kLocal) continue;
    // One address for each function, at its entry, where it dominates every use.
    DenseMap<Function*, Value*> addresses;
    for (Use& use : make_early_inc_range(variable.uses())) {
      auto* instruction = dyn_cast<Instruction>(use.getUser());
      if (!instruction || !names::hasWorkItem(*instruction->getFunction())) continue;
      Value*& address = addresses[instruction->getFunction()];
      if (!address) {
        IRBuilder<> builder(&*instruction->getFunction()->getEntryBlock().getFirstInsertionPt());
        address = addressOf(builder, variable);
        if (!variable.getName().empty()) address->setName(variable.getName());
      }
      use.set(address);
    }
    if (variable.use_empty()) variable.eraseFromParent();
  }
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
