// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/lane_uniformity.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler {
namespace {

using namespace llvm;

bool isVaryingCall(const CallBase& call) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call))
    return intrinsic->mayReadOrWriteMemory() && !intrinsic->isAssumeLikeIntrinsic();
  return !call.doesNotAccessMemory();
}

/// What LLVM's analysis asks a target.
class Sources : public TargetTransformInfoImplCRTPBase<Sources> {
 public:
  Sources(const DataLayout& layout, const Loop& loop, const PHINode& index,
          const LaneUniformity::Variables& privates)
      : TargetTransformInfoImplCRTPBase(layout),
        turn_(cast<BranchInst>(loop.getLoopLatch()->getTerminator())->getCondition()),
        index_(&index),
        privates_(privates) {}

  bool hasBranchDivergence(const Function*) const { return true; }
  bool isSourceOfDivergence(const Value* value) const {
    if (value == index_) return true;
    if (const auto* load = dyn_cast<LoadInst>(value)) return !load->isSimple();
    if (const auto* call = dyn_cast<CallBase>(value)) return isVaryingCall(*call);
    if (const auto* variable = dyn_cast<AllocaInst>(value)) return privates_.contains(variable);
    return isa<AtomicRMWInst, AtomicCmpXchgInst, VAArgInst>(value);
  }
  /// All lanes take the turn of the loop together.
  bool isAlwaysUniform(const Value* value) const { return value == turn_; }

 private:
  const Value* turn_;
  const PHINode* index_;
  const LaneUniformity::Variables& privates_;
};

}  // namespace

LaneUniformity::LaneUniformity(Function& function, const DominatorTree& dominators,
                               const Loop& loop, const PHINode& index, const Variables& privates) {
  cycles_.compute(function);
  sources_ = std::make_unique<TargetTransformInfo>(
      Sources(function.getParent()->getDataLayout(), loop, index, privates));
  info_ = std::make_unique<UniformityInfo>(dominators, cycles_, sources_.get());
  info_->compute();
}

LaneUniformity::~LaneUniformity() = default;

}  // namespace weft::compiler
