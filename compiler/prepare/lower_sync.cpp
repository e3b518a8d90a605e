// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lower_sync.h"

#include "ir/abi_access.h"
#include "ir/barriers.h"
#include "ir/names.h"
#include "ir/synchronisation.h"
#include "weft/abi/services.h"

namespace weft::compiler {
namespace {

using namespace llvm;

void lowerFence(CallInst& call) {
  AtomicOrdering order = orderOf(call.getArgOperand(1));
  if (order == AtomicOrdering::Monotonic) return;  // a relaxed fence orders nothing
  const auto* flags = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (flags && flags->isZero()) return;
  annotateSpaces(*IRBuilder<>(&call).CreateFence(order, scopeOf(call.getArgOperand(2))),
                 call.getArgOperand(0));
}

void lowerBarrier(CallInst& call) {
  IRBuilder<> builder(&call);
  const auto* flags = dyn_cast<ConstantInt>(call.getArgOperand(0));
  bool fences = !flags || !flags->isZero();
  auto fence = [&](AtomicOrdering order) {
    annotateSpaces(*builder.CreateFence(order, scopeOf(call.getArgOperand(1))),
                   call.getArgOperand(0));
  };
  if (fences) fence(AtomicOrdering::Release);
  createBarrier(builder, call.getArgOperand(2))->setDebugLoc(call.getDebugLoc());
  if (fences) fence(AtomicOrdering::Acquire);
}

/// How the work-items meet is the form's business.
void lowerCollective(CallInst& call) {
  StringRef operation = call.getCalledFunction()->getName();
  operation.consume_front(names::kNumberedCollectivePrefix);
  IRBuilder<> builder(&call);
  Value* x = call.getArgOperand(0);
  auto* type = FunctionType::get(call.getType(),
                                 {builder.getPtrTy(), builder.getInt32Ty(), builder.getPtrTy(),
                                  builder.getInt64Ty(), x->getType()},
                                 false);
  FunctionCallee lowered = call.getModule()->getOrInsertFunction(
      (names::kLoweredCollectivePrefix + operation).str(), type);
  auto* function = cast<Function>(lowered.getCallee());
  function->addFnAttr(Attribute::Convergent);
  function->addFnAttr(Attribute::NoUnwind);
  CallInst* made = builder.CreateCall(
      lowered, {AbiAccess(builder).item(), call.getArgOperand(3),
                call.getArgOperand(1)->stripPointerCasts(), call.getArgOperand(2), x});
  made->setConvergent();
  made->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(made);
}

/// Replaces every call of `function` by what `lower` emits.
void lowerCalls(Function& function, function_ref<void(CallInst&)> lower) {
  for (User* user : make_early_inc_range(function.users())) {
    auto* call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != &function) continue;
    lower(*call);
    call->eraseFromParent();
  }
  if (function.use_empty()) function.eraseFromParent();
}

}  // namespace

PreservedAnalyses LowerSyncPass::run(Module& module, ModuleAnalysisManager&) {
  if (Function* fence = module.getFunction(names::kFence)) lowerCalls(*fence, lowerFence);
  if (Function* barrier = module.getFunction(names::kNumberedBarrier))
    lowerCalls(*barrier, lowerBarrier);
  for (Function& function : make_early_inc_range(module))
    if (function.isDeclaration() &&
        function.getName().starts_with(names::kNumberedCollectivePrefix))
      lowerCalls(function, lowerCollective);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
