// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/drop_components.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/bit.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weft::compiler {
namespace {

using namespace llvm;

/// Components of a vector, a bit for each.
using Set = uint64_t;
using List = SmallVector<unsigned, 8>;

/// Of a vector that sets are for; otherwise 0.
unsigned countOf(const Value& value) {
  const auto* type = dyn_cast<FixedVectorType>(value.getType());
  return type && type->getNumElements() <= 64 ? type->getNumElements() : 0;
}

Set all(const Value& value) { return maskTrailingOnes<Set>(countOf(value)); }

List listOf(Set set) {
  List list;
  for (; set != 0; set &= set - 1) list.push_back(static_cast<unsigned>(countr_zero(set)));
  return list;
}

bool isLittle(const Instruction& instruction) {
  return instruction.getDataLayout().isLittleEndian();
}

/// Of a change of vectors into others of as many elements, or of smaller ones: how many of these
/// each element becomes; otherwise 0.
unsigned partsOfBitCast(const Instruction& instruction) {
  const auto* cast = dyn_cast<BitCastInst>(&instruction);
  if (!cast || !isLittle(instruction)) return 0;
  const unsigned from = countOf(*cast->getOperand(0));
  const unsigned to = countOf(*cast);
  return from != 0 && to != 0 && to % from == 0 ? to / from : 0;
}

/// Whether each component of the result comes of the same component of the operands that are
/// vectors, and of nothing else but operands that are not. Divisions by what nobody has computed
/// are left alone.
bool isByComponent(const Instruction& instruction) {
  if (countOf(instruction) == 0) return false;
  if (isa<BitCastInst>(instruction)) return partsOfBitCast(instruction) == 1;
  if (instruction.isIntDivRem()) return false;
  if (const auto* call = dyn_cast<IntrinsicInst>(&instruction))
    return isTriviallyVectorizable(call->getIntrinsicID()) && !call->hasOperandBundles();
  return isa<BinaryOperator, UnaryOperator, CmpInst, CastInst, SelectInst, PHINode, FreezeInst>(
      instruction);
}

/// What the function uses of each of its vectors.
class Uses {
 public:
  explicit Uses(Function& function) {
    for (Instruction& instruction : instructions(function)) addRoots(instruction);
    while (!changed_.empty()) pass(*changed_.pop_back_val());
  }

  Set of(const Value& value) const { return used_.lookup(&value); }

 private:
  void add(Value* operand, Set components) {
    auto* vector = dyn_cast<Instruction>(operand);
    if (!vector || countOf(*vector) == 0) return;
    Set& used = used_[vector];
    if ((used | components) == used) return;
    used |= components;
    changed_.push_back(vector);
  }

  /// What an instruction uses, whatever is used of it.
  void addRoots(Instruction& instruction) {
    if (isByComponent(instruction) || partsOfBitCast(instruction) != 0) return;
    if (isa<ShuffleVectorInst>(instruction) && countOf(instruction) != 0) return;
    if (auto* extract = dyn_cast<ExtractElementInst>(&instruction))
      if (const auto* index = dyn_cast<ConstantInt>(extract->getIndexOperand()))
        if (index->getValue().ult(countOf(*extract->getVectorOperand())))
          return add(extract->getVectorOperand(), Set{1} << index->getZExtValue());
    if (isa<InsertElementInst>(instruction) && isa<ConstantInt>(instruction.getOperand(2))) return;
    for (Value* operand : instruction.operands()) add(operand, all(*operand));
  }

  /// What an instruction uses for what is used of it.
  void pass(Instruction& instruction) {
    const Set used = used_[&instruction];
    if (auto* insert = dyn_cast<InsertElementInst>(&instruction)) {
      const auto* index = dyn_cast<ConstantInt>(insert->getOperand(2));
      if (index && index->getValue().ult(64))
        add(insert->getOperand(0), used & ~(Set{1} << index->getZExtValue()));
    } else if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
      const unsigned count = countOf(*shuffle->getOperand(0));
      for (const unsigned k : listOf(used)) {
        const int from = shuffle->getMaskValue(k);
        if (from < 0 || count == 0) continue;
        const auto place = static_cast<unsigned>(from);
        add(shuffle->getOperand(place / count), Set{1} << place % count);
      }
    } else if (const unsigned parts = partsOfBitCast(instruction); parts > 1) {
      for (const unsigned k : listOf(used)) add(instruction.getOperand(0), Set{1} << k / parts);
    } else if (isByComponent(instruction)) {
      for (Value* operand : instruction.operands()) add(operand, used);
    }
  }

  DenseMap<const Value*, Set> used_;
  SmallVector<Instruction*> changed_;
};

class Dropping {
 public:
  explicit Dropping(Function& function) : function_(function), uses_(function) {}

  bool run() {
    for (BasicBlock* block : ReversePostOrderTraversal<Function*>(&function_))
      for (Instruction& instruction : *block)
        if (isWorthIt(instruction)) dropped_.insert({&instruction, nullptr});
    if (dropped_.empty()) return false;
    for (auto& [old, shorter] : dropped_) shorter = shorten(*old);
    for (auto& [old, shorter] : dropped_)
      if (auto* phi = dyn_cast<PHINode>(old)) addIncoming(*phi, *cast<PHINode>(shorter));
    replaceExtracts();
    for (auto& [old, shorter] : dropped_) old->replaceAllUsesWith(lengthen(*old, *shorter));
    SmallVector<WeakTrackingVH> dead;
    for (auto& entry : dropped_) dead.emplace_back(entry.first);
    for (Instruction* instruction : made_) dead.emplace_back(instruction);
    // Phis may use each other.
    for (auto& entry : dropped_) entry.first->dropAllReferences();
    for (auto& entry : dropped_) entry.first->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
    // What vectors were put together from, which would count as work of lanes.
    for (BasicBlock& block : function_)
      for (Instruction& instruction : make_early_inc_range(reverse(block)))
        if (isInstructionTriviallyDead(&instruction)) instruction.eraseFromParent();
    return true;
  }

 private:
  bool isWorthIt(const Instruction& instruction) const {
    const List kept = listOf(uses_.of(instruction));
    if (kept.empty() || kept.size() * 2 > countOf(instruction)) return false;
    return isByComponent(instruction) || (partsOfBitCast(instruction) > 1 && kept.size() == 1);
  }

  /// Places after a value's definition.
  BasicBlock::iterator after(Value& value) {
    auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction) return function_.getEntryBlock().getFirstInsertionPt();
    if (isa<PHINode>(instruction)) return instruction->getParent()->getFirstInsertionPt();
    return std::next(instruction->getIterator());
  }

  static Type* typeOf(const Value& vector, size_t count) {
    Type* element = vector.getType()->getScalarType();
    return count == 1 ? element : FixedVectorType::get(element, static_cast<unsigned>(count));
  }

  Value* noted(Value* value) {
    if (auto* instruction = dyn_cast<Instruction>(value)) made_.insert(instruction);
    return value;
  }

  /// One component of a vector.
  Value* one(Value& vector, unsigned k) {
    if (auto* constant = dyn_cast<Constant>(&vector))
      if (Constant* element = constant->getAggregateElement(k)) return element;
    if (auto* insert = dyn_cast<InsertElementInst>(&vector))
      if (const auto* index = dyn_cast<ConstantInt>(insert->getOperand(2)))
        return index->equalsInt(k) ? insert->getOperand(1) : one(*insert->getOperand(0), k);
    if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&vector)) {
      const unsigned count = countOf(*shuffle->getOperand(0));
      const int from = shuffle->getMaskValue(k);
      if (from < 0) return PoisonValue::get(typeOf(vector, 1));
      const auto place = static_cast<unsigned>(from);
      if (count != 0) return one(*shuffle->getOperand(place / count), place % count);
    }
    if (Value*& known = ones_[{&vector, k}]) return known;
    Value* source = &vector;
    unsigned index = k;
    if (const auto found = dropped_.find(dyn_cast<Instruction>(&vector));
        found != dropped_.end() && found->second) {
      const List kept = listOf(uses_.of(vector));
      source = found->second;
      index = static_cast<unsigned>(find(kept, k) - kept.begin());
      if (kept.size() == 1) return source;
    }
    IRBuilder<> builder(function_.getContext());
    builder.SetInsertPoint(after(*source));
    return ones_[{&vector, k}] = noted(builder.CreateExtractElement(source, index));
  }

  /// Some components of a vector, as a vector of these; what is no vector as it is. New
  /// instructions are made where `builder` is.
  Value* some(Value& vector, const List& kept, IRBuilderBase& builder) {
    if (!vector.getType()->isVectorTy()) return &vector;
    if (kept.size() == 1) return one(vector, kept.front());
    if (const auto found = dropped_.find(dyn_cast<Instruction>(&vector));
        found != dropped_.end() && found->second && listOf(uses_.of(vector)) == kept)
      return found->second;
    if (!isa<InsertElementInst, ShuffleVectorInst, Constant>(vector) &&
        !dropped_.contains(dyn_cast<Instruction>(&vector))) {
      const SmallVector<int> mask(kept.begin(), kept.end());
      return noted(builder.CreateShuffleVector(&vector, mask));
    }
    Value* joined = PoisonValue::get(typeOf(vector, kept.size()));
    for (const auto [place, k] : enumerate(kept))
      joined = noted(builder.CreateInsertElement(joined, one(vector, k), uint64_t{place}));
    return joined;
  }

  /// A dropped vector's operation on the components that are used; of a phi without its operands.
  Value* shorten(Instruction& old) {
    const List kept = listOf(uses_.of(old));
    Type* type = typeOf(old, kept.size());
    IRBuilder<> builder(&old);
    if (isa<PHINode>(old)) return builder.CreatePHI(type, old.getNumOperands());
    if (const unsigned parts = partsOfBitCast(old); parts > 1)
      return part(old, kept.front(), parts);
    SmallVector<Value*, 4> operands;
    for (Value* operand : cast<User>(old).operands())
      operands.push_back(isa<Function>(operand) ? operand : some(*operand, kept, builder));
    Value* shorter = nullptr;
    if (auto* call = dyn_cast<IntrinsicInst>(&old)) {
      operands.pop_back();
      shorter = shortenCall(*call, type, operands, builder);
    } else if (auto* cast = dyn_cast<CastInst>(&old)) {
      shorter = CastInst::Create(cast->getOpcode(), operands[0], type);
    } else if (auto* compare = dyn_cast<CmpInst>(&old)) {
      shorter =
          CmpInst::Create(compare->getOpcode(), compare->getPredicate(), operands[0], operands[1]);
    } else {
      Instruction* copy = old.clone();
      for (const auto [place, operand] : enumerate(operands))
        copy->setOperand(static_cast<unsigned>(place), operand);
      copy->mutateType(type);
      shorter = copy;
    }
    auto* made = cast<Instruction>(shorter);
    if (!made->getParent()) builder.Insert(made);
    made->copyIRFlags(&old);
    made->copyMetadata(old, {LLVMContext::MD_fpmath, LLVMContext::MD_dbg});
    made->setDebugLoc(old.getDebugLoc());
    return made;
  }

  static Value* shortenCall(IntrinsicInst& call, Type* type, ArrayRef<Value*> operands,
                            IRBuilderBase& builder) {
    const Intrinsic::ID id = call.getIntrinsicID();
    SmallVector<Type*, 4> overloads;
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) overloads.push_back(type);
    for (const auto [place, operand] : enumerate(operands))
      if (isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(place)))
        overloads.push_back(operand->getType());
    return builder.CreateIntrinsic(id, overloads, operands);
  }

  /// A piece of one component's bits.
  Value* part(Instruction& old, unsigned k, unsigned parts) {
    IRBuilder<> builder(&old);
    Value* whole = one(*old.getOperand(0), k / parts);
    const unsigned bits = old.getType()->getScalarSizeInBits();
    Value* number = builder.CreateBitCast(whole, builder.getIntNTy(bits * parts));
    if (k % parts != 0) number = builder.CreateLShr(number, uint64_t{k % parts} * bits);
    Value* piece = builder.CreateTrunc(number, builder.getIntNTy(bits));
    return builder.CreateBitCast(piece, old.getType()->getScalarType());
  }

  void addIncoming(PHINode& old, PHINode& shorter) {
    const List kept = listOf(uses_.of(old));
    for (unsigned i = 0; i < old.getNumIncomingValues(); ++i) {
      IRBuilder<> builder(old.getIncomingBlock(i)->getTerminator());
      // One value for all edges of a block.
      const int earlier = shorter.getBasicBlockIndex(old.getIncomingBlock(i));
      shorter.addIncoming(earlier >= 0 ? shorter.getIncomingValue(static_cast<unsigned>(earlier))
                                       : some(*old.getIncomingValue(i), kept, builder),
                          old.getIncomingBlock(i));
    }
    shorter.setDebugLoc(old.getDebugLoc());
  }

  void replaceExtracts() {
    for (Instruction& instruction : make_early_inc_range(instructions(function_))) {
      auto* extract = dyn_cast<ExtractElementInst>(&instruction);
      const auto* index = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
      if (!index || made_.contains(extract)) continue;
      auto* vector = dyn_cast<Instruction>(extract->getVectorOperand());
      if (!vector || !index->getValue().ult(countOf(*vector))) continue;
      if (!isa<InsertElementInst, ShuffleVectorInst>(vector) && !dropped_.contains(vector))
        continue;
      Value* component = one(*vector, static_cast<unsigned>(index->getZExtValue()));
      if (component == extract) continue;
      extract->replaceAllUsesWith(component);
      made_.insert(extract);
    }
  }

  /// The vector again, of whose other components nobody asks.
  Value* lengthen(const Instruction& old, Value& shorter) {
    IRBuilder<> builder(function_.getContext());
    builder.SetInsertPoint(after(shorter));
    const List kept = listOf(uses_.of(old));
    Value* longer = PoisonValue::get(old.getType());
    for (const auto [place, k] : enumerate(kept)) {
      Value* component =
          kept.size() == 1 ? &shorter : noted(builder.CreateExtractElement(&shorter, place));
      longer = noted(builder.CreateInsertElement(longer, component, uint64_t{k}));
    }
    return longer;
  }

  Function& function_;
  const Uses uses_;
  MapVector<Instruction*, Value*> dropped_;
  DenseMap<std::pair<Value*, unsigned>, Value*> ones_;
  SmallSetVector<Instruction*, 32> made_;  ///< in passing, perhaps for nobody
};

}  // namespace

PreservedAnalyses DropComponentsPass::run(Function& function, FunctionAnalysisManager&) {
  if (!Dropping(function).run()) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
