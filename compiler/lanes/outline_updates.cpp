// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/outline_updates.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "analysis/update_loops.h"
#include "base/tuning.h"
#include "ir/item_loops.h"
#include "ir/loop_size.h"
#include "prepare/inline_util.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Function attribute of what outline-update-loops makes.
constexpr const char* kUpdateAttribute = "weft-update-loop";

/// A loop and what it exchanges with the code around it.
class UpdateLoop {
 public:
  UpdateLoop(Loop& loop, const DominatorTree& dominators) : loop_(loop), dominators_(dominators) {}

  /// Whether lanes had better run the loop one after the other, and can.
  bool collect() {
    if (!loop_.isLoopSimplifyForm() || ItemLoops::isItemLoop(loop_) ||
        ItemLoops::isRowLoop(loop_) || ItemLoops::isLaneGroup(loop_))
      return false;
    update_ = findUpdate(loop_, dominators_);
    return update_ && hoistPlace() && instructionsIn(loop_) <= tuning::kUpdateInstructions &&
           collectValues();
  }

  /// Calls a function in place of the loop, whose blocks are gone afterwards.
  void outline() {
    Function& made = create();
    BasicBlock* before = loop_.getLoopPreheader();
    BasicBlock* exit = loop_.getExitBlock();
    BasicBlock* exiting = loop_.getExitingBlock();
    IRBuilder<> builder(before->getTerminator());
    builder.SetCurrentDebugLocation(update_->getDebugLoc());
    CallInst* call = builder.CreateCall(&made, inputs_.getArrayRef());
    for (PHINode& phi : exit->phis()) phi.replaceIncomingBlockWith(exiting, before);
    if (result_)
      result_->replaceUsesWithIf(call, [&](const Use& use) { return !isInside(*use.getUser()); });
    before->getTerminator()->replaceSuccessorWith(loop_.getHeader(), exit);
    DeleteDeadBlocks(SmallVector<BasicBlock*>(loop_.blocks()));
  }

 private:
  bool isInside(const Value& value) const {
    const auto* instruction = dyn_cast<Instruction>(&value);
    return instruction && loop_.contains(instruction);
  }

  /// Computes before the loop what is the same in all iterations; whether the place is.
  bool hoistPlace() {
    bool hasChanged = false;
    for (BasicBlock* block : loop_.blocks())
      for (Instruction& instruction : make_early_inc_range(*block))
        if (!isa<PHINode>(instruction)) loop_.makeLoopInvariant(&instruction, hasChanged);
    return loop_.isLoopInvariant(update_->getPointerOperand());
  }

  /// What comes from outside, the place first, and the one value that is used there.
  bool collectValues() {
    inputs_.insert(const_cast<Value*>(update_->getPointerOperand()));
    for (BasicBlock* block : loop_.blocks())
      for (Instruction& instruction : *block) {
        for (Value* operand : instruction.operands())
          if (isa<Argument>(operand) || (isa<Instruction>(operand) && !isInside(*operand)))
            inputs_.insert(operand);
        if (all_of(instruction.users(), [&](const User* user) { return isInside(*user); }))
          continue;
        if (result_) return false;
        result_ = &instruction;
      }
    return true;
  }

  Function& create() const {
    Function& parent = *loop_.getHeader()->getParent();
    LLVMContext& context = parent.getContext();
    SmallVector<Type*> parameters;
    for (const Value* input : inputs_) parameters.push_back(input->getType());
    Type* type = result_ ? result_->getType() : Type::getVoidTy(context);
    Function* made =
        Function::Create(FunctionType::get(type, parameters, /*isVarArg=*/false),
                         GlobalValue::InternalLinkage, "compare-and-swap", parent.getParent());
    copyTarget(parent, *made);
    made->addFnAttr(kUpdateAttribute);
    made->addFnAttr(Attribute::NoUnwind);
    made->addFnAttr(Attribute::WillReturn);
    BasicBlock* entry = BasicBlock::Create(context, "entry", made);
    BasicBlock* end = BasicBlock::Create(context, "end");
    ValueToValueMapTy copies;
    // Before there are copies, which lead into the loop until they are mapped.
    copies[loop_.getLoopPreheader()] = entry;
    copies[loop_.getExitBlock()] = end;
    for (const auto [input, argument] : zip(inputs_, made->args())) copies[input] = &argument;
    SmallVector<BasicBlock*> blocks;
    for (BasicBlock* block : loop_.blocks())
      copies[block] = blocks.emplace_back(CloneBasicBlock(block, copies, "", made));
    end->insertInto(made);
    remapInstructionsInBlocks(blocks, copies);
    for (BasicBlock* block : blocks)
      for (Instruction& instruction : *block) instruction.setDebugLoc({});
    BranchInst::Create(cast<BasicBlock>(copies[loop_.getHeader()]), entry);
    ReturnInst::Create(context, result_ ? static_cast<Value*>(copies[result_]) : nullptr, end);
    return *made;
  }

  Loop& loop_;
  const DominatorTree& dominators_;
  const AtomicCmpXchgInst* update_ = nullptr;
  SetVector<Value*> inputs_;
  Instruction* result_ = nullptr;
};

void outlineLoops(Function& function) {
  // What is known of loops is of no use once one of them is gone.
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    const DominatorTree dominators(function);
    const LoopInfo loops(dominators);
    for (Loop* loop : loops.getLoopsInPreorder()) {
      UpdateLoop update(*loop, dominators);
      if (!update.collect()) continue;
      update.outline();
      goesOn = true;
      break;
    }
  }
}

bool hasExchange(const Function& function) {
  return any_of(function, [](const BasicBlock& block) {
    return any_of(
        block, [](const Instruction& instruction) { return isa<AtomicCmpXchgInst>(instruction); });
  });
}

}  // namespace

const Value* updatedPlace(const Instruction& instruction) {
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->hasFnAttribute(kUpdateAttribute) ? call->getArgOperand(0) : nullptr;
}

PreservedAnalyses OutlineUpdateLoopsPass::run(Module& module, ModuleAnalysisManager&) {
  SmallVector<Function*> functions;
  for (Function& function : module)
    if (hasExchange(function)) functions.push_back(&function);
  for (Function* function : functions) outlineLoops(*function);
  return functions.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses InlineUpdateLoopsPass::run(Module& module, ModuleAnalysisManager&) {
  bool hasChanged = false;
  for (Function& function : make_early_inc_range(module)) {
    if (!function.hasFnAttribute(kUpdateAttribute)) continue;
    for (User* user : make_early_inc_range(function.users())) inlineCall(cast<CallBase>(*user));
    function.eraseFromParent();
    hasChanged = true;
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
