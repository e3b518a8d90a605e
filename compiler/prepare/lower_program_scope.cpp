// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lower_program_scope.h"

#include "ir/abi_access.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// The address of a variable at the entry of a function, where it dominates every use.
Value* addressIn(Function& function, const GlobalVariable& variable, uint64_t offset) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  Value* block = AbiAccess(builder).programScope(variable.getAddressSpace());
  Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, offset);
  if (variable.hasName()) address->setName(variable.getName());
  return address;
}

}  // namespace

PreservedAnalyses LowerProgramScopePass::run(Module& module, ModuleAnalysisManager&) {
  SmallVector<GlobalVariable*> lowered;
  for (GlobalVariable& variable : module.globals()) {
    const auto offset = names::programOffset(variable);
    if (!offset) continue;
    lowered.push_back(&variable);
    DenseMap<Function*, Value*> addresses;
    for (Use& use : make_early_inc_range(variable.uses())) {
      auto* instruction = dyn_cast<Instruction>(use.getUser());
      if (!instruction || !names::hasWorkItem(*instruction->getFunction())) continue;
      Value*& address = addresses[instruction->getFunction()];
      if (!address) address = addressIn(*instruction->getFunction(), variable, *offset);
      use.set(address);
    }
  }
  // What is left are uses by one another's initialisers.
  for (GlobalVariable* variable : lowered) variable->setInitializer(nullptr);
  for (GlobalVariable* variable : lowered) {
    variable->removeDeadConstantUsers();
    if (variable->use_empty()) variable->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
