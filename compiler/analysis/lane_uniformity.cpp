// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/lane_uniformity.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <bit>

#include "ir/barriers.h"
#include "ir/names.h"
#include "ir/sub_groups.h"
#include "weft/abi/machine_code.h"

namespace weft::compiler {
namespace {

using namespace llvm;

bool isVaryingByItself(const Value& value) {
  if (isSharedResult(value)) return false;
  if (const auto* load = dyn_cast<LoadInst>(&value)) return !load->isSimple();
  if (const auto* call = dyn_cast<CallBase>(&value))
    return isVaryingCall(*call) && !isUniformInSubGroup(*call);
  return isa<AtomicRMWInst, AtomicCmpXchgInst, VAArgInst>(value);
}

/// What decides on the next iteration of the loop, which all lanes take together.
const Value* exitConditionOf(const Loop& loop) {
  return cast<BranchInst>(loop.getLoopLatch()->getTerminator())->getCondition();
}

}  // namespace

bool isSharedByLanes(const Value& value, const PHINode& index) {
  const auto* bits = dyn_cast<BinaryOperator>(&value);
  if (!bits || bits->getOperand(0) != &index) return false;
  const auto* mask = dyn_cast<ConstantInt>(bits->getOperand(1));
  constexpr unsigned kBits = std::countr_zero(abi::kRowMultiple);
  return mask &&
         ((bits->getOpcode() == Instruction::Or && mask->getValue().countr_one() >= kBits) ||
          (bits->getOpcode() == Instruction::And && mask->getValue().countr_zero() >= kBits));
}

LaneUniformity::LaneUniformity(Function& function, const DominatorTree& dominators,
                               const Loop& loop, const PHINode& index, const Variables& privates)
    : WholeUniformity(
          function, dominators,
          [&index, privates](const Value* value) {
            const auto* variable = dyn_cast<AllocaInst>(value);
            return value == &index || (variable && privates.contains(variable)) ||
                   isVaryingByItself(*value);
          },
          [condition = exitConditionOf(loop), &index](const Value* value) {
            return value == condition || isSharedByLanes(*value, index) || isSharedResult(*value) ||
                   isUniformInSubGroup(*value) || isCallOf(*value, names::kSubGroupNumber);
          },
          // Lanes that bring nothing along leave the variable of the phi as it is.
          Undefined::IsLikeOthers) {}

}  // namespace weft::compiler
