// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/lower_atomics.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>

#include "ir/names.h"
#include "ir/synchronisation.h"

namespace weft::compiler {
namespace {

using namespace llvm;

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

}  // namespace

PreservedAnalyses LowerAtomicsPass::run(Module& module, ModuleAnalysisManager&) {
  bool changed = false;
  for (Function& function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front(names::kAtomicPrefix)) continue;
    StringRef operation = name.split('_').first;
    for (User* user : make_early_inc_range(function.users())) {
      auto* call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledFunction() != &function) continue;
      Value* value = lowerAtomic(operation, *call);
      if (!value) continue;
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
    if (function.use_empty()) function.eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
