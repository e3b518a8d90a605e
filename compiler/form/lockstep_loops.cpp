// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/lockstep_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "analysis/barrier_context.h"
#include "analysis/barrier_regions.h"
#include "ir/abi_access.h"
#include "ir/barriers.h"
#include "ir/names.h"
#include "prepare/isolate_barriers.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Where iterations of marked loops begin.
SmallVector<BasicBlock*> markedHeaders(Function& function) {
  SmallVector<BasicBlock*> headers;
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (findOptionMDForLoop(loop, names::kLockstepLoop)) headers.push_back(loop->getHeader());
  return headers;
}

/// Puts barriers into the marked loops. The regions between them; an objection, and no barriers,
/// where groups may not reach them as a whole, or there are none.
std::expected<BarrierRegions, BarrierObjection> addBarriers(Function& function) {
  const auto headers = markedHeaders(function);
  if (headers.empty() || !names::hasWorkItem(function))
    return std::unexpected(BarrierObjection{"it has no such loops"});
  SmallVector<CallInst*> barriers;
  for (BasicBlock* header : headers) {
    IRBuilder<> builder(header, header->getFirstInsertionPt());
    barriers.push_back(createBarrier(builder, builder.getInt32(0)));
  }
  isolateBarriers(function);
  auto regions = BarrierRegions::find(function, function.getEntryBlock());
  if (!regions)
    for (CallInst* barrier : barriers) barrier->eraseFromParent();
  return regions;
}

}  // namespace

PreservedAnalyses LockstepLoopsPass::run(Function& function, FunctionAnalysisManager&) {
  const bool hasBarriers =
      any_of(function, [](BasicBlock& block) { return barrierIn(block) != nullptr; });
  if (hasBarriers || markedHeaders(function).empty()) return PreservedAnalyses::all();
  (void)addBarriers(function);
  return PreservedAnalyses::none();
}

void analyseLockstep(Module& module, std::vector<KernelInfo>& kernels) {
  for (KernelInfo& kernel : kernels) {
    Function& body = *module.getFunction(kernel.name);
    if (kernel.usesBarrier || kernel.meetsInSubGroups || markedHeaders(body).empty()) continue;
    ValueToValueMapTy values;
    Function* tried = CloneFunction(&body, values);
    {
      const auto regions = addBarriers(*tried);
      kernel.lockstepLoops = regions.has_value();
      if (regions) kernel.contextBytes = BarrierContext(*regions, *tried, nullptr).bytesPerItem();
    }
    tried->eraseFromParent();
  }
}

}  // namespace weft::compiler
