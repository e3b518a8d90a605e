// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/loop_parts.h"

#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/elementwise.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Instructions that lead from one number to the next; more are no short recurrence.
constexpr size_t kLongestRecurrence = 16;
/// Of what is computed in order: each is followed from those that depend on it.
constexpr size_t kMostOrdered = 256;
/// Into a block: an iteration's way is known by a byte.
constexpr unsigned kMostWays = 255;
/// Of a vector whose elements are computed one by one.
constexpr unsigned kMostElements = 4;

/// Whether elements can be computed one by one, and are few.
bool canTakeApart(const Instruction& instruction) {
  const unsigned count = elementsOf(*instruction.getType());
  if (count > kMostElements) return false;
  if (const auto* insert = dyn_cast<InsertElementInst>(&instruction))
    return isa<ConstantInt>(insert->getOperand(2));
  if (const auto* extract = dyn_cast<ExtractElementInst>(&instruction))
    return isa<ConstantInt>(extract->getIndexOperand());
  if (isa<ShuffleVectorInst>(instruction)) return true;
  if (const auto* phi = dyn_cast<PHINode>(&instruction))
    return phi->getNumIncomingValues() <= kMostWays;
  const bool isScalar = none_of(
      instruction.operands(), [](const Use& operand) { return operand->getType()->isVectorTy(); });
  if (count == 1) return isScalar && !instruction.getType()->isVectorTy();
  if (const auto* call = dyn_cast<IntrinsicInst>(&instruction))
    return isTriviallyVectorizable(call->getIntrinsicID()) &&
           all_of(call->args(), [&](Value* each) { return each->getType() == call->getType(); });
  if (isa<SelectInst>(instruction)) return true;
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, FreezeInst>(instruction) &&
         all_of(instruction.operands(),
                [&](const Use& operand) { return elementsOf(*operand->getType()) == count; });
}

class Finder {
 public:
  Finder(const Loop& loop, const LoopInfo& loops, ScalarEvolution& evolution)
      : loop_(loop), evolution_(evolution), order_(const_cast<Loop*>(&loop)) {
    order_.perform(&loops);
  }

  std::optional<LoopParts> run() {
    findInductions();
    for (PHINode& phi : loop_.getHeader()->phis())
      if (!parts_.inductions.contains(&phi)) carried_.insert(&phi);
    for (PHINode* phi : carried_)
      if (!is_contained(parts_.last, phi) && !findRecurrence(*phi) && !findOrdered(*phi))
        return std::nullopt;
    sortByOrder(parts_.recurrence);
    sortByOrder(parts_.ordered);
    // What is computed before may not wait for what is computed behind.
    if (any_of(parts_.recurrence, [&](Instruction* each) { return parts_.ordered.contains(each); }))
      return std::nullopt;
    for (Instruction* each : parts_.ordered)
      for (Value* operand : each->operands()) handOn(operand);
    for (PHINode* phi : parts_.last) handOn(phi->getIncomingValueForBlock(loop_.getLoopLatch()));
    return std::move(parts_);
  }

 private:
  void findInductions() {
    for (const BasicBlock* block : loop_.blocks())
      for (const Instruction& constant : *block) {
        auto& instruction = const_cast<Instruction&>(constant);
        const bool isPhi = isa<PHINode>(instruction) && block == loop_.getHeader();
        if (!isPhi && !isa<ZExtInst, SExtInst>(instruction)) continue;
        if (!evolution_.isSCEVable(instruction.getType())) continue;
        const auto* recurrence = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(&instruction));
        if (recurrence && recurrence->getLoop() == &loop_ && recurrence->isAffine())
          parts_.inductions[&instruction] = recurrence;
      }
  }

  /// Whether `phi` follows from its value before by itself, and parts of the loop that do not have
  /// to be in order want to know it.
  bool findRecurrence(PHINode& phi) {
    SmallSetVector<Instruction*, 16> found;
    found.insert(&phi);
    for (size_t i = 0; i < found.size(); ++i) {
      auto* head = dyn_cast<PHINode>(found[i]);
      // Where two ways meet, branches decide; and what is in order already comes too late.
      if (head && (!carried_.contains(head) || is_contained(parts_.last, head))) return false;
      if (head) {
        addOperand(head->getIncomingValueForBlock(loop_.getLoopLatch()), found);
        continue;
      }
      if (found[i]->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(found[i])) return false;
      for (Value* operand : found[i]->operands()) addOperand(operand, found);
      if (found.size() > kLongestRecurrence) return false;
    }
    const auto isWanted = [&](const Instruction* each) {
      return any_of(each->users(), [&](const User* user) {
        auto* instruction = const_cast<Instruction*>(cast<Instruction>(user));
        return loop_.contains(instruction) && !found.contains(instruction);
      });
    };
    if (none_of(found, isWanted)) return false;
    for (Instruction* each : found) {
      auto* head = dyn_cast<PHINode>(each);
      if (!head)
        parts_.recurrence.insert(each);
      else if (!is_contained(parts_.first, head))
        parts_.first.push_back(head);
    }
    return true;
  }

  void addOperand(Value* operand, SmallSetVector<Instruction*, 16>& found) const {
    auto* instruction = dyn_cast<Instruction>(operand);
    if (instruction && loop_.contains(instruction) && !parts_.inductions.contains(instruction))
      found.insert(instruction);
  }

  /// Whether all that depends on `phi` may be computed later, in order.
  bool findOrdered(PHINode& phi) {
    if (is_contained(parts_.first, &phi)) return true;
    SmallSetVector<Instruction*, 16> found;
    found.insert(&phi);
    for (size_t i = 0; i < found.size(); ++i) {
      if (!mayWait(*found[i]) || found.size() > kMostOrdered) return false;
      for (User* user : found[i]->users())
        if (auto* instruction = cast<Instruction>(user); loop_.contains(instruction))
          found.insert(instruction);
    }
    for (Instruction* each : found) {
      auto* head = dyn_cast<PHINode>(each);
      if (!head || head->getParent() != loop_.getHeader())
        parts_.ordered.insert(each);
      else if (!is_contained(parts_.last, head))
        parts_.last.push_back(head);
    }
    return true;
  }

  bool mayWait(const Instruction& instruction) const {
    if (const auto* phi = dyn_cast<PHINode>(&instruction))
      return phi->getParent() != loop_.getHeader() ||
             (carried_.contains(const_cast<PHINode*>(phi)) && !is_contained(parts_.first, phi));
    return !instruction.isTerminator() && !instruction.mayReadOrWriteMemory() &&
           isSafeToSpeculativelyExecute(&instruction) && canTakeApart(instruction);
  }

  void handOn(Value* value) {
    auto* instruction = dyn_cast<Instruction>(value);
    if (instruction && loop_.contains(instruction) && !parts_.isInOrder(*instruction) &&
        !parts_.inductions.contains(instruction))
      parts_.handedOn.insert(instruction);
  }

  template <typename Set>
  void sortByOrder(Set& instructions) const {
    const Set unsorted = instructions;
    instructions.clear();
    for (BasicBlock* block : make_range(order_.beginRPO(), order_.endRPO()))
      for (Instruction& instruction : *block)
        if (unsorted.contains(&instruction)) instructions.insert(&instruction);
  }

  const Loop& loop_;
  ScalarEvolution& evolution_;
  LoopBlocksDFS order_;
  SmallSetVector<PHINode*, 8> carried_;
  LoopParts parts_;
};

}  // namespace

bool LoopParts::isInOrder(const Value& value) const {
  auto* instruction = dyn_cast<Instruction>(const_cast<Value*>(&value));
  return instruction && (ordered.contains(instruction) || is_contained(last, instruction));
}

std::optional<LoopParts> LoopParts::of(const Loop& loop, const LoopInfo& loops,
                                       ScalarEvolution& evolution) {
  return Finder(loop, loops, evolution).run();
}

}  // namespace weft::compiler
