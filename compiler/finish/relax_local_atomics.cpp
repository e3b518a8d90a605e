// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/relax_local_atomics.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "ir/names.h"

namespace weft::compiler {

using namespace llvm;

PreservedAnalyses RelaxLocalAtomicsPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (auto* rmw = dyn_cast<AtomicRMWInst>(&instruction)) {
      if (rmw->getPointerAddressSpace() == names::kLocal) changed |= lowerAtomicRMWInst(rmw);
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      if (exchange->getPointerAddressSpace() == names::kLocal)
        changed |= lowerAtomicCmpXchgInst(exchange);
    } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      if (!store->isAtomic() || store->getPointerAddressSpace() != names::kLocal) continue;
      store->setOrdering(AtomicOrdering::Monotonic);
      changed = true;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
