// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/order_values.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "analysis/spill_estimate.h"
#include "base/tuning.h"
#include "ir/uses.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Another order of the instructions of a block.
class Ordering {
 public:
  Ordering(ArrayRef<Instruction*> block, const VectorRegisters& registers) : registers_(registers) {
    DenseMap<const Value*, unsigned> indices;
    for (Instruction* instruction : block) {
      indices[instruction] = static_cast<unsigned>(nodes_.size());
      addNode(*instruction, indices);
    }
  }

  /// Step by step the next instruction, with all that it needs, as long as there are registers for
  /// that, and then the one that makes their number grow the least.
  SmallVector<Instruction*> byNeed() {
    SmallVector<Instruction*> order;
    while (const std::optional<Needed> next = choose()) add(*next, order);
    for (const Node& node : nodes_)
      if (!node.isPlaced) order.push_back(node.instruction);
    return order;
  }

 private:
  /// Indices of nodes, in the order of the block.
  using Needed = SmallVector<unsigned, 8>;

  struct Node {
    Instruction* instruction = nullptr;
    SmallVector<unsigned, 4> values;  ///< that it uses, by their indices in values_
    SmallVector<unsigned, 4> after;   ///< nodes that come first
    unsigned value = kNone;           ///< its own index in values_; none where it takes no register
    bool isGoal = false;              ///< whether it does more than make an operand
    bool isPlaced = false;
  };
  struct Held {
    unsigned registers = 0;
    unsigned users = 0;  ///< that are still to come; those outside the block are one
  };
  static constexpr unsigned kNone = ~0u;

  void addNode(Instruction& instruction, const DenseMap<const Value*, unsigned>& indices) {
    Node& node = nodes_.emplace_back();
    node.instruction = &instruction;
    for (const Value* operand : instruction.operands()) {
      if (const auto found = indices.find(operand);
          found != indices.end() && !is_contained(node.after, found->second))
        node.after.push_back(found->second);
      if (registers_.neededFor(*operand) == 0) continue;
      const unsigned value = valueOf(*operand);
      if (is_contained(node.values, value)) continue;
      node.values.push_back(value);
      ++values_[value].users;
    }
    if (registers_.neededFor(instruction) != 0) node.value = valueOf(instruction);
    addMemoryOrder(node, static_cast<unsigned>(nodes_.size()) - 1);
    node.isGoal = isGoal(node);
  }

  /// The index of a value in a register. One from outside the block that others use as well, or
  /// that a loop needs again, is in its register to the end.
  unsigned valueOf(const Value& value) {
    const auto [entry, isNew] = indices_.try_emplace(&value, static_cast<unsigned>(values_.size()));
    if (isNew) {
      const BasicBlock& block = *nodes_.back().instruction->getParent();
      const auto* definition = dyn_cast<Instruction>(&value);
      const bool isOfBlock = definition && definition->getParent() == &block;
      const unsigned registers = registers_.neededFor(value);
      values_.push_back({registers, !isOfBlock || isUsedBehind(value, block) ? 1u : 0u});
      if (!isOfBlock || isa<PHINode>(definition)) taken_ += static_cast<int>(registers);
    }
    return entry->second;
  }

  /// Loads may change places with each other, and whatever may be computed anywhere with all.
  void addMemoryOrder(Node& node, unsigned index) {
    const Instruction& instruction = *node.instruction;
    if (isPrefetch(instruction)) return;
    if (instruction.mayWriteToMemory() || instruction.mayHaveSideEffects()) {
      node.after.append(readsSinceWrite_.begin(), readsSinceWrite_.end());
      if (lastWrite_ != kNone) node.after.push_back(lastWrite_);
      lastWrite_ = index;
      readsSinceWrite_.clear();
    } else if (instruction.mayReadFromMemory() || !isSafeToSpeculativelyExecute(&instruction)) {
      if (lastWrite_ != kNone) node.after.push_back(lastWrite_);
      readsSinceWrite_.push_back(index);
    }
  }

  static bool isPrefetch(const Instruction& instruction) {
    const auto* call = dyn_cast<IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == Intrinsic::prefetch;
  }

  static bool isGoal(const Node& node) {
    return node.values.size() > 1 || node.instruction->mayHaveSideEffects() ||
           isPrefetch(*node.instruction);
  }

  /// Of the next goals in the order of the block, for an order among equals and for a limit on the
  /// time that this takes; the next instruction where all of them need much. None when all goals
  /// are placed.
  std::optional<Needed> choose() {
    while (next_ < nodes_.size() && nodes_[next_].isPlaced) ++next_;
    std::optional<Needed> best;
    std::tuple<int, int> least;
    unsigned seen = 0;
    for (unsigned index = next_; index < nodes_.size() && seen < tuning::kOrderedGoals; ++index) {
      if (nodes_[index].isPlaced || !nodes_[index].isGoal) continue;
      ++seen;
      Needed needed;
      if (!collect(index, needed)) continue;
      const std::tuple<int, int> cost = growth(needed);
      if (!best && taken_ + std::get<1>(cost) <= static_cast<int>(registers_.count)) {
        best = std::move(needed);
        break;
      }
      if (best && cost >= least) continue;
      least = cost;
      best = std::move(needed);
    }
    if (!best && seen != 0) best = Needed{next_};
    if (best) llvm::sort(*best);
    return best;
  }

  /// What is still to be placed for a node, and it. False, and not all, where that is much.
  bool collect(unsigned goal, Needed& needed) const {
    needed.push_back(goal);
    for (unsigned i = 0; i < needed.size(); ++i)
      for (const unsigned before : nodes_[needed[i]].after) {
        if (nodes_[before].isPlaced || is_contained(needed, before)) continue;
        needed.push_back(before);
        if (needed.size() > tuning::kOrderedOperands) return false;
      }
    return true;
  }

  /// By how many registers instructions make what is kept grow, and how many they fill.
  std::tuple<int, int> growth(const Needed& needed) const {
    int filled = 0;
    int emptied = 0;
    SmallVector<std::pair<unsigned, unsigned>, 16> uses;
    for (const unsigned index : needed) {
      const Node& node = nodes_[index];
      if (node.value != kNone) filled += static_cast<int>(values_[node.value].registers);
      for (const unsigned value : node.values) {
        auto* found = find_if(uses, [&](const auto& use) { return use.first == value; });
        if (found == uses.end()) found = &uses.emplace_back(value, 0u);
        if (++found->second == values_[value].users)
          emptied += static_cast<int>(values_[value].registers);
      }
    }
    return {filled - emptied, filled};
  }

  void add(const Needed& needed, SmallVectorImpl<Instruction*>& order) {
    taken_ += std::get<0>(growth(needed));
    for (const unsigned index : needed) {
      Node& node = nodes_[index];
      node.isPlaced = true;
      for (const unsigned value : node.values) --values_[value].users;
      order.push_back(node.instruction);
    }
  }

  const VectorRegisters& registers_;
  SmallVector<Node, 0> nodes_;
  SmallVector<Held, 0> values_;
  DenseMap<const Value*, unsigned> indices_;  ///< of values
  SmallVector<unsigned> readsSinceWrite_;
  unsigned lastWrite_ = kNone;
  unsigned next_ = 0;  ///< all nodes before it are placed
  int taken_ = 0;      ///< registers
};

/// The part of a vector that a shuffle takes out of it, as the first of its elements; none where it
/// does something else.
std::optional<unsigned> extractedFrom(const ShuffleVectorInst& shuffle, const Value& vector) {
  int first = 0;
  if (shuffle.getOperand(0) != &vector || shuffle.getOperand(1) == &vector ||
      !shuffle.isExtractSubvectorMask(first))
    return std::nullopt;
  return static_cast<unsigned>(first);
}

/// Loads each part of a vector by itself, if nobody uses it but in parts that fit into registers.
bool splitLoad(LoadInst& load, const VectorRegisters& registers) {
  const DataLayout& layout = load.getModule()->getDataLayout();
  auto* type = dyn_cast<FixedVectorType>(load.getType());
  if (!type || !load.isSimple() || load.use_empty() || registers.neededFor(load) < 2) return false;
  const uint64_t bits = layout.getTypeSizeInBits(type->getElementType());
  if (bits % 8 != 0 || any_of(load.users(), [&](const User* user) {
        const auto* part = dyn_cast<ShuffleVectorInst>(user);
        return !part || registers.neededFor(*part) != 1 || !extractedFrom(*part, load);
      }))
    return false;
  IRBuilder<> builder(&load);
  for (User* user : make_early_inc_range(load.users())) {
    auto& part = cast<ShuffleVectorInst>(*user);
    const uint64_t offset = *extractedFrom(part, load) * bits / 8;
    Value* place =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), offset);
    LoadInst* loaded =
        builder.CreateAlignedLoad(part.getType(), place, commonAlignment(load.getAlign(), offset));
    loaded->copyMetadata(load);
    part.replaceAllUsesWith(loaded);
    part.eraseFromParent();
  }
  load.eraseFromParent();
  return true;
}

/// Whether spills that an order spares are much beside what else there is to do.
bool isWorthwhile(unsigned before, unsigned after, ArrayRef<Instruction*> block,
                  const VectorRegisters& registers) {
  if (after >= before) return false;
  unsigned work = before;
  for (const Instruction* instruction : block)
    if (!isa<GetElementPtrInst, CastInst>(instruction))  // mostly part of others
      work += std::max(registers.neededFor(*instruction), 1u);
  return work <= (before - after) * tuning::kWorkOfSpill;
}

/// Between its phis and its terminator.
SmallVector<Instruction*> instructionsOf(BasicBlock& block) {
  SmallVector<Instruction*> instructions;
  for (Instruction& instruction :
       make_range(block.getFirstNonPHIIt(), block.getTerminator()->getIterator()))
    instructions.push_back(&instruction);
  return instructions;
}

bool order(BasicBlock& block, const VectorRegisters& registers) {
  SmallVector<Instruction*> written = instructionsOf(block);
  if (written.size() <= registers.count || estimateSpills(written, registers) == 0) return false;
  SmallVector<LoadInst*> loads;
  for (Instruction* instruction : written)
    if (auto* load = dyn_cast<LoadInst>(instruction)) loads.push_back(load);
  bool changed = false;
  for (LoadInst* load : loads) changed |= splitLoad(*load, registers);
  if (changed) written = instructionsOf(block);
  const SmallVector<Instruction*> better = Ordering(written, registers).byNeed();
  if (!isWorthwhile(estimateSpills(written, registers), estimateSpills(better, registers), written,
                    registers))
    return changed;
  for (Instruction* instruction : better) instruction->moveBefore(block.getTerminator());
  return true;
}

}  // namespace

PreservedAnalyses OrderValuesPass::run(Function& function, FunctionAnalysisManager& analyses) {
  const VectorRegisters registers =
      VectorRegisters::of(analyses.getResult<TargetIRAnalysis>(function));
  if (registers.bits == 0) return PreservedAnalyses::all();
  bool changed = false;
  for (BasicBlock& block : function) changed |= order(block, registers);
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace weft::compiler
