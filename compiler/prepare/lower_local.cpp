// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lower_local.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>

#include "ir/abi_access.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Local variables of a program; each access lists all others.
constexpr size_t kMostToldApart = 64;

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

/// The local variable that an access is to; null where it may be another one.
const GlobalVariable* variableOf(const Instruction& access) {
  const Value* pointer = getLoadStorePointerOperand(&access);
  const auto* variable = pointer ? dyn_cast<GlobalVariable>(getUnderlyingObject(pointer)) : nullptr;
  return variable && variable->getAddressSpace() == names::kLocal ? variable : nullptr;
}

/// Says of accesses to different variables that they do not meet: all that is left of these are
/// places in one arena.
void tellApart(Module& module) {
  LLVMContext& context = module.getContext();
  MDBuilder metadata(context);
  MapVector<const GlobalVariable*, MDNode*> scopes;
  MDNode* domain = metadata.createAnonymousAliasScopeDomain("local");
  for (const GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == names::kLocal)
      scopes[&variable] = metadata.createAnonymousAliasScope(domain, variable.getName());
  if (scopes.size() < 2 || scopes.size() > kMostToldApart) return;
  DenseMap<const GlobalVariable*, std::pair<MDNode*, MDNode*>> facts;
  for (const auto& [variable, scope] : scopes) {
    SmallVector<Metadata*> others;
    for (const auto& [other, itsScope] : scopes)
      if (other != variable) others.push_back(itsScope);
    facts[variable] = {MDNode::get(context, scope), MDNode::get(context, others)};
  }
  for (Function& function : module)
    for (Instruction& instruction : instructions(function)) {
      const GlobalVariable* variable = variableOf(instruction);
      if (!variable) continue;
      const auto add = [&](unsigned kind, MDNode* fact) {
        instruction.setMetadata(kind, MDNode::concatenate(instruction.getMetadata(kind), fact));
      };
      const auto& [scope, others] = facts[variable];
      add(LLVMContext::MD_alias_scope, scope);
      add(LLVMContext::MD_noalias, others);
    }
}

}  // namespace

PreservedAnalyses LowerLocalPass::run(Module& module, ModuleAnalysisManager&) {
  tellApart(module);
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
