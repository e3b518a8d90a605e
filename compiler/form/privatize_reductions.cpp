// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/privatize_reductions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "ir/names.h"

namespace weft::compiler {

using namespace llvm;

PreservedAnalyses PrivatizeReductionsPass::run(Module& module, ModuleAnalysisManager&) {
  Function* body = module.getFunction(body_);
  if (!body || body->isDeclaration() || kernel_.reductions.empty()) return PreservedAnalyses::all();
  const unsigned hidden = names::hasWorkItem(*body) ? 1 : 0;
  IRBuilder<> builder(&*body->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  PointerType* local = PointerType::get(module.getContext(), names::kLocal);
  MDNode* nothing = MDNode::get(module.getContext(), {});
  for (const Reduction& reduction : kernel_.reductions) {
    Argument* argument = body->getArg(reduction.argument + hidden);
    auto* own = cast<Instruction>(
        builder.CreateAddrSpaceCast(argument, local, argument->getName() + ".own"));
    argument->replaceUsesWithIf(own, [&](const Use& use) { return use.getUser() != own; });
    // Addresses and updates are all that reductionsOf leaves.
    SmallVector<Value*> addresses{own};
    while (!addresses.empty())
      for (User* user : addresses.pop_back_val()->users())
        if (auto* address = dyn_cast<GetElementPtrInst>(user)) {
          address->mutateType(local);
          addresses.push_back(address);
        } else if (settled_ && settles(reduction.operation)) {
          cast<AtomicRMWInst>(user)->setMetadata(names::kSettledUpdate, nothing);
        }
  }
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
