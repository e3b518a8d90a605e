// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/fix_local_size.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include "ir/names.h"

namespace weft::compiler {

using namespace llvm;

PreservedAnalyses FixLocalSizePass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    const MDNode* node = instruction.getMetadata(names::kLocalSizeLoad);
    if (!node) continue;
    const uint64_t dimension = mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue();
    if (dimension >= sizes_.size() || sizes_[dimension] == 0) continue;
    instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), sizes_[dimension]));
    instruction.eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
