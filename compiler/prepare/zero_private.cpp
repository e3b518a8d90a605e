// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/zero_private.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Where a variable may be written first: after the run of variables it stands in, since some
/// code expects those of the entry block together.
Instruction* afterAllocas(AllocaInst& variable) {
  Instruction* next = variable.getNextNode();
  while (isa<AllocaInst>(next)) next = next->getNextNode();
  return next;
}

void writeZeros(AllocaInst& variable) {
  const DataLayout& layout = variable.getModule()->getDataLayout();
  IRBuilder<> builder(afterAllocas(variable));
  Value* bytes = builder.getInt64(layout.getTypeAllocSize(variable.getAllocatedType()));
  if (variable.isArrayAllocation())
    bytes = builder.CreateMul(
        bytes, builder.CreateZExtOrTrunc(variable.getArraySize(), builder.getInt64Ty()));
  builder.CreateMemSet(&variable, builder.getInt8(0), bytes, variable.getAlign());
}

}  // namespace

PreservedAnalyses ZeroPrivatePass::run(Function& function, FunctionAnalysisManager&) {
  if (names::isLibrary(function)) return PreservedAnalyses::all();
  SmallVector<AllocaInst*, 16> variables;
  SmallVector<Instruction*, 32> markers;
  for (Instruction& instruction : instructions(function)) {
    if (auto* variable = dyn_cast<AllocaInst>(&instruction)) variables.push_back(variable);
    if (instruction.isLifetimeStartOrEnd()) markers.push_back(&instruction);
  }
  for (Instruction* marker : markers) marker->eraseFromParent();
  for (AllocaInst* variable : variables) writeZeros(*variable);
  if (variables.empty() && markers.empty()) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
