// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/joined_vectors.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler {

using namespace llvm;

namespace {

/// Components of a type that can be joined; 0 for others.
unsigned componentsOf(const Type* type, const DataLayout& layout) {
  const auto* vector = dyn_cast<FixedVectorType>(type);
  if (!vector) return 0;
  Type* element = vector->getElementType();
  const unsigned count = vector->getNumElements();
  const bool isNumber = element->isIntegerTy() || element->isFloatingPointTy();
  if (!isNumber || !isPowerOf2_32(count) || count < 2 ||
      layout.getTypeSizeInBits(element) != layout.getTypeAllocSizeInBits(element))
    return 0;
  return count * layout.getTypeSizeInBits(element) == JoinedVectors::kBits ? count : 0;
}

/// Looks at one loop.
class Search {
 public:
  Search(const LaneShapes& shapes, const StridedGroups& groups, const DataLayout& layout)
      : shapes_(shapes), groups_(groups), layout_(layout) {}

  void run(const Loop& loop) {
    for (const BasicBlock* block : loop.blocks())
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

  template <class Members>
  void collect(Members& members) const {
    for (const Instruction* candidate : candidates_)
      if (gains_.lookup(classes_.getLeaderValue(candidate)) > 0) members.insert(candidate);
  }

 private:
  /// Whether lanes have the whole vectors in places of their own, or one behind the other.
  bool isAccess(const Instruction& access, const Type* type) const {
    const Value* pointer = getLoadStorePointerOperand(&access);
    if (shapes_.of(pointer).isUniform() || shapes_.interleaved(pointer) ||
        componentsOf(type, layout_) == 0)
      return false;
    const StridedGroup* group = groups_.of(access);
    return !group || (group->members.size() == 1 && group->extent == group->factor);
  }

  bool isCandidate(const Instruction& instruction) const {
    if (const auto* store = dyn_cast<StoreInst>(&instruction))
      return store->isSimple() && isAccess(*store, store->getValueOperand()->getType());
    const unsigned count = componentsOf(instruction.getType(), layout_);
    if (count == 0 || !shapes_.of(&instruction).isVarying()) return false;
    if (const auto* load = dyn_cast<LoadInst>(&instruction))
      return load->isSimple() && isAccess(*load, load->getType());
    if (const auto* operation = dyn_cast<BinaryOperator>(&instruction))
      return !operation->isIntDivRem();
    if (const auto* select = dyn_cast<SelectInst>(&instruction))
      return !select->getCondition()->getType()->isVectorTy();
    if (const auto* cast = dyn_cast<CastInst>(&instruction))
      return componentsOf(cast->getSrcTy(), layout_) == count;
    if (const auto* call = dyn_cast<IntrinsicInst>(&instruction))
      return isTriviallyVectorizable(call->getIntrinsicID()) &&
             all_of(call->args(), [&](const Value* argument) {
               return componentsOf(argument->getType(), layout_) == count;
             });
    return isa<UnaryOperator, FreezeInst>(instruction);
  }

  /// Shuffles that it takes to transpose a register's lanes of such vectors.
  unsigned transposition(const Type* type) const {
    const unsigned count = componentsOf(type, layout_);
    return count * Log2_32(count);
  }

  /// Adds the shuffles that are saved by leaving the instruction joined, and takes away those that
  /// it needs then.
  void weigh(const Instruction& instruction) {
    const Instruction* leader = classes_.getLeaderValue(&instruction);
    int& gain = gains_[leader];
    const auto* store = dyn_cast<StoreInst>(&instruction);
    const Type* type = store ? store->getValueOperand()->getType() : instruction.getType();
    if (store || isa<LoadInst>(instruction)) gain += static_cast<int>(transposition(type));
    if (!store && any_of(instruction.users(), [&](const User* user) {
          return !candidates_.contains(cast<Instruction>(user));
        }))
      gain -= static_cast<int>(transposition(type));
    for (const Value* operand : instruction.operands()) {
      const auto* from = dyn_cast<Instruction>(operand);
      const unsigned count = componentsOf(operand->getType(), layout_);
      const bool isCondition = isa<SelectInst>(instruction) && count == 0;
      if (!from || candidates_.contains(from) || !shapes_.of(from).isVarying() ||
          (count == 0 && !isCondition) || !given_.insert({leader, from}).second)
        continue;
      const bool isCopied = isCondition || getSplatValue(from);
      gain -= static_cast<int>(isCopied ? componentsOf(type, layout_)
                                        : transposition(operand->getType()));
    }
  }

  const LaneShapes& shapes_;
  const StridedGroups& groups_;
  const DataLayout& layout_;
  SetVector<const Instruction*> candidates_;
  EquivalenceClasses<const Instruction*> classes_;
  DenseMap<const Instruction*, int> gains_;  ///< by the leader of each class
  DenseSet<std::pair<const Instruction*, const Instruction*>> given_;
};

}  // namespace

JoinedVectors::JoinedVectors(const Loop& loop, const LaneShapes& shapes,
                             const StridedGroups& groups) {
  Search search(shapes, groups, loop.getHeader()->getModule()->getDataLayout());
  search.run(loop);
  search.collect(members_);
}

}  // namespace weft::compiler
