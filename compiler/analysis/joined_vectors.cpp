// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/joined_vectors.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

#include "base/tuning.h"

namespace weft::compiler {

using namespace llvm;

namespace {

/// Of the program's vectors that can be joined.
constexpr unsigned kLeastBits = 16, kMostBits = 1024;
/// Of those that are in places apart.
constexpr unsigned kLeastBitsApart = 128;

/// Bits of a number in memory, or of a truth value beside others of that size; 0 for what cannot be
/// joined.
unsigned bitsOf(const Type* type, const DataLayout& layout) {
  const auto* vector = dyn_cast<FixedVectorType>(type);
  if (!vector) return 0;
  Type* element = vector->getElementType();
  const unsigned bits = vector->getNumElements() * layout.getTypeSizeInBits(element);
  const bool isNumber = element->isIntegerTy() || element->isFloatingPointTy();
  return isNumber && isPowerOf2_32(vector->getNumElements()) && vector->getNumElements() > 1 &&
                 layout.getTypeSizeInBits(element) == layout.getTypeAllocSizeInBits(element) &&
                 bits >= kLeastBits && bits <= kMostBits
             ? bits
             : 0;
}

bool isTruth(const Type* type) {
  const auto* vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getElementType()->isIntegerTy(1) &&
         isPowerOf2_32(vector->getNumElements()) && vector->getNumElements() > 1;
}

/// Components of a value that can be joined; 0 for others.
unsigned componentsOf(const Type* type, const DataLayout& layout) {
  return bitsOf(type, layout) != 0 || isTruth(type) ? cast<FixedVectorType>(type)->getNumElements()
                                                    : 0;
}

/// Looks at one loop.
class Search {
 public:
  Search(const Loop& loop, const LaneShapes& shapes, const StridedGroups& groups)
      : loop_(loop),
        shapes_(shapes),
        groups_(groups),
        layout_(loop.getHeader()->getModule()->getDataLayout()) {}

  void run() {
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& instruction : *block)
        if (isCandidate(instruction)) candidates_.insert(&instruction);
    for (const Instruction* user : candidates_) {
      classes_.insert(user);
      for (const Value* operand : user->operands())
        if (const auto* from = dyn_cast<Instruction>(operand); from && candidates_.contains(from))
          classes_.unionSets(user, from);
    }
    for (const Instruction* candidate : candidates_) weigh(*candidate);
  }

  template <class Member>
  void collect(Member member) const {
    for (const Instruction* candidate : candidates_) {
      const Class& found = byLeader_.at(classes_.getLeaderValue(candidate));
      if (found.gain > 0) member(*candidate, found.bits);
    }
  }

 private:
  struct Class {
    int gain = 0;  ///< in bits of a work-item's vectors that need not be shuffled
    JoinedVectors::Bits bits;
  };

  /// Whether lanes have the whole vectors one behind the other, or in places of their own; small
  /// ones are gathered there as numbers.
  bool isAccess(const Instruction& access, const Type* type) const {
    const Value* pointer = getLoadStorePointerOperand(&access);
    const LaneShape shape = shapes_.of(pointer);
    const unsigned bits = bitsOf(type, layout_);
    if (shape.isUniform() || shapes_.interleaved(pointer) || bits == 0) return false;
    if (bits < kLeastBitsApart &&
        (shape.kind != LaneShape::Affine || 8 * shape.stride != int64_t{bits}))
      return false;
    const StridedGroup* group = groups_.of(access);
    return !group || (group->members.size() == 1 && group->extent == group->factor);
  }

  bool isCandidate(const Instruction& instruction) const {
    if (const auto* store = dyn_cast<StoreInst>(&instruction))
      return store->isSimple() && isAccess(*store, store->getValueOperand()->getType());
    const unsigned count = componentsOf(instruction.getType(), layout_);
    if (count == 0 || !shapes_.of(&instruction).isVarying()) return false;
    const auto hasAsMany = [&](const Value* operand) {
      return componentsOf(operand->getType(), layout_) == count;
    };
    if (const auto* load = dyn_cast<LoadInst>(&instruction))
      return load->isSimple() && isAccess(*load, load->getType());
    if (const auto* operation = dyn_cast<BinaryOperator>(&instruction))
      return !operation->isIntDivRem();
    if (const auto* select = dyn_cast<SelectInst>(&instruction))
      return !select->getCondition()->getType()->isVectorTy() || hasAsMany(select->getCondition());
    // What is one number in all components is copied from lanes.
    if (getSplatValue(&instruction)) return false;
    if (isa<CastInst, CmpInst, ShuffleVectorInst>(instruction))
      return hasAsMany(instruction.getOperand(0));
    if (const auto* call = dyn_cast<IntrinsicInst>(&instruction))
      return isTriviallyVectorizable(call->getIntrinsicID()) && all_of(call->args(), hasAsMany);
    if (isa<PHINode>(instruction)) return instruction.getParent() != loop_.getHeader();
    return isa<UnaryOperator, FreezeInst>(instruction);
  }

  /// Bits of one work-item's vector; of truth values as beside numbers of a usual size.
  int sizeOf(const Type* type) const {
    return static_cast<int>(isTruth(type) ? 32 * componentsOf(type, layout_)
                                          : bitsOf(type, layout_));
  }

  /// What is shuffled where such vectors are transposed.
  int transposition(const Type* type) const {
    return sizeOf(type) * static_cast<int>(Log2_32(componentsOf(type, layout_)));
  }

  /// Adds what is not shuffled if the instruction stays joined, and takes away what is then.
  void weigh(const Instruction& instruction) {
    const Instruction* leader = classes_.getLeaderValue(&instruction);
    Class& found = byLeader_[leader];
    const auto* store = dyn_cast<StoreInst>(&instruction);
    const Type* type = store ? store->getValueOperand()->getType() : instruction.getType();
    const int weight = runsOf(loop_, instruction);
    if (store || isa<LoadInst>(instruction)) found.gain += weight * transposition(type);
    if (isa<ShuffleVectorInst>(instruction)) found.gain -= weight * sizeOf(type);
    if (const unsigned bits = bitsOf(type, layout_); bits != 0) {
      found.bits.smallest = std::min(found.bits.smallest, bits);
      found.bits.largest = std::max(found.bits.largest, bits);
    }
    int others = 0;
    for (const User* user : instruction.users())
      if (!candidates_.contains(cast<Instruction>(user)))
        others = std::max(others, runsOf(loop_, *cast<Instruction>(user)));
    if (!store) found.gain -= others * transposition(type);
    for (const Value* operand : instruction.operands()) {
      const auto* from = dyn_cast<Instruction>(operand);
      const bool isVector = componentsOf(operand->getType(), layout_) != 0;
      const bool isCondition = isa<SelectInst>(instruction) && !isVector;
      if (!from || candidates_.contains(from) || !shapes_.of(from).isVarying() ||
          (!isVector && !isCondition) || !given_.insert({leader, from}).second)
        continue;
      const bool isCopied = isCondition || getSplatValue(from);
      found.gain -=
          runsOf(loop_, *from) * (isCopied ? sizeOf(type) : transposition(operand->getType()));
    }
  }

  const Loop& loop_;
  const LaneShapes& shapes_;
  const StridedGroups& groups_;
  const DataLayout& layout_;
  SetVector<const Instruction*> candidates_;
  EquivalenceClasses<const Instruction*> classes_;
  DenseMap<const Instruction*, Class> byLeader_;
  DenseSet<std::pair<const Instruction*, const Instruction*>> given_;
};

}  // namespace

int runsOf(const Loop& items, const Instruction& instruction) {
  constexpr unsigned kMostDepth = 4;
  int runs = 1;
  const Loop* loop = &items;
  for (unsigned depth = 0; depth < kMostDepth; ++depth) {
    const auto inner =
        find_if(*loop, [&](const Loop* candidate) { return candidate->contains(&instruction); });
    if (inner == loop->end()) break;
    loop = *inner;
    runs *= static_cast<int>(tuning::kLoopWeight);
  }
  return runs;
}

JoinedVectors::JoinedVectors(const Loop& loop, const LaneShapes& shapes,
                             const StridedGroups& groups) {
  Search search(loop, shapes, groups);
  search.run();
  search.collect([&](const Instruction& member, const Bits& bits) {
    members_[&member] = bits;
    largestBits_ = std::max(largestBits_, bits.largest);
  });
}

}  // namespace weft::compiler
