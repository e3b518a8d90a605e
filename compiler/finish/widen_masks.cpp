// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/widen_masks.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <map>

#include "base/tuning.h"
#include "ir/host_target.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned kSmallestRegister = 128;
/// Of elements that there are instructions for.
constexpr unsigned kLeastBits = 8, kMostBits = 64;

bool isMask(const Value& value) {
  const auto* type = dyn_cast<FixedVectorType>(value.getType());
  return type && type->getElementType()->isIntegerTy(1) && type->getNumElements() > 1;
}

/// Whether it is a mask that only combines others, or hands them on.
bool isLogic(const Value& value) {
  return isMask(value) && isa<PHINode, FreezeInst, SelectInst, BinaryOperator>(value);
}

/// Bits of an element of a vector that there are instructions for, or none.
unsigned elementBits(const Value& value) {
  const DataLayout* layout = nullptr;
  if (const auto* instruction = dyn_cast<Instruction>(&value))
    layout = &instruction->getDataLayout();
  Type* element = value.getType()->getScalarType();
  const unsigned bits = element->isPointerTy() && layout ? layout->getPointerTypeSizeInBits(element)
                                                         : element->getScalarSizeInBits();
  return bits >= kLeastBits && bits <= kMostBits && isPowerOf2_32(bits) ? bits : 0;
}

/// The size of what a mask is of where it comes from, if it is a comparison.
unsigned bitsOfSource(const Value& mask) {
  const auto* comparison = dyn_cast<CmpInst>(&mask);
  return comparison ? elementBits(*comparison->getOperand(0)) : 0;
}

/// The size of what `use` has a mask for.
unsigned bitsOfUse(const Use& use) {
  const User& user = *use.getUser();
  if (isa<SelectInst, SExtInst, ZExtInst>(user)) return elementBits(user);
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&user);
  if (!intrinsic) return 0;
  switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::masked_load:
      return elementBits(user);
    case Intrinsic::masked_store:
      return elementBits(*intrinsic->getArgOperand(0));
    default:
      return 0;
  }
}

const BasicBlock* blockOf(const Use& use) { return cast<Instruction>(use.getUser())->getParent(); }

/// Masks that have to be of one size, since they are made of each other.
struct Web {
  SmallVector<Instruction*> masks;
  uint64_t operations = 0;            ///< on masks, weighed
  std::map<unsigned, uint64_t> ends;  ///< by size, what is compared for them or selected by them
  bool isPacked = false;              ///< LLVM would make it small

  /// The size for which it takes the fewest instructions.
  unsigned bits(unsigned registerBits) const {
    const unsigned lanes = cast<FixedVectorType>(masks.front()->getType())->getNumElements();
    unsigned best = kMostBits;
    uint64_t least = UINT64_MAX;
    for (unsigned bits = kLeastBits; bits <= kMostBits; bits *= 2) {
      if (bits * lanes < kSmallestRegister) continue;
      const uint64_t cost = costOf(
          bits, [&](unsigned size) { return divideCeil(uint64_t{lanes} * size, registerBits); });
      if (cost < least) best = bits;
      least = std::min(least, cost);
    }
    return best;
  }

 private:
  /// Packing and unpacking take an instruction for each register of the larger size, and half of
  /// one to bring halves of registers to their places.
  uint64_t costOf(unsigned bits, function_ref<uint64_t(unsigned bits)> registers) const {
    uint64_t cost = 2 * operations * registers(bits);
    for (auto [size, weight] : ends)
      if (size != bits) cost += 3 * weight * registers(std::max(size, bits));
    return cost;
  }
};

class MaskWidener {
 public:
  MaskWidener(Function& function, const LoopInfo& loops, unsigned registerBits)
      : function_(function), loops_(loops), registerBits_(registerBits) {}

  bool run() {
    MapVector<const Value*, Web> webs = findWebs();
    for (const auto& [leader, web] : webs) {
      if (!web.isPacked) continue;
      const unsigned bits = web.bits(registerBits_);
      for (Instruction* mask : web.masks) bits_[mask] = bits;
    }
    if (bits_.empty()) return false;
    createAll();
    for (const auto& [mask, bits] : bits_) replaceUses(*mask, bits);
    eraseUnused();
    return true;
  }

 private:
  /// Masks that combine others with all that these are combined of; and each other one by itself.
  MapVector<const Value*, Web> findWebs() {
    EquivalenceClasses<const Value*> classes;
    SmallVector<Instruction*> masks;
    for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function_))
      for (Instruction& instruction : *block) {
        if (!isMask(instruction)) continue;
        masks.push_back(&instruction);
        classes.insert(&instruction);
        if (!isLogic(instruction)) continue;
        for (const Value* operand : instruction.operands())
          if (isLogic(*operand) && isa<Instruction>(operand))
            classes.unionSets(&instruction, operand);
      }
    MapVector<const Value*, Web> webs;
    for (Instruction* mask : masks) {
      Web& web = webs[classes.getLeaderValue(mask)];
      web.masks.push_back(mask);
      weigh(*mask, web);
    }
    return webs;
  }

  /// What code generation makes of a comparison in each block that uses it needs no help.
  void weigh(Instruction& mask, Web& web) {
    const auto addEnd = [&](unsigned bits, const BasicBlock& block) {
      if (bits != 0) web.ends[bits] += weightOf(block);
    };
    for (const Use& use : mask.uses()) {
      if (!isLogic(*use.getUser())) addEnd(bitsOfUse(use), *blockOf(use));
      if (isa<BitCastInst>(use.getUser())) web.operations += weightOf(*blockOf(use));
      web.isPacked |= blockOf(use) != mask.getParent() && !isa<CmpInst>(mask);
    }
    if (!isLogic(mask)) return;
    web.operations += weightOf(*mask.getParent());
    // A choice by one condition becomes a branch, and what it chooses goes from block to block.
    const auto* choice = dyn_cast<SelectInst>(&mask);
    web.isPacked |= isa<PHINode>(mask) || (choice && !isMask(*choice->getCondition()));
    for (const Value* operand : mask.operands()) {
      const auto* source = dyn_cast<Instruction>(operand);
      if (!source || !isMask(*source) || isLogic(*source)) continue;
      addEnd(bitsOfSource(*source), *source->getParent());
      web.isPacked |= source->getParent() != mask.getParent() || getSplatValue(source);
    }
  }

  uint64_t weightOf(const BasicBlock& block) const {
    uint64_t weight = 1;
    for (unsigned depth = std::min(loops_.getLoopDepth(&block), 8u); depth != 0; --depth)
      weight *= tuning::kLoopWeight;
    return weight;
  }

  static FixedVectorType* wideType(const Value& mask, unsigned bits) {
    return FixedVectorType::get(IntegerType::get(mask.getContext(), bits),
                                cast<FixedVectorType>(mask.getType())->getNumElements());
  }

  void createAll() {
    SmallVector<std::pair<PHINode*, PHINode*>> phis;
    for (const auto& [mask, bits] : bits_) {
      auto* phi = dyn_cast<PHINode>(mask);
      if (!phi) continue;
      IRBuilder<> builder(phi);
      auto* made = builder.CreatePHI(wideType(*phi, bits), phi->getNumIncomingValues());
      wide_[{phi, bits}] = made;
      phis.emplace_back(phi, made);
    }
    // Operands come first: masks are in reverse postorder within a web, but those of no web of
    // their own are made when they are needed.
    for (const auto& [mask, bits] : bits_) widen(*mask, bits);
    for (auto [phi, made] : phis)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        made->addIncoming(widen(*phi->getIncomingValue(i), bits_[phi]), phi->getIncomingBlock(i));
  }

  /// The mask as a vector of 0 and -1.
  Value* widen(Value& mask, unsigned bits) {
    FixedVectorType* type = wideType(mask, bits);
    if (auto* constant = dyn_cast<Constant>(&mask))
      return IRBuilder<>(function_.getContext()).CreateSExt(constant, type);
    if (Value* known = wide_.lookup({&mask, bits})) return known;
    auto* logic = isLogic(mask) ? dyn_cast<Instruction>(&mask) : nullptr;
    Value* made = logic && bits_.contains(logic) ? combine(*logic, bits) : widenSource(mask, bits);
    wide_[{&mask, bits}] = made;
    return made;
  }

  Value* combine(Instruction& mask, unsigned bits) {
    IRBuilder<> builder(&mask);
    const auto operand = [&](unsigned i) { return widen(*mask.getOperand(i), bits); };
    if (isa<FreezeInst>(mask)) return builder.CreateFreeze(operand(0));
    if (auto* binary = dyn_cast<BinaryOperator>(&mask))
      return builder.CreateBinOp(binary->getOpcode(), operand(0), operand(1));
    Value* condition = mask.getOperand(0);
    if (!isMask(*condition)) return builder.CreateSelect(condition, operand(1), operand(2));
    // What is not chosen may be poison, which must not go on.
    if (match(mask.getOperand(2), m_Zero()))
      return builder.CreateAnd(operand(0), builder.CreateFreeze(operand(1)));
    if (match(mask.getOperand(1), m_AllOnes()))
      return builder.CreateOr(operand(0), builder.CreateFreeze(operand(2)));
    return builder.CreateSelect(signOf(builder, operand(0)), operand(1), operand(2));
  }

  Value* widenSource(Value& mask, unsigned bits) {
    IRBuilder<> builder(function_.getContext());
    if (auto* instruction = dyn_cast<Instruction>(&mask))
      builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    else
      builder.SetInsertPointPastAllocas(&function_);
    FixedVectorType* type = wideType(mask, bits);
    // A condition that all lanes share.
    Value* condition = getSplatValue(&mask);
    if (!condition) return builder.CreateSExt(&mask, type);
    const auto splat = [&](Value* value) {
      return builder.CreateVectorSplat(type->getNumElements(), value);
    };
    // Comparisons of floats set flags that take several instructions to become a number.
    if (auto* comparison = dyn_cast<FCmpInst>(condition);
        comparison && elementBits(*comparison->getOperand(0)) == bits)
      return builder.CreateSExt(
          builder.CreateFCmp(comparison->getPredicate(), splat(comparison->getOperand(0)),
                             splat(comparison->getOperand(1))),
          type);
    return splat(builder.CreateSExt(condition, type->getElementType()));
  }

  static Value* signOf(IRBuilder<>& builder, Value* wide) {
    return builder.CreateICmpSLT(wide, Constant::getNullValue(wide->getType()));
  }

  /// Has all that uses a mask ask for the signs in place of it. Code generation looks at one block
  /// at a time: each has comparisons of its own, and what is used in the block of a comparison
  /// stays.
  void replaceUses(Instruction& mask, unsigned bits) {
    for (Use& use : make_early_inc_range(mask.uses())) {
      auto& user = *cast<Instruction>(use.getUser());
      if (isLogic(user) || (!isLogic(mask) && user.getParent() == mask.getParent())) continue;
      if (replaceUser(user, mask, bits)) continue;
      const unsigned wanted = bitsOfUse(use);
      use.set(maskIn(*user.getParent(), mask, bits, wanted == 0 ? bits : wanted));
    }
  }

  /// In place of `user` itself, if there is something for it.
  bool replaceUser(Instruction& user, Instruction& mask, unsigned bits) {
    IRBuilder<> builder(&user);
    if (isa<SExtInst>(user) && elementBits(user) != 0) {
      user.replaceAllUsesWith(
          builder.CreateSExtOrTrunc(wide_.lookup({&mask, bits}), user.getType()));
      unused_.push_back(&user);
      return true;
    }
    if (auto* select = dyn_cast<SelectInst>(&user)) return clear(*select, mask, bits);
    if (!isa<BitCastInst>(user) || !user.getType()->isIntegerTy()) return false;
    for (User* question : make_early_inc_range(user.users()))
      answer(*cast<Instruction>(question), mask, bits);
    if (!user.use_empty()) return false;
    unused_.push_back(&user);
    return true;
  }

  /// Where nothing but zeros stand for idle lanes, or for the others.
  bool clear(SelectInst& select, Instruction& mask, unsigned bits) {
    const unsigned wanted = elementBits(select);
    const bool isForIdle = match(select.getFalseValue(), m_Zero());
    if (wanted == 0 || (!isForIdle && !match(select.getTrueValue(), m_Zero())) ||
        select.getType()->isPtrOrPtrVectorTy())
      return false;
    IRBuilder<> builder(&select);
    Value* wide = builder.CreateSExtOrTrunc(wide_.lookup({&mask, bits}), wideType(mask, wanted));
    Value* value = isForIdle ? select.getTrueValue() : select.getFalseValue();
    value = builder.CreateBitCast(builder.CreateFreeze(value), wide->getType());
    Value* kept = builder.CreateAnd(isForIdle ? wide : builder.CreateNot(wide), value);
    select.replaceAllUsesWith(builder.CreateBitCast(kept, select.getType()));
    unused_.push_back(&select);
    return true;
  }

  /// Whether all lanes are set, or none.
  void answer(Instruction& question, Instruction& mask, unsigned bits) {
    ICmpInst::Predicate predicate{};
    const APInt* number = nullptr;
    if (!match(&question, m_ICmp(predicate, m_Value(), m_APInt(number))) ||
        !ICmpInst::isEquality(predicate) || (!number->isZero() && !number->isAllOnes()))
      return;
    IRBuilder<> builder(&question);
    Value* wide = wide_.lookup({&mask, bits});
    if (number->isAllOnes()) wide = builder.CreateNot(wide);
    Value* any = builder.CreateOrReduce(wide);
    question.replaceAllUsesWith(
        builder.CreateICmp(predicate, any, Constant::getNullValue(any->getType())));
    unused_.push_back(&question);
  }

  Value* maskIn(BasicBlock& block, Instruction& mask, unsigned bits, unsigned wanted) {
    Value*& known = masks_[{&block, &mask, wanted}];
    if (known) return known;
    Value* wide = wide_.lookup({&mask, bits});
    auto* made = dyn_cast<Instruction>(wide);
    IRBuilder<> builder(&block, made && made->getParent() == &block
                                    ? *made->getInsertionPointAfterDef()
                                    : block.getFirstInsertionPt());
    known = signOf(builder, builder.CreateSExtOrTrunc(wide, wideType(mask, wanted)));
    return known;
  }

  void eraseUnused() {
    for (Instruction* instruction : unused_) instruction->eraseFromParent();
    // Phis use each other.
    for (const auto& [mask, bits] : bits_) {
      if (!isLogic(*mask)) continue;
      mask->replaceAllUsesWith(PoisonValue::get(mask->getType()));
      mask->eraseFromParent();
    }
  }

  Function& function_;
  const LoopInfo& loops_;
  const unsigned registerBits_;
  MapVector<Instruction*, unsigned> bits_;  ///< of the elements of what becomes of each mask
  DenseMap<std::pair<const Value*, unsigned>, Value*> wide_;
  std::map<std::tuple<const BasicBlock*, const Value*, unsigned>, Value*> masks_;
  SmallVector<Instruction*> unused_;
};

bool selectsBySign() { return hostHas("+sse4.1") && !hostHasMaskRegisters(); }

}  // namespace

PreservedAnalyses WidenMasksPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!selectsBySign()) return PreservedAnalyses::all();
  const auto registerBits = analyses.getResult<TargetIRAnalysis>(function).getRegisterBitWidth(
      TargetTransformInfo::RGK_FixedWidthVector);
  if (!MaskWidener(function, analyses.getResult<LoopAnalysis>(function),
                   registerBits.getFixedValue())
           .run())
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler
