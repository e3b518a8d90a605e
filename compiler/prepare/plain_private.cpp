// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/plain_private.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "ir/synchronisation.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Collects the volatile loads and stores by `pointer`; false where it is used for anything but
/// accesses of integers, none of them atomic.
bool collect(Value& pointer, SmallVectorImpl<Instruction*>& found) {
  for (User* user : pointer.users()) {
    if (isa<GEPOperator>(user) || isa<AddrSpaceCastOperator>(user)) {
      if (!collect(*user, found)) return false;
      continue;
    }
    auto* access = cast<Instruction>(user);
    if (access->isLifetimeStartOrEnd()) continue;
    // A store of the pointer itself is one of no integer.
    if (!isa<LoadInst, StoreInst>(access) || access->isAtomic() ||
        !getLoadStoreType(access)->isIntOrIntVectorTy())
      return false;
    if (access->isVolatile()) found.push_back(access);
  }
  return true;
}

bool makePlainVariable(AllocaInst& variable) {
  SmallVector<Instruction*, 8> volatiles;
  if (!collect(variable, volatiles)) return false;
  for (Instruction* access : volatiles) makePlain(*access);
  return !volatiles.empty();
}

}  // namespace

PreservedAnalyses PlainPrivatePass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : instructions(function))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction))
      changed |= makePlainVariable(*variable);
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
