// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/offer_remainders.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/PatternMatch.h>

#include "ir/loop_marks.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// The vectorised loop that leaves its last iterations to `loop`; null if there is none.
const Loop* mainLoopOf(const Loop& loop, const LoopInfo& loops) {
  const BasicBlock* preheader = loop.getLoopPreheader();
  if (!preheader) return nullptr;
  for (const BasicBlock* before : predecessors(preheader))
    if (const BasicBlock* latch = before->getSinglePredecessor())
      if (const Loop* main = loops.getLoopFor(latch);
          main && main != &loop && main->isInnermost() && isVectorized(*main))
        return main;
  return nullptr;
}

/// How many iterations of what was written one of a vectorised loop is; 0 if that is not seen.
uint64_t iterationsOf(const Loop& main) {
  using namespace PatternMatch;
  const BasicBlock* latch = main.getLoopLatch();
  ConstantInt* step = nullptr;
  if (latch &&
      match(latch->getTerminator(), m_Br(m_ICmp(m_Add(m_Value(), m_ConstantInt(step)), m_Value()),
                                         m_BasicBlock(), m_BasicBlock())))
    return step->getZExtValue();
  return 0;
}

/// The elements of its smallest vectors, those of one value; 0 if there are none. Groups of
/// accesses that are interleaved have several times as many.
unsigned elementsIn(const Loop& main) {
  unsigned least = 0;
  for (const BasicBlock* block : main.blocks())
    for (const Instruction& instruction : *block)
      if (const auto* type = dyn_cast<FixedVectorType>(instruction.getType()))
        least = least ? std::min(least, type->getNumElements()) : type->getNumElements();
  return least;
}

void offer(Loop& loop) {
  loop.setLoopID(makePostTransformationMetadata(loop.getHeader()->getContext(), loop.getLoopID(),
                                                {kVectorizedLoop, "llvm.loop.interleave.count"},
                                                {}));
  addStringMetadataToLoop(&loop, "llvm.loop.interleave.count", 1);
  addStringMetadataToLoop(&loop, kOfferedRemainder, 1);
}

}  // namespace

PreservedAnalyses OfferRemaindersPass::run(Function& function, FunctionAnalysisManager& analyses) {
  const LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  bool hasChanged = false;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !isVectorized(*loop)) continue;
    const Loop* main = mainLoopOf(*loop, loops);
    if (!main) continue;
    const unsigned elements = elementsIn(*main);
    if (elements == 0 || iterationsOf(*main) < 2 * elements) continue;
    offer(*loop);
    hasChanged = true;
  }
  if (!hasChanged) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  kept.preserve<ScalarEvolutionAnalysis>();
  return kept;
}

}  // namespace weft::compiler
