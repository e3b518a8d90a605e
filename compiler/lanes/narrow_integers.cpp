// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/narrow_integers.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr unsigned kWide = 32;
constexpr unsigned kNarrow = 16;
constexpr unsigned kMaxDepth = 24;

bool isWide(const Value& value) { return value.getType()->isIntegerTy(kWide); }

/// A byte or short that has been made wide.
bool isLeaf(const Value& value) {
  const auto* cast = dyn_cast<CastInst>(&value);
  return cast && isWide(value) && isa<SExtInst, ZExtInst>(cast) &&
         (cast->getSrcTy()->isIntegerTy(8) || cast->getSrcTy()->isIntegerTy(kNarrow));
}

bool isConstantShift(const BinaryOperator& operation) {
  const auto* count = dyn_cast<ConstantInt>(operation.getOperand(1));
  return count && count->getValue().ult(kNarrow);
}

class Narrowing {
 public:
  explicit Narrowing(Function& function) : function_(function) {}

  bool run() {
    for (Instruction& instruction : instructions(function_))
      if (isWide(instruction) && !isLeaf(instruction) && suits(instruction))
        members_.insert({&instruction, nullptr});
    if (members_.empty()) return false;
    dropUnfed();
    const EquivalenceClasses<Instruction*> connected = connect();
    MapVector<Instruction*, SmallPtrSet<Instruction*, 16>> groups;
    for (const auto& member : members_)
      groups[connected.getLeaderValue(member.first)].insert(member.first);
    bool changed = false;
    for (const auto& group : groups) {
      if (!pays(group.second)) continue;
      narrow(group.second);
      changed = true;
    }
    return changed;
  }

 private:
  const ConstantRange& rangeOf(const Value& value, unsigned depth = 0) {
    const auto found = ranges_.find(&value);
    if (found != ranges_.end()) return found->second;
    return ranges_.try_emplace(&value, computeRange(value, depth)).first->second;
  }

  ConstantRange computeRange(const Value& value, unsigned depth) {
    const auto full = ConstantRange::getFull(kWide);
    if (const auto* constant = dyn_cast<ConstantInt>(&value)) return constant->getValue();
    if (isLeaf(value)) {
      const auto& cast = llvm::cast<CastInst>(value);
      const auto from = ConstantRange::getFull(cast.getSrcTy()->getIntegerBitWidth());
      return isa<SExtInst>(cast) ? from.signExtend(kWide) : from.zeroExtend(kWide);
    }
    const auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction || depth > kMaxDepth) return full;
    auto operand = [&](unsigned i) {
      return ConstantRange(rangeOf(*instruction->getOperand(i), depth + 1));
    };
    if (const auto* operation = dyn_cast<BinaryOperator>(instruction)) {
      if (operation->isIntDivRem()) return full;
      const ConstantRange left = operand(0);
      // LLVM's range of a shift is the full one where there are signs.
      if (operation->getOpcode() == Instruction::Shl && isConstantShift(*operation))
        return left.multiply(APInt::getOneBitSet(
            kWide, cast<ConstantInt>(operation->getOperand(1))->getZExtValue()));
      return left.binaryOp(operation->getOpcode(), operand(1));
    }
    if (isa<SelectInst>(instruction)) return operand(1).unionWith(operand(2));
    if (const auto* call = dyn_cast<IntrinsicInst>(instruction)) {
      const Intrinsic::ID id = call->getIntrinsicID();
      if (id == Intrinsic::abs)
        return ConstantRange::intrinsic(
            id, {operand(0), ConstantRange(cast<ConstantInt>(call->getArgOperand(1))->getValue())});
      if (isMinMax(id)) return ConstantRange::intrinsic(id, {operand(0), operand(1)});
    }
    return full;
  }

  static bool isMinMax(Intrinsic::ID id) {
    return id == Intrinsic::smin || id == Intrinsic::smax || id == Intrinsic::umin ||
           id == Intrinsic::umax;
  }

  bool fitsSigned(const Value& value) {
    const ConstantRange& range = rangeOf(value);
    return !range.isEmptySet() && range.getSignedMin().sge(-(1 << (kNarrow - 1))) &&
           range.getSignedMax().slt(1 << (kNarrow - 1));
  }
  bool fitsUnsigned(const Value& value) {
    const ConstantRange& range = rangeOf(value);
    return !range.isEmptySet() && range.getUnsignedMax().ult(1 << kNarrow);
  }
  bool fits(const Value& value) { return fitsSigned(value) || fitsUnsigned(value); }
  /// Whether both are ordered in 16 bits as they are in 32.
  bool compareAlike(const Value& left, const Value& right, bool isSigned) {
    return (fitsSigned(left) && fitsSigned(right)) ||
           (!isSigned && fitsUnsigned(left) && fitsUnsigned(right));
  }

  /// Whether the operation gives the low bits of its result for the low bits of its operands.
  bool suits(Instruction& instruction) {
    if (!fits(instruction)) return false;
    if (isa<SelectInst>(instruction)) return true;
    if (const auto* operation = dyn_cast<BinaryOperator>(&instruction)) {
      switch (operation->getOpcode()) {
        case Instruction::Add:
        case Instruction::Sub:
        case Instruction::Mul:
        case Instruction::And:
        case Instruction::Or:
        case Instruction::Xor:
          return true;
        case Instruction::Shl:
          return isConstantShift(*operation);
        case Instruction::LShr:
          return isConstantShift(*operation) && fitsUnsigned(*operation->getOperand(0));
        case Instruction::AShr:
          return isConstantShift(*operation) && fitsSigned(*operation->getOperand(0));
        default:
          return false;
      }
    }
    const auto* call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call) return false;
    const Intrinsic::ID id = call->getIntrinsicID();
    if (id == Intrinsic::abs) return fitsSigned(*call->getArgOperand(0));
    return isMinMax(id) && compareAlike(*call->getArgOperand(0), *call->getArgOperand(1),
                                        id == Intrinsic::smin || id == Intrinsic::smax);
  }

  bool isFed(const Value& operand) {
    if (!isWide(operand)) return true;  // a condition, or a flag
    if (const auto* constant = dyn_cast<ConstantInt>(&operand)) return fits(*constant);
    const auto* instruction = dyn_cast<Instruction>(&operand);
    return instruction &&
           (isLeaf(operand) || members_.contains(const_cast<Instruction*>(instruction)));
  }

  /// Takes away what depends on values that stay wide.
  void dropUnfed() {
    bool changed = true;
    while (changed) {
      const size_t before = members_.size();
      members_.remove_if([&](const auto& member) {
        return !all_of(member.first->operands(), [&](const Use& use) {
          return isa<Function>(use.get()) || isFed(*use.get());
        });
      });
      changed = members_.size() != before;
    }
  }

  EquivalenceClasses<Instruction*> connect() {
    EquivalenceClasses<Instruction*> groups;
    for (const auto& member : members_) {
      groups.insert(member.first);
      for (Value* operand : member.first->operands())
        if (auto* other = dyn_cast<Instruction>(operand); other && members_.contains(other))
          groups.unionSets(member.first, other);
    }
    return groups;
  }

  /// Whether a user outside of the group takes the narrow value as it is.
  bool takesNarrow(const User& user, const SmallPtrSetImpl<Instruction*>& group) {
    if (const auto* cast = dyn_cast<TruncInst>(&user))
      return cast->getDestTy()->getIntegerBitWidth() <= kNarrow;
    const auto* comparison = dyn_cast<ICmpInst>(&user);
    return comparison &&
           all_of(comparison->operands(),
                  [&](const Use& use) {
                    auto* instruction = dyn_cast<Instruction>(use.get());
                    return isa<ConstantInt>(use.get()) ? fits(*use.get())
                                                       : instruction && group.contains(instruction);
                  }) &&
           compareAlike(*comparison->getOperand(0), *comparison->getOperand(1),
                        comparison->isSigned());
  }

  bool pays(const SmallPtrSetImpl<Instruction*>& group) {
    // An extension makes two registers of one.
    unsigned cost = 0;
    for (const Instruction* member : group)
      for (const User* user : member->users()) {
        if (group.contains(cast<Instruction>(user)) || takesNarrow(*user, group)) continue;
        cost += 2;
        break;
      }
    return group.size() >= 3 && group.size() > cost;
  }

  /// `value` in 16 bits, for a member of a group that is being made narrow.
  Value* narrowed(Value& value) {
    IntegerType* type = IntegerType::get(value.getContext(), kNarrow);
    if (auto* constant = dyn_cast<ConstantInt>(&value))
      return ConstantInt::get(type, constant->getValue().trunc(kNarrow));
    if (isLeaf(value)) {
      auto& cast = llvm::cast<CastInst>(value);
      if (cast.getSrcTy() == type) return cast.getOperand(0);
      Value*& leaf = leaves_[&value];
      if (!leaf) leaf = IRBuilder<>(&cast).CreateCast(cast.getOpcode(), cast.getOperand(0), type);
      return leaf;
    }
    return members_[cast<Instruction>(&value)];
  }

  Value* emit(Instruction& member) {
    IRBuilder<> builder(&member);
    auto operand = [&](unsigned i) { return narrowed(*member.getOperand(i)); };
    if (auto* operation = dyn_cast<BinaryOperator>(&member))
      return builder.CreateBinOp(operation->getOpcode(), operand(0), operand(1));
    if (auto* select = dyn_cast<SelectInst>(&member))
      return builder.CreateSelect(select->getCondition(), operand(1), operand(2));
    const auto id = cast<IntrinsicInst>(member).getIntrinsicID();
    if (id == Intrinsic::abs)
      return builder.CreateIntrinsic(id, {builder.getInt16Ty()}, {operand(0), builder.getFalse()});
    return builder.CreateIntrinsic(id, {builder.getInt16Ty()}, {operand(0), operand(1)});
  }

  void narrow(const SmallPtrSetImpl<Instruction*>& group) {
    // Operands first: blocks need not be in the order of control flow.
    SmallVector<Instruction*> order;
    SmallPtrSet<Instruction*, 16> seen;
    for (const auto& member : members_)
      if (group.contains(member.first)) visit(*member.first, group, seen, order);
    for (Instruction* member : order) members_[member] = emit(*member);
    for (Instruction* member : order) replaceUses(*member, group);
    for (Instruction* member : llvm::reverse(order)) {
      members_.erase(member);
      ranges_.erase(member);
      const SmallSetVector<Value*, 2> operands(member->op_begin(), member->op_end());
      member->eraseFromParent();
      for (Value* operand : operands)
        if (isLeaf(*operand) && operand->use_empty()) {
          ranges_.erase(operand);
          leaves_.erase(operand);
          cast<Instruction>(operand)->eraseFromParent();
        }
    }
  }

  void visit(Instruction& member, const SmallPtrSetImpl<Instruction*>& group,
             SmallPtrSetImpl<Instruction*>& seen, SmallVectorImpl<Instruction*>& order) {
    if (!seen.insert(&member).second) return;
    for (Value* operand : member.operands())
      if (auto* other = dyn_cast<Instruction>(operand); other && group.contains(other))
        visit(*other, group, seen, order);
    order.push_back(&member);
  }

  void replaceUses(Instruction& member, const SmallPtrSetImpl<Instruction*>& group) {
    Value* value = members_[&member];
    Value* wide = nullptr;
    const SmallSetVector<User*, 4> users(member.user_begin(), member.user_end());
    for (User* user : users) {
      if (group.contains(cast<Instruction>(user))) continue;
      if (!takesNarrow(*user, group)) {
        if (!wide) {
          IRBuilder<> builder(&member);
          wide = fitsSigned(member) ? builder.CreateSExt(value, member.getType())
                                    : builder.CreateZExt(value, member.getType());
        }
        user->replaceUsesOfWith(&member, wide);
        continue;
      }
      IRBuilder<> builder(cast<Instruction>(user));
      if (auto* cast = dyn_cast<TruncInst>(user)) {
        cast->replaceAllUsesWith(builder.CreateZExtOrTrunc(value, cast->getType()));
        cast->eraseFromParent();
        continue;
      }
      auto* comparison = cast<ICmpInst>(user);
      if (comparison->getOperand(0)->getType()->isIntegerTy(kNarrow)) continue;
      Value* result =
          builder.CreateICmp(comparison->getPredicate(), narrowed(*comparison->getOperand(0)),
                             narrowed(*comparison->getOperand(1)));
      comparison->replaceAllUsesWith(result);
      comparison->eraseFromParent();
    }
  }

  Function& function_;
  DenseMap<const Value*, ConstantRange> ranges_;
  MapVector<Instruction*, Value*> members_;  ///< and what takes their place
  DenseMap<const Value*, Value*> leaves_;
};

}  // namespace

PreservedAnalyses NarrowIntegersPass::run(Function& function, FunctionAnalysisManager&) {
  if (!Narrowing(function).run()) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler
