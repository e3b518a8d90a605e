// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/number_barriers.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

MDNode* siteOf(const Instruction& barrier) {
  LLVMContext& context = barrier.getContext();
  const DILocation* location = barrier.getDebugLoc();
  // Inlined library code: the user wrote the outermost call.
  while (location && location->getInlinedAt()) location = location->getInlinedAt();
  StringRef file = location ? location->getFilename() : StringRef();
  auto* line = ConstantInt::get(Type::getInt32Ty(context), location ? location->getLine() : 0);
  return MDNode::get(context, {MDString::get(context, file), ConstantAsMetadata::get(line)});
}

/// -g makes Clang emit full units; the locations that barriers need alone come without.
bool keepsDebugInfo(const Module& module) {
  return any_of(module.debug_compile_units(), [](const DICompileUnit* unit) {
    return unit->getEmissionKind() != DICompileUnit::NoDebug;
  });
}

}  // namespace

PreservedAnalyses NumberBarriersPass::run(Module& module, ModuleAnalysisManager&) {
  if (Function* barrier = module.getFunction(names::kBarrier)) {
    Type* i32 = Type::getInt32Ty(module.getContext());
    FunctionCallee numbered = module.getOrInsertFunction(
        names::kNumberedBarrier, Type::getVoidTy(module.getContext()), i32, i32, i32);
    auto* target = cast<Function>(numbered.getCallee());
    target->addFnAttr(Attribute::Convergent);
    target->addFnAttr(Attribute::NoUnwind);
    NamedMDNode* sites = module.getOrInsertNamedMetadata(names::kBarrierSites);
    SmallVector<CallInst*> calls;
    for (Function& function : module)
      for (BasicBlock& block : function)
        for (Instruction& instruction : block)
          if (auto* call = dyn_cast<CallInst>(&instruction);
              call && call->getCalledFunction() == barrier)
            calls.push_back(call);
    for (CallInst* call : calls) {
      IRBuilder<> builder(call);
      builder.CreateCall(numbered, {call->getArgOperand(0), call->getArgOperand(1),
                                    builder.getInt32(sites->getNumOperands())});
      sites->addOperand(siteOf(*call));
      call->eraseFromParent();
    }
    if (barrier->use_empty()) barrier->eraseFromParent();
  }
  if (!keepLines_) stripLines(module);
  return PreservedAnalyses::none();
}

void stripLines(Module& module) {
  if (!keepsDebugInfo(module)) StripDebugInfo(module);
}

}  // namespace weft::compiler
