// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/number_barriers.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

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

/// The declaration that takes an id besides what `barrier` does.
FunctionCallee numberedForm(Function& barrier) {
  StringRef name = barrier.getName();
  const std::string numbered = name.consume_front(names::kCollectivePrefix)
                                   ? (names::kNumberedCollectivePrefix + name).str()
                                   : names::kNumberedBarrier;
  SmallVector<Type*> types(barrier.getFunctionType()->params());
  types.push_back(Type::getInt32Ty(barrier.getContext()));
  FunctionCallee made = barrier.getParent()->getOrInsertFunction(
      numbered, FunctionType::get(barrier.getReturnType(), types, false));
  auto* function = cast<Function>(made.getCallee());
  function->addFnAttr(Attribute::Convergent);
  function->addFnAttr(Attribute::NoUnwind);
  return made;
}

}  // namespace

PreservedAnalyses NumberBarriersPass::run(Module& module, ModuleAnalysisManager&) {
  for (Function& function : module) {
    if (!names::isSubGroupOperation(function)) continue;
    // Convergent as they are, they may not move, whatever they touch.
    function.setOnlyAccessesInaccessibleMemory();
    function.setDoesNotThrow();
    function.setWillReturn();
  }
  SmallVector<Function*> barriers;
  for (Function& function : module)
    if (function.isDeclaration() && names::isBarrierOfLibrary(function))
      barriers.push_back(&function);
  SmallVector<CallInst*> calls;
  if (!barriers.empty())
    for (Function& function : module)
      for (Instruction& instruction : instructions(function))
        if (auto* call = dyn_cast<CallInst>(&instruction);
            call && is_contained(barriers, call->getCalledFunction()))
          calls.push_back(call);
  if (!calls.empty()) {
    NamedMDNode* sites = module.getOrInsertNamedMetadata(names::kBarrierSites);
    for (CallInst* call : calls) {
      IRBuilder<> builder(call);
      SmallVector<Value*> arguments(call->args());
      arguments.push_back(builder.getInt32(sites->getNumOperands()));
      sites->addOperand(siteOf(*call));
      call->replaceAllUsesWith(
          builder.CreateCall(numberedForm(*call->getCalledFunction()), arguments));
      call->eraseFromParent();
    }
  }
  for (Function* barrier : barriers)
    if (barrier->use_empty()) barrier->eraseFromParent();
  if (!keepLines_) stripLines(module);
  return PreservedAnalyses::none();
}

void stripLines(Module& module) {
  if (!keepsDebugInfo(module)) StripDebugInfo(module);
}

}  // namespace weft::compiler
