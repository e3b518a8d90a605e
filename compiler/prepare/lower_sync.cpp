// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lower_sync.h"

#include <llvm/ADT/StringSwitch.h>

#include "ir/abi_access.h"
#include "ir/names.h"
#include "weft/abi/services.h"

namespace weft::compiler {
namespace {

using namespace llvm;

enum Scope : uint64_t { kScopeWorkItem = 0, kScopeWorkGroup = 1 };

AtomicOrdering orderOf(const Value* value) {
  const auto* constant = dyn_cast<ConstantInt>(value);
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

/// The part of `order` that a read has.
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

/// The part of `order` that a write has.
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

/// Everything wider than one work-item is system scope: x86 code generation drops fences of any
/// other named scope, and a demotion must know which thread runs the other work-items.
SyncScope::ID scopeOf(const Value* value) {
  const auto* constant = dyn_cast<ConstantInt>(value);
  return constant && constant->getZExtValue() == kScopeWorkItem ? SyncScope::SingleThread
                                                                : SyncScope::System;
}

void lowerFence(CallInst& call) {
  AtomicOrdering order = orderOf(call.getArgOperand(1));
  if (order == AtomicOrdering::Monotonic) return;  // a relaxed fence orders nothing
  const auto* flags = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (flags && flags->isZero()) return;
  IRBuilder<>(&call).CreateFence(order, scopeOf(call.getArgOperand(2)));
}

void lowerBarrier(CallInst& call) {
  Module& module = *call.getModule();
  IRBuilder<> builder(&call);
  FunctionCallee service = module.getOrInsertFunction(abi::kBarrierService, builder.getVoidTy(),
                                                      builder.getPtrTy(), builder.getInt32Ty());
  auto* function = cast<Function>(service.getCallee());
  function->addFnAttr(Attribute::Convergent);
  function->addFnAttr(Attribute::NoUnwind);
  function->addParamAttr(0, Attribute::NoCapture);
  function->addParamAttr(0, Attribute::ReadOnly);
  const auto* flags = dyn_cast<ConstantInt>(call.getArgOperand(0));
  bool fences = !flags || !flags->isZero();
  const auto* range = dyn_cast<ConstantInt>(call.getArgOperand(1));
  auto fence = [&](AtomicOrdering order) {
    FenceInst* made = builder.CreateFence(order, scopeOf(call.getArgOperand(1)));
    // Programs publish results in global memory by such a fence and a relaxed atomic, which is more
    // than it promises: those fences stay.
    if (range && range->getZExtValue() <= kScopeWorkGroup && flags && flags->isOne())
      made->setMetadata(names::kGroupFence, MDNode::get(module.getContext(), {}));
  };
  if (fences) fence(AtomicOrdering::Release);
  CallInst* made = builder.CreateCall(service, {AbiAccess(builder).item(), call.getArgOperand(2)});
  made->setConvergent();
  made->setDebugLoc(call.getDebugLoc());
  if (fences) fence(AtomicOrdering::Acquire);
}

std::optional<AtomicRMWInst::BinOp> rmwOperation(StringRef name) {
  using Op = std::optional<AtomicRMWInst::BinOp>;
  return StringSwitch<Op>(name)
      .Case("exchange", AtomicRMWInst::Xchg)
      .Case("add", AtomicRMWInst::Add)
      .Case("sub", AtomicRMWInst::Sub)
      .Case("and", AtomicRMWInst::And)
      .Case("or", AtomicRMWInst::Or)
      .Case("xor", AtomicRMWInst::Xor)
      .Case("min", AtomicRMWInst::Min)
      .Case("max", AtomicRMWInst::Max)
      .Case("umin", AtomicRMWInst::UMin)
      .Case("umax", AtomicRMWInst::UMax)
      .Case("fadd", AtomicRMWInst::FAdd)
      .Case("fmin", AtomicRMWInst::FMin)
      .Case("fmax", AtomicRMWInst::FMax)
      .Default(std::nullopt);
}

/// The value of atomic function `operation` called by `call`; null when it is not known.
Value* lowerAtomic(StringRef operation, CallInst& call) {
  IRBuilder<> builder(&call);
  auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  unsigned count = call.arg_size();
  auto alignOf = [&](Type* type) { return Align(type->getPrimitiveSizeInBits() / 8); };
  if (operation == "load" && count == 3) {
    LoadInst* load =
        builder.CreateAlignedLoad(call.getType(), argument(0), alignOf(call.getType()));
    load->setAtomic(loadOrder(orderOf(argument(1))), scopeOf(argument(2)));
    return load;
  }
  if (operation == "store" && count == 4) {
    StoreInst* store =
        builder.CreateAlignedStore(argument(1), argument(0), alignOf(argument(1)->getType()));
    store->setAtomic(storeOrder(orderOf(argument(2))), scopeOf(argument(3)));
    return store;
  }
  if (operation == "cmpxchg" && count == 6) {
    Value* pair = builder.CreateAtomicCmpXchg(
        argument(0), argument(1), argument(2), alignOf(call.getType()), orderOf(argument(3)),
        loadOrder(orderOf(argument(4))), scopeOf(argument(5)));
    return builder.CreateExtractValue(pair, 0);
  }
  auto rmw = rmwOperation(operation);
  if (!rmw || count != 4) return nullptr;
  return builder.CreateAtomicRMW(*rmw, argument(0), argument(1), alignOf(call.getType()),
                                 orderOf(argument(2)), scopeOf(argument(3)));
}

/// Replaces every call of `function` by what `lower` emits; a null result leaves the call.
void lowerCalls(Function& function, function_ref<Value*(CallInst&)> lower) {
  for (User* user : make_early_inc_range(function.users())) {
    auto* call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != &function) continue;
    Value* value = lower(*call);
    if (!value) continue;
    if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
  if (function.use_empty()) function.eraseFromParent();
}

}  // namespace

PreservedAnalyses LowerSyncPass::run(Module& module, ModuleAnalysisManager&) {
  auto done = [](auto lower) {
    return [lower](CallInst& call) -> Value* {
      lower(call);
      return &call;
    };
  };
  for (Function& function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    if (!function.isDeclaration()) continue;
    if (name == names::kFence) {
      lowerCalls(function, done(lowerFence));
    } else if (name == names::kNumberedBarrier) {
      lowerCalls(function, done(lowerBarrier));
    } else if (name.consume_front(names::kAtomicPrefix)) {
      StringRef operation = name.split('_').first;
      lowerCalls(function, [&](CallInst& call) { return lowerAtomic(operation, call); });
    }
  }
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
