// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "form/split_vectors.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "analysis/group_uniformity.h"
#include "ir/uses.h"

namespace weft::compiler {
namespace {

using namespace llvm;

FixedVectorType* vectorTypeOf(const Value& value) {
  return dyn_cast<FixedVectorType>(value.getType());
}

class VectorSplitter {
 public:
  VectorSplitter(Function& entry, const BarrierRegions& regions)
      : entry_(entry), regions_(regions) {}

  bool run() {
    for (Instruction& instruction : instructions(entry_))
      if (vectorTypeOf(instruction) && crosses(instruction)) crossing_.insert(&instruction);
    if (crossing_.empty()) return false;
    const DominatorTree dominators(entry_);
    const LoopInfo loops(dominators);
    findWhole(loops);
    if (!whole_.empty()) keepRows(dominators, loops);
    if (crossing_.empty()) return false;
    for (Instruction* vector : crossing_) replaceUses(*vector);
    removeUnused();
    for (const WeakTrackingVH& made : extracts_)
      if (auto* extract = dyn_cast_or_null<ExtractElementInst>(made))
        sink(*extract, dominators, loops);
    return true;
  }

 private:
  bool isInRegionOf(const Instruction& vector, const Use& use) const {
    return regions_.regionOf(placeOf(use)) == regions_.regionOf(*vector.getParent());
  }
  /// Whether the vector is needed in another region than where it is computed, or chosen between
  /// what several regions have computed.
  bool crosses(const Instruction& vector) const {
    if (regions_.regionOf(*vector.getParent()) == BarrierRegions::kNone) return false;
    return regions_.isHeadPhi(vector) ||
           !all_of(vector.uses(), [&](const Use& use) { return isInRegionOf(vector, use); });
  }
  /// Finds the phis of loops that compute with whole vectors: these are put together before the
  /// loop and taken apart after it, not in each iteration.
  void findWhole(const LoopInfo& loops) {
    const auto outerFirst = loops.getLoopsInPreorder();
    for (const Loop* loop : llvm::reverse(outerFirst)) {
      for (PHINode& phi : loop->getHeader()->phis()) {
        if (!vectorTypeOf(phi) || regions_.isHeadPhi(phi) || !isInOneRegion(*loop)) continue;
        if (any_of(phi.incoming_values(), [&](const Value* value) {
              const auto* from = dyn_cast<Instruction>(value);
              return from && loop->contains(from) && isWhole(*from);
            }))
          whole_.insert(&phi);
      }
    }
  }
  bool isInOneRegion(const Loop& loop) const {
    return all_of(loop.blocks(), [&](const BasicBlock* block) {
      return regions_.regionOf(*block) == regions_.regionOf(*loop.getHeader());
    });
  }
  /// Leaves alone what loops compute of vectors that they read for each work-item of a row: lanes
  /// have those one behind the other, and would put elements together for each loop and take them
  /// apart behind it.
  void keepRows(const DominatorTree& dominators, const LoopInfo& loops) {
    const GroupUniformity rows(entry_, dominators, GroupUniformity::Ids::DifferInRow);
    for (const Instruction* phi : whole_.getArrayRef().vec()) {
      if (!whole_.contains(phi)) continue;
      const SmallSetVector<const Instruction*, 8> chosen = choicesWith(*phi);
      if (!readsRows(*loops.getLoopFor(phi->getParent()), *phi, rows) ||
          any_of(chosen, [&](const Instruction* vector) { return isTakenApart(*vector, loops); }))
        continue;
      for (const Instruction* vector : chosen) {
        crossing_.remove(const_cast<Instruction*>(vector));
        whole_.remove(vector);
      }
    }
  }
  /// The vectors that phis choose between where they choose `phi`, or are chosen by it.
  SmallSetVector<const Instruction*, 8> choicesWith(const Instruction& phi) const {
    SmallSetVector<const Instruction*, 8> chosen;
    chosen.insert(&phi);
    for (size_t i = 0; i < chosen.size(); ++i) {
      if (const auto* choice = dyn_cast<PHINode>(chosen[i]))
        for (const Value* value : choice->incoming_values())
          if (const auto* from = dyn_cast<Instruction>(value)) chosen.insert(from);
      for (const User* user : chosen[i]->users())
        if (const auto* choice = dyn_cast<PHINode>(user)) chosen.insert(choice);
    }
    return chosen;
  }
  /// Whether an iteration of `loop` computes what `phi` is next of vectors that it reads of places
  /// of each work-item of a row.
  static bool readsRows(const Loop& loop, const Instruction& phi, const GroupUniformity& rows) {
    SmallSetVector<const Instruction*, 16> parts;
    const auto add = [&](const Value* value) {
      const auto* from = dyn_cast<Instruction>(value);
      if (from && loop.contains(from) && vectorTypeOf(*from)) parts.insert(from);
    };
    for_each(cast<PHINode>(phi).incoming_values(), add);
    for (size_t i = 0; i < parts.size(); ++i) {
      const auto* load = dyn_cast<LoadInst>(parts[i]);
      if (load && load->getType() == phi.getType() && !rows.isUniform(*load->getPointerOperand()))
        return true;
      for_each(parts[i]->operand_values(), add);
    }
    return false;
  }
  /// Whether elements are taken out of a vector as often as it is computed.
  static bool isTakenApart(const Instruction& vector, const LoopInfo& loops) {
    return any_of(vector.users(), [&](const User* user) {
      const auto* extract = dyn_cast<ExtractElementInst>(user);
      return extract && loops.getLoopDepth(extract->getParent()) >=
                            std::max(1u, loops.getLoopDepth(vector.getParent()));
    });
  }
  bool isWhole(const Instruction& vector) const {
    return isa<PHINode>(vector) ? whole_.contains(&vector)
                                : !isa<InsertElementInst, ShuffleVectorInst>(vector);
  }

  /// Whether the vector is a phi that becomes one for each element.
  bool isSplit(Value& vector) const {
    return isa<PHINode>(vector) && crossing_.contains(cast<Instruction>(&vector)) &&
           !whole_.contains(cast<Instruction>(&vector));
  }

  /// An element of a vector, by where it comes from. It dominates whatever the vector does.
  Value* element(Value& vector, unsigned index) {
    if (auto* constant = dyn_cast<Constant>(&vector))
      if (Constant* known = constant->getAggregateElement(index)) return known;
    if (auto* insertion = dyn_cast<InsertElementInst>(&vector))
      if (auto* place = dyn_cast<ConstantInt>(insertion->getOperand(2)))
        return place->equalsInt(index) ? insertion->getOperand(1)
                                       : element(*insertion->getOperand(0), index);
    if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&vector)) return shuffled(*shuffle, index);
    const auto known = elements_.find({&vector, index});
    if (known != elements_.end()) return known->second;
    return isSplit(vector) ? split(cast<PHINode>(vector), index) : extract(vector, index);
  }

  Value* shuffled(ShuffleVectorInst& shuffle, unsigned index) {
    const int from = shuffle.getMaskValue(index);
    if (from < 0) return PoisonValue::get(shuffle.getType()->getElementType());
    const auto count = static_cast<int>(vectorTypeOf(*shuffle.getOperand(0))->getNumElements());
    return element(*shuffle.getOperand(from < count ? 0 : 1), static_cast<unsigned>(from % count));
  }

  Value* split(PHINode& phi, unsigned index) {
    PHINode* made = PHINode::Create(phi.getType()->getScalarType(), phi.getNumIncomingValues(),
                                    phi.getName(), phi.getIterator());
    elements_[{&phi, index}] = made;  // it may be chosen from itself
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      made->addIncoming(element(*phi.getIncomingValue(i), index), phi.getIncomingBlock(i));
    return made;
  }

  Value* extract(Value& vector, unsigned index) {
    auto* instruction = dyn_cast<Instruction>(&vector);
    IRBuilder<> builder(instruction ? &**instruction->getInsertionPointAfterDef()
                                    : &*entry_.getEntryBlock().getFirstInsertionPt());
    Value* made = builder.CreateExtractElement(&vector, index, vector.getName());
    extracts_.emplace_back(made);
    return elements_[{&vector, index}] = made;
  }

  /// Moves what loops hand to other regions behind them.
  void sink(ExtractElementInst& extract, const DominatorTree& dominators, const LoopInfo& loops) {
    for (const Loop* loop = loops.getLoopFor(extract.getParent()); loop;
         loop = loops.getLoopFor(extract.getParent())) {
      BasicBlock* exit = loop->getUniqueExitBlock();
      if (!exit || regions_.regionOf(*exit) != regions_.regionOf(*extract.getParent()) ||
          !dominators.dominates(&extract, exit) || !all_of(extract.uses(), [&](const Use& use) {
            return dominators.dominates(exit, &placeOf(use));
          }))
        return;
      extract.moveBefore(*exit, exit->getFirstInsertionPt());
    }
  }

  /// The vector, put together where `block` begins.
  Value* joined(Instruction& vector, BasicBlock& block) {
    Value*& whole = joined_[{&vector, &block}];
    if (whole) return whole;
    IRBuilder<> builder(&*block.getFirstInsertionPt());
    Value* made = PoisonValue::get(vector.getType());
    for (unsigned i = 0; i < vectorTypeOf(vector)->getNumElements(); ++i)
      made = builder.CreateInsertElement(made, element(vector, i), i);
    return whole = made;
  }

  void replaceUses(Instruction& vector) {
    SmallVector<Use*> uses;
    for (Use& use : vector.uses())
      if (isSplit(vector) || !isInRegionOf(vector, use)) uses.push_back(&use);
    for (Use* use : uses) {
      if (isSplit(*use->getUser())) continue;  // nothing is left of it
      auto* extraction = dyn_cast<ExtractElementInst>(use->getUser());
      auto* index = extraction ? dyn_cast<ConstantInt>(extraction->getIndexOperand()) : nullptr;
      if (index && index->getValue().ult(vectorTypeOf(vector)->getNumElements())) {
        extraction->replaceAllUsesWith(
            element(vector, static_cast<unsigned>(index->getZExtValue())));
        unused_.emplace_back(extraction);
      } else {
        use->set(joined(vector, placeOf(*use)));
      }
    }
  }

  void removeUnused() {
    for (Instruction* vector : crossing_)
      if (isSplit(*vector)) vector->replaceAllUsesWith(PoisonValue::get(vector->getType()));
    for (Instruction* vector : crossing_) unused_.emplace_back(vector);
    for (auto& [place, whole] : joined_) unused_.emplace_back(whole);
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused_);
  }

  Function& entry_;
  const BarrierRegions& regions_;
  SmallSetVector<Instruction*, 16> crossing_;
  SmallSetVector<const Instruction*, 8> whole_;
  DenseMap<std::pair<Value*, unsigned>, Value*> elements_;
  DenseMap<std::pair<Instruction*, BasicBlock*>, Value*> joined_;
  SmallVector<WeakTrackingVH> unused_, extracts_;
};

}  // namespace

bool splitCrossingVectors(Function& entry, const BarrierRegions& regions) {
  return VectorSplitter(entry, regions).run();
}

}  // namespace weft::compiler
