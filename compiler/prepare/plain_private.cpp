// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/plain_private.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

namespace weft::compiler {
namespace {

using namespace llvm;

/// The loads and stores of a variable, some of them volatile.
struct Accesses {
  SmallVector<LoadInst*, 8> loads;
  SmallVector<StoreInst*, 8> stores;
  bool anyVolatile = false;

  void add(LoadInst& load) {
    loads.push_back(&load);
    anyVolatile |= load.isVolatile();
  }
  void add(StoreInst& store) {
    stores.push_back(&store);
    anyVolatile |= store.isVolatile();
  }
};

/// Takes down the accesses by `pointer`; false where it is used for anything but accesses of
/// integers, none of them atomic.
bool collect(Value& pointer, Accesses& found) {
  for (User* user : pointer.users()) {
    if (auto* load = dyn_cast<LoadInst>(user)) {
      if (!load->getType()->isIntOrIntVectorTy() || load->isAtomic()) return false;
      found.add(*load);
    } else if (auto* store = dyn_cast<StoreInst>(user)) {
      Value* value = store->getValueOperand();
      if (!value->getType()->isIntOrIntVectorTy() || store->isAtomic()) return false;
      found.add(*store);
    } else if (isa<GEPOperator>(user) || isa<AddrSpaceCastOperator>(user)) {
      if (!collect(*user, found)) return false;
    } else if (!cast<Instruction>(user)->isLifetimeStartOrEnd()) {
      return false;
    }
  }
  return true;
}

bool makePlain(AllocaInst& variable) {
  Accesses accesses;
  if (!collect(variable, accesses) || !accesses.anyVolatile) return false;
  for (LoadInst* load : accesses.loads) load->setVolatile(false);
  for (StoreInst* store : accesses.stores) store->setVolatile(false);
  return true;
}

}  // namespace

PreservedAnalyses PlainPrivatePass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : instructions(function))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction)) changed |= makePlain(*variable);
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
