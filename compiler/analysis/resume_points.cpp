// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/resume_points.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

#include "ir/barriers.h"
#include "ir/sub_groups.h"
#include "ir/uses.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// The values that are live where each block begins.
class Liveness {
 public:
  Liveness(Function& function, const BarrierRegions& regions) {
    for (Instruction& value : instructions(function))
      if (!isa<AllocaInst>(value) && regions.regionOf(*value.getParent()) != BarrierRegions::kNone)
        follow(value);
  }

  SmallVector<Instruction*> alongEdge(const ResumePoint& point) const {
    SetVector<Instruction*> needs;
    if (const auto live = liveIn_.find(point.to); live != liveIn_.end())
      needs.insert(live->second.begin(), live->second.end());
    for (PHINode& phi : point.to->phis())
      if (auto* value = dyn_cast<Instruction>(phi.getIncomingValueForBlock(point.from));
          value && known_.contains(value))
        needs.insert(value);
    return needs.takeVector();
  }

 private:
  /// Goes back from the uses of `value` to where it is computed.
  void follow(Instruction& value) {
    known_.insert(&value);
    const BasicBlock* home = value.getParent();
    SmallVector<const BasicBlock*> ahead;
    for (const Use& use : value.uses()) {
      const BasicBlock& place = placeOf(use);
      if (&place != home) ahead.push_back(&place);
    }
    while (!ahead.empty()) {
      const BasicBlock* block = ahead.pop_back_val();
      if (!liveIn_[block].insert(&value)) continue;
      for (const BasicBlock* before : predecessors(block))
        if (before != home) ahead.push_back(before);
    }
  }

  DenseMap<const BasicBlock*, SmallSetVector<Instruction*, 8>> liveIn_;
  SmallPtrSet<const Instruction*, 32> known_;
};

}  // namespace

std::vector<ResumePoint> findResumePoints(Function& function, const BarrierRegions& regions) {
  std::vector<ResumePoint> points;
  for (BasicBlock& block : function)
    if (barrierIn(block)) points.push_back({&block, block.getSingleSuccessor(), {}});
  for (const BarrierRegion& region : regions.regions()) {
    if (!region.asks) continue;
    SmallSetVector<BasicBlock*, 4> ways(succ_begin(region.branch->getParent()),
                                        succ_end(region.branch->getParent()));
    for (BasicBlock* to : ways) points.push_back({region.branch->getParent(), to, {}});
  }
  const Liveness liveness(function, regions);
  for (ResumePoint& point : points) point.needs = liveness.alongEdge(point);
  return points;
}

bool canDivergeAtBarriers(Function& function) {
  return none_of(instructions(function), [](const Instruction& instruction) {
    return isCollective(instruction) || subGroupOperation(instruction);
  });
}

uint64_t resumeBytes(ArrayRef<ResumePoint> points) {
  SmallPtrSet<const Instruction*, 32> kept;
  for (const ResumePoint& point : points) kept.insert(point.needs.begin(), point.needs.end());
  uint64_t bytes = 0;
  for (const Instruction* value : kept)
    bytes += value->getDataLayout().getTypeAllocSize(value->getType());
  return bytes;
}

}  // namespace weft::compiler
