// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/row_steps.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <cstdlib>

#include "analysis/index_steps.h"
#include "base/tuning.h"
#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Bytes from which on neighbours do not share a cache line.
constexpr int64_t kFarBytes = 64;

/// Whether a loop reads what all work-items of a column read.
bool sharesColumns(Function& function, GuessedSteps& alongRow) {
  GuessedSteps others[] = {GuessedSteps::alongDimension(1), GuessedSteps::alongDimension(2)};
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (const Loop* outermost : loops)
    for (const BasicBlock* block : outermost->blocks())
      for (const Instruction& instruction : *block) {
        const auto* load = dyn_cast<LoadInst>(&instruction);
        if (!load || load->getPointerAddressSpace() == names::kPrivate) continue;
        const Value& pointer = *load->getPointerOperand();
        if (!alongRow.of(pointer).isUniform() &&
            all_of(others, [&](GuessedSteps& steps) { return steps.of(pointer).isUniform(); }))
          return true;
      }
  return false;
}

}  // namespace

RowOrder rowOrderOf(Function& function) {
  GuessedSteps steps = GuessedSteps::alongDimension(0);
  unsigned crossing = 0;
  unsigned all = 0;
  for (const Instruction& instruction : instructions(function)) {
    if (!instruction.isTerminator() && !instruction.isDebugOrPseudoInst()) ++all;
    const Value* pointer = getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace() == names::kPrivate) continue;
    const IndexStep step = steps.of(*pointer);
    if (step.kind == IndexStep::Steady || std::abs(step.stride) > kFarBytes) ++crossing;
  }
  SmallVector<std::pair<const BasicBlock*, const BasicBlock*>> loops;
  FindFunctionBackedges(function, loops);
  // Where there is more to do than to move data, lanes count for more than the cache does.
  if (crossing != 0)
    return loops.empty() && crossing * tuning::kOperationsForEachLine >= all ? RowOrder::Columns
                                                                             : RowOrder::Tiles;
  return !loops.empty() && sharesColumns(function, steps) ? RowOrder::Tiles : RowOrder::Rows;
}

}  // namespace weft::compiler
