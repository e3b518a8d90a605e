// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/likely_rows.h"

#include <llvm/Analysis/ValueTracking.h>

#include <optional>

#include "base/tuning.h"

namespace weft::compiler {

using namespace llvm;

LikelyRows::LikelyRows(const Loop& loop, const LaneShapes& shapes, const PrivateLayouts& privates) {
  GuessedSteps steps(
      [&](const Value& value) -> std::optional<IndexStep> {
        if (const LaneShape shape = shapes.of(&value); !shape.isVarying()) return shape;
        const auto* phi = dyn_cast<PHINode>(&value);
        const bool isAddress = value.getType()->isPointerTy() && !isa<GEPOperator>(value);
        if (isAddress || (phi && phi->getParent() == loop.getHeader())) return IndexStep::varying();
        return std::nullopt;
      },
      GuessedSteps::Trust::MostSteps);
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      const Value* pointer = getLoadStorePointerOperand(&instruction);
      if (!pointer || !shapes.of(pointer).isVarying()) continue;
      const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
      if (variable && privates.contains(variable)) continue;
      const auto* store = dyn_cast<StoreInst>(&instruction);
      Type* type = store ? store->getValueOperand()->getType() : instruction.getType();
      const DataLayout& layout = instruction.getDataLayout();
      if (layout.getTypeAllocSizeInBits(type) != layout.getTypeSizeInBits(type)) continue;
      const auto bytes = static_cast<int64_t>(layout.getTypeAllocSize(type).getFixedValue());
      if (steps.of(*pointer) == IndexStep::affine(bytes)) accesses_.insert(&instruction);
    }
  }
  if (accesses_.size() > tuning::kGuessedAccesses) accesses_.clear();
}

}  // namespace weft::compiler
