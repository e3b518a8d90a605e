// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/fix_local_size.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

#include <optional>

#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {

using namespace llvm;

/// The dimension of the local id that a load reads; nothing where it is no load of one.
static std::optional<size_t> dimensionOfId(const LoadInst& load) {
  if (!load.hasMetadata(names::kItemLoad) || !load.getType()->isIntegerTy(64)) return std::nullopt;
  APInt offset(64, 0);
  load.getPointerOperand()->stripAndAccumulateConstantOffsets(load.getDataLayout(), offset,
                                                              /*AllowNonInbounds=*/true);
  for (size_t d = 0; d < 3; ++d)
    if (offset == offsetof(abi::WorkItem, localId) + 8 * d) return d;
  return std::nullopt;
}

PreservedAnalyses FixLocalSizePass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  MDBuilder metadata(function.getContext());
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (auto* load = dyn_cast<LoadInst>(&instruction))
      if (const auto d = dimensionOfId(*load); d && most_[*d] != 0) {
        load->setMetadata(LLVMContext::MD_range,
                          metadata.createRange(APInt(64, 0), APInt(64, most_[*d])));
        changed = true;
      }
    const MDNode* node = instruction.getMetadata(names::kLocalSizeLoad);
    if (!node) continue;
    const uint64_t dimension = mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue();
    if (dimension >= sizes_.size() || most_[dimension] == 0) continue;
    if (sizes_[dimension] == 0) {
      instruction.setMetadata(
          LLVMContext::MD_range,
          metadata.createRange(APInt(64, 1), APInt(64, uint64_t{most_[dimension]} + 1)));
      changed = true;
      continue;
    }
    instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), sizes_[dimension]));
    instruction.eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
