// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/lockstep_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "analysis/barrier_context.h"
#include "analysis/barrier_regions.h"
#include "ir/barriers.h"
#include "ir/loop_analyses.h"
#include "ir/names.h"
#include "prepare/isolate_barriers.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// The iterations that a group goes through together, of a marked loop; 0 for others.
unsigned turnOf(const Loop& loop) {
  const MDNode* mark = findOptionMDForLoop(&loop, names::kLockstepLoop);
  return mark ? mdconst::extract<ConstantInt>(mark->getOperand(1))->getZExtValue() : 0;
}

SmallVector<BasicBlock*> markedHeaders(Function& function) {
  SmallVector<BasicBlock*> headers;
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (turnOf(*loop) != 0) headers.push_back(loop->getHeader());
  return headers;
}

/// A loop that is left at its header alone, before each iteration, and a loop to be around it, of
/// turns of several iterations.
class TurnLoop {
 public:
  TurnLoop(Loop& loop, LoopAnalyses& own) : loop_(loop), own_(own) {}

  /// Whether it is known before the loop how many iterations there are.
  bool find() {
    header_ = loop_.getHeader();
    exit_ = loop_.getUniqueExitBlock();
    branch_ = dyn_cast<BranchInst>(header_->getTerminator());
    if (!loop_.isLoopSimplifyForm() || loop_.getExitingBlock() != header_ || !exit_ || !branch_ ||
        loop_.getLoopLatch() == header_ || !isa<BranchInst>(loop_.getLoopLatch()->getTerminator()))
      return false;
    count_ = own_.evolution.getBackedgeTakenCount(&loop_);
    if (isa<SCEVCouldNotCompute>(count_)) return false;
    // The header is not run once more than there are iterations: then its phis alone have a value.
    for (const Instruction& instruction : *header_) {
      if (instruction.mayHaveSideEffects()) return false;
      for (const User* user : instruction.users())
        if (!isa<PHINode>(instruction) && !loop_.contains(cast<Instruction>(user))) return false;
    }
    return SCEVExpander(own_.evolution, header_->getDataLayout(), "turn")
        .isSafeToExpandAt(count_, loop_.getLoopPreheader()->getTerminator());
  }

  /// Makes the loop of turns. Where one begins. Pre: find().
  BasicBlock* apply(unsigned iterations) {
    BasicBlock* before = loop_.getLoopPreheader();
    BasicBlock* latch = loop_.getLoopLatch();
    Function* function = header_->getParent();
    LLVMContext& context = header_->getContext();
    auto* turn = BasicBlock::Create(context, "turn", function, header_);
    auto* next = BasicBlock::Create(context, "next.turn", function, exit_);
    IRBuilder<> builder(before->getTerminator());
    Value* count = SCEVExpander(own_.evolution, header_->getDataLayout(), "turn")
                       .expandCodeFor(count_, count_->getType(), before->getTerminator());
    count = builder.CreateZExt(count, builder.getInt64Ty());
    before->getTerminator()->replaceSuccessorWith(header_, turn);

    builder.SetInsertPoint(turn);
    for (PHINode& phi : header_->phis()) carry(phi, *before, *turn, *next, builder);
    PHINode* done = builder.CreatePHI(builder.getInt64Ty(), 2, "done");
    done->addIncoming(builder.getInt64(0), before);
    Value* most = builder.getInt64(iterations);
    const auto* known = dyn_cast<ConstantInt>(count);
    if (!known || known->getZExtValue() % iterations != 0)
      most =
          builder.CreateBinaryIntrinsic(Intrinsic::umin, builder.CreateNUWSub(count, done), most);
    builder.CreateCondBr(builder.CreateICmpEQ(done, count), exit_, header_);
    exit_->replacePhiUsesWith(header_, turn);

    builder.SetInsertPoint(header_, header_->begin());
    PHINode* index = builder.CreatePHI(builder.getInt64Ty(), 2, "in.turn");
    builder.SetInsertPoint(branch_);
    builder.CreateBr(branch_->getSuccessor(branch_->getSuccessor(0) == exit_ ? 1 : 0));
    branch_->eraseFromParent();
    builder.SetInsertPoint(latch->getTerminator());
    Value* after = builder.CreateNUWAdd(index, builder.getInt64(1));
    BranchInst* again = builder.CreateCondBr(builder.CreateICmpEQ(after, most), next, header_);
    again->setMetadata(LLVMContext::MD_loop,
                       latch->getTerminator()->getMetadata(LLVMContext::MD_loop));
    latch->getTerminator()->eraseFromParent();
    index->addIncoming(builder.getInt64(0), turn);
    index->addIncoming(after, latch);

    builder.SetInsertPoint(next);
    done->addIncoming(builder.CreateNUWAdd(done, most), next);
    builder.CreateBr(turn);
    return turn;
  }

 private:
  /// Has `turn` hand on what a phi of the header has from iteration to iteration.
  void carry(PHINode& phi, BasicBlock& before, BasicBlock& turn, BasicBlock& next,
             IRBuilder<>& builder) {
    PHINode* first = builder.CreatePHI(phi.getType(), 2, phi.getName());
    phi.replaceUsesWithIf(first, [&](const Use& use) {
      const auto* user = cast<Instruction>(use.getUser());
      return !loop_.contains(user) && user->getParent() != &turn;
    });
    first->addIncoming(phi.getIncomingValueForBlock(&before), &before);
    first->addIncoming(phi.getIncomingValueForBlock(loop_.getLoopLatch()), &next);
    phi.setIncomingValueForBlock(&before, first);
    phi.replaceIncomingBlockWith(&before, &turn);
  }

  Loop& loop_;
  LoopAnalyses& own_;
  BasicBlock* header_ = nullptr;
  BasicBlock* exit_ = nullptr;
  BranchInst* branch_ = nullptr;
  const SCEV* count_ = nullptr;
};

/// Where the group begins together what `header` begins: each iteration, or a turn of several.
/// Null for loops that cannot be taken in turns.
BasicBlock* beginningOf(BasicBlock& header) {
  LoopAnalyses own(*header.getParent());
  Loop& loop = *own.loops.getLoopFor(&header);
  const unsigned iterations = turnOf(loop);
  if (iterations <= 1) return &header;
  simplifyLoop(&loop, &own.dominators, &own.loops, &own.evolution, &own.assumptions, nullptr,
               /*PreserveLCSSA=*/false);
  TurnLoop turns(loop, own);
  return turns.find() ? turns.apply(iterations) : nullptr;
}

/// Puts barriers into the marked loops. The regions between them; an objection, and no barriers,
/// where groups may not reach them as a whole, or there are none.
std::expected<BarrierRegions, BarrierObjection> addBarriers(Function& function) {
  SmallVector<CallInst*> barriers;
  if (names::hasWorkItem(function))
    for (BasicBlock* header : markedHeaders(function))
      if (BasicBlock* beginning = beginningOf(*header)) {
        IRBuilder<> builder(beginning, beginning->getFirstInsertionPt());
        barriers.push_back(createBarrier(builder, builder.getInt32(0)));
      }
  if (barriers.empty()) return std::unexpected(BarrierObjection{"it has no such loops"});
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
