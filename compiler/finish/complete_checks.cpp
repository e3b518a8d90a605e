// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/complete_checks.h"

#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <string>

#include "ir/loop_marks.h"

namespace weft::compiler {

using namespace llvm;

bool isCheckComplete(const SCEVPredicate& predicate) {
  if (const auto* all = dyn_cast<SCEVUnionPredicate>(&predicate))
    return llvm::all_of(all->getPredicates(),
                        [](const SCEVPredicate* each) { return isCheckComplete(*each); });
  const auto* wrap = dyn_cast<SCEVWrapPredicate>(&predicate);
  if (!wrap || !(wrap->getFlags() & SCEVWrapPredicate::IncrementNUSW)) return true;
  const SCEVAddRecExpr* number = wrap->getExpr();
  if (!number->isAffine() || !number->getStart()->isZero()) return true;
  const auto* step = dyn_cast<SCEVConstant>(number->getOperand(1));
  return step && (step->isOne() || step->getAPInt().isNegative());
}

namespace {

/// Opaque functions in place of zeros, by the number of their bits.
constexpr const char* kZero = "weft.zero.i";

bool isZero(const Value& value) {
  const auto* call = dyn_cast<CallInst>(&value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(kZero);
}

/// One innermost loop.
class LoopChecks {
 public:
  LoopChecks(Loop& loop, LoopInfo& loops, ScalarEvolution& evolution)
      : loop_(loop), loops_(loops), evolution_(evolution) {}

  /// Whether the predicates that the loop vectoriser would check at run time are complete.
  /// Pre: the loop is in simplified form.
  bool areComplete() const {
    PredicatedScalarEvolution predicated(evolution_, loop_);
    predicated.getBackedgeTakenCount();
    predicated.getSymbolicMaxBackedgeTakenCount();
    for (PHINode& phi : loop_.getHeader()->phis()) {
      InductionDescriptor induction;
      InductionDescriptor::isInductionPHI(&phi, &loop_, predicated, induction, /*Assume=*/true);
    }
    bool hasUnknownStrides = false;
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& instruction : *block)
        if (const Value* pointer = getLoadStorePointerOperand(&instruction)) {
          const auto* recurrence = predicated.getAsAddRec(const_cast<Value*>(pointer));
          hasUnknownStrides |= recurrence && !isa<SCEVConstant>(recurrence->getOperand(1));
        }
    const SCEVPredicate& asked = predicated.getPredicate();
    return isCheckComplete(asked) && !(hasUnknownStrides && mayStartAtZero(asked));
  }

  /// Whether there is anything that numbers of less bits are made wider by.
  bool mayExtend() const {
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& instruction : *block)
        if (widens(instruction) || hasNarrowIndex(instruction)) return true;
    return false;
  }

  /// Takes from differences the promise not to wrap that holds in some iterations alone. Scalar
  /// evolution takes the extension of such a difference for the difference of extended numbers, so
  /// that nobody asks whether it wraps; but vectors of addresses begin with that of an iteration
  /// that may be masked, computed as it stands.
  bool dropPromises(const DominatorTree& dominators) {
    bool hasChanged = false;
    const BasicBlock* latch = loop_.getLoopLatch();
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& extension : *block) {
        if (!isa<SExtInst>(extension)) continue;
        auto* difference = dyn_cast<BinaryOperator>(extension.getOperand(0));
        if (!difference || difference->getOpcode() != Instruction::Sub ||
            !difference->hasNoSignedWrap() || !loop_.contains(difference))
          continue;
        const bool isOfAll = latch && dominators.dominates(difference->getParent(), latch) &&
                             programUndefinedIfPoison(difference);
        if (isOfAll) continue;
        difference->setHasNoSignedWrap(false);
        evolution_.forgetValue(difference);
        hasChanged = true;
      }
    return hasChanged;
  }

  /// Completes the checks where that can be done.
  void complete() {
    LoopBlocksDFS blocks(&loop_);
    blocks.perform(&loops_);
    for (BasicBlock* block : make_range(blocks.beginRPO(), blocks.endRPO()))
      for (Instruction& instruction : *block)
        if (widens(instruction) && isa<Instruction>(instruction.getOperand(0)))
          disguise(instruction);
  }

 private:
  static bool widens(const Instruction& instruction) {
    if (!instruction.getType()->isIntegerTy()) return false;
    switch (instruction.getOpcode()) {
      case Instruction::ZExt:
      case Instruction::SExt:
      case Instruction::And:
      case Instruction::URem:
      case Instruction::SRem:
        return true;
      default:
        return false;
    }
  }

  /// Whether a number may start at 0 under the predicate that a stride is one: `s - 1`.
  static bool mayStartAtZero(const SCEVPredicate& asked) {
    if (const auto* all = dyn_cast<SCEVUnionPredicate>(&asked))
      return any_of(all->getPredicates(),
                    [](const SCEVPredicate* each) { return mayStartAtZero(*each); });
    const auto* wrap = dyn_cast<SCEVWrapPredicate>(&asked);
    if (!wrap || !(wrap->getFlags() & SCEVWrapPredicate::IncrementNUSW)) return false;
    const SCEVAddRecExpr* number = wrap->getExpr();
    return number->getType()->isIntegerTy() && !number->getOperand(1)->isOne() &&
           !isa<SCEVConstant>(number->getStart()) && !hasZero(*number->getStart());
  }

  static bool hasZero(const SCEV& start) {
    return SCEVExprContains(&start, [](const SCEV* part) {
      const auto* unknown = dyn_cast<SCEVUnknown>(part);
      return unknown && isZero(*unknown->getValue());
    });
  }

  static bool hasNarrowIndex(const Instruction& instruction) {
    const auto* address = dyn_cast<GetElementPtrInst>(&instruction);
    return address && any_of(address->indices(), [](const Value* index) {
             return !isa<Constant>(index) && index->getType()->getScalarSizeInBits() < 64;
           });
  }

  /// Writes the operand of `extension` so that its start is not known, if it does not wrap under a
  /// condition; also where all would be asked for: differences between indices stay what they are.
  void disguise(Instruction& extension) {
    SmallPtrSet<const SCEVPredicate*, 4> conditions;
    if (!evolution_.convertSCEVToAddRecWithPredicates(evolution_.getSCEV(&extension), &loop_,
                                                      conditions))
      return;
    const SCEVAddRecExpr* number = nullptr;
    bool wraps = false;
    for (const SCEVPredicate* condition : conditions) {
      const auto* wrap = dyn_cast<SCEVWrapPredicate>(condition);
      if (!wrap || !(wrap->getFlags() & SCEVWrapPredicate::IncrementNUSW)) continue;
      if (hasZero(*wrap->getExpr()->getStart())) continue;
      number = wrap->getExpr();
      wraps = wraps || isSureToWrap(*number);
    }
    Value* operand = extension.getOperand(0);
    if (!number || operand->getType()->isIntegerTy(1)) return;
    Value* zero = zeroOf(operand->getType());
    const auto opcode = wraps ? Instruction::Xor : Instruction::Add;
    extension.setOperand(
        0, BinaryOperator::Create(opcode, operand, zero, "", extension.getIterator()));
    evolution_.forgetValue(&extension);
  }

  bool isSureToWrap(const SCEVAddRecExpr& number) const {
    const auto* count = dyn_cast<SCEVConstant>(evolution_.getBackedgeTakenCount(&loop_));
    const auto* start = dyn_cast<SCEVConstant>(number.getStart());
    const auto* step = dyn_cast<SCEVConstant>(number.getOperand(1));
    if (!count || !start || !step || !step->getAPInt().isStrictlyPositive()) return false;
    const unsigned bits = 2 * std::max<unsigned>(64, number.getType()->getScalarSizeInBits()) + 1;
    const APInt last = start->getAPInt().zext(bits) +
                       step->getAPInt().zext(bits) * count->getAPInt().zextOrTrunc(bits);
    return last.getActiveBits() > number.getType()->getScalarSizeInBits();
  }

  /// A zero of which LLVM knows that it is small, so that it tells sums from each other, but not
  /// that it is 0: otherwise it would be folded away where less bits of it are looked at.
  Value* zeroOf(Type* type) {
    Value*& zero = zeros_[type];
    if (zero) return zero;
    Instruction* end = loop_.getLoopPreheader()->getTerminator();
    Module& module = *end->getModule();
    auto* function =
        cast<Function>(module
                           .getOrInsertFunction(kZero + std::to_string(type->getIntegerBitWidth()),
                                                FunctionType::get(type, false))
                           .getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    auto* call = CallInst::Create(function, "zero", end->getIterator());
    const unsigned bits = type->getIntegerBitWidth();
    call->setMetadata(LLVMContext::MD_range,
                      MDBuilder(module.getContext()).createRange(APInt(bits, 0), APInt(bits, 2)));
    return zero = call;
  }

  Loop& loop_;
  LoopInfo& loops_;
  ScalarEvolution& evolution_;
  DenseMap<Type*, Value*> zeros_;
};

}  // namespace

PreservedAnalyses CompleteChecksPass::run(Function& function, FunctionAnalysisManager& analyses) {
  LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  bool hasChanged = false;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || isVectorized(*loop)) continue;
    auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    LoopChecks checks(*loop, loops, evolution);
    if (!checks.mayExtend()) continue;
    hasChanged |= checks.dropPromises(analyses.getResult<DominatorTreeAnalysis>(function));
    if (loop->isLoopSimplifyForm()) {
      if (checks.areComplete()) continue;
      checks.complete();
      evolution.forgetLoop(loop);
      hasChanged = true;
      if (checks.areComplete()) continue;
    }
    addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  }
  if (!hasChanged) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  kept.preserve<ScalarEvolutionAnalysis>();
  return kept;
}

PreservedAnalyses DropZerosPass::run(Function& function, FunctionAnalysisManager&) {
  bool hasChanged = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (!isZero(instruction)) continue;
    instruction.replaceAllUsesWith(Constant::getNullValue(instruction.getType()));
    instruction.eraseFromParent();
    hasChanged = true;
  }
  if (!hasChanged) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler
