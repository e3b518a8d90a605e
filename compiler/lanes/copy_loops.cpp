// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/copy_loops.h"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace weft::compiler {

using namespace llvm;

MDNode* ownLoopName(const MDNode& name) {
  MDNode* own = MDNode::getDistinct(name.getContext(), SmallVector<Metadata*>(name.operands()));
  own->replaceOperandWith(0, own);
  return own;
}

SmallVector<BasicBlock*> copyBlocks(ArrayRef<BasicBlock*> blocks, const Twine& suffix,
                                    ValueToValueMapTy& map) {
  Function& function = *blocks.front()->getParent();
  SmallVector<BasicBlock*> copies;
  for (BasicBlock* block : blocks) {
    copies.push_back(CloneBasicBlock(block, map, suffix, &function));
    map[block] = copies.back();
  }
  remapInstructionsInBlocks(copies, map);
  SmallVector<MDNode*> scopes;
  identifyNoAliasScopesToClone(blocks, scopes);
  cloneAndAdaptNoAliasScopes(scopes, copies, function.getContext(), suffix.str());
  for (BasicBlock* copy : copies) {
    Instruction& branch = *copy->getTerminator();
    if (const MDNode* name = branch.getMetadata(LLVMContext::MD_loop))
      branch.setMetadata(LLVMContext::MD_loop, ownLoopName(*name));
  }
  return copies;
}

void copyLoop(const Loop& loop, const Twine& suffix, BasicBlock& place, ValueToValueMapTy& map) {
  for (BasicBlock* copy : copyBlocks(loop.getBlocks(), suffix, map)) copy->moveBefore(&place);
}

Loop* versionLoop(Loop& loop, Value& condition, const Twine& suffix, DominatorTree& dominators,
                  LoopInfo& loops) {
  BasicBlock* before = loop.getLoopPreheader();
  BasicBlock* after = loop.getUniqueExitBlock();
  BasicBlock* start = SplitBlock(before, before->getTerminator(), &dominators, &loops);
  ValueToValueMapTy map;
  SmallVector<BasicBlock*> blocks;
  Loop* copy =
      cloneLoopWithPreheader(start, before, &loop, map, suffix, &loops, &dominators, blocks);
  remapInstructionsInBlocks(blocks, map);
  copy->setLoopID(nullptr);
  BranchInst::Create(start, copy->getLoopPreheader(), &condition,
                     before->getTerminator()->getIterator());
  before->getTerminator()->eraseFromParent();
  dominators.changeImmediateDominator(after, before);
  for (const Loop* each : {&loop, copy})
    SplitEdge(each->getLoopLatch(), after, &dominators, &loops);
  return copy;
}

}  // namespace weft::compiler
