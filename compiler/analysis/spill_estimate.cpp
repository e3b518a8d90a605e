// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/spill_estimate.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <limits>

#include "ir/uses.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// A register file of which that value is evicted whose next use is the farthest.
class Allocation {
 public:
  Allocation(ArrayRef<Instruction*> order, const VectorRegisters& registers)
      : order_(order), registers_(registers) {
    for (unsigned at = 0; at < order.size(); ++at)
      for (const Value* operand : order[at]->operands())
        if (registers.neededFor(*operand) != 0) addUse(*operand, at);
    for (const Instruction* instruction : order)
      if (registers.neededFor(*instruction) != 0 &&
          isUsedBehind(*instruction, *instruction->getParent()))
        addUse(*instruction, kBehind);
  }

  unsigned run() {
    for (at_ = 0; at_ < order_.size(); ++at_) {
      const Instruction& instruction = *order_[at_];
      for (const Value* operand : instruction.operands())
        if (uses_.contains(operand)) fetch(*operand);
      for (const Value* operand : instruction.operands()) advance(*operand);
      if (!uses_.contains(&instruction)) continue;
      // What is loaded can be loaded again.
      states_[&instruction].isInMemory = isa<LoadInst>(instruction);
      take(instruction);
    }
    return spills_;
  }

 private:
  static constexpr unsigned kBehind = std::numeric_limits<unsigned>::max();

  struct State {
    bool isInMemory = false;
    unsigned passed = 0;  ///< of its uses
  };

  void addUse(const Value& value, unsigned at) {
    SmallVector<unsigned, 4>& uses = uses_[&value];
    if (uses.empty() || uses.back() != at) uses.push_back(at);
  }

  /// kBehind also of what nobody needs any more.
  unsigned nextUse(const Value& value) const {
    const SmallVector<unsigned, 4>& uses = uses_.find(&value)->second;
    const unsigned passed = states_.lookup(&value).passed;
    return passed < uses.size() ? uses[passed] : kBehind;
  }

  /// Values of before the block come to it in registers, as far as those go.
  void fetch(const Value& value) {
    if (is_contained(held_, &value)) return;
    const unsigned needed = registers_.neededFor(value);
    const auto [entry, isNew] = states_.try_emplace(&value);
    if (isNew) entry->second.isInMemory = !hasRoom(needed);
    if (!isNew || entry->second.isInMemory) spills_ += needed;
    take(value);
  }

  void advance(const Value& value) {
    const auto found = uses_.find(&value);
    if (found == uses_.end()) return;
    State& state = states_[&value];
    while (state.passed < found->second.size() && found->second[state.passed] <= at_)
      ++state.passed;
    if (state.passed == found->second.size()) drop(value);
  }

  void drop(const Value& value) {
    auto* found = find(held_, &value);
    if (found == held_.end()) return;
    taken_ -= registers_.neededFor(value);
    held_.erase(found);
  }

  bool hasRoom(unsigned needed) const { return taken_ + needed <= registers_.count; }

  void take(const Value& value) {
    const unsigned needed = registers_.neededFor(value);
    while (!hasRoom(needed) && !held_.empty()) evict();
    taken_ += needed;
    held_.push_back(&value);
  }

  void evict() {
    const Value& farthest =
        **std::ranges::max_element(held_, {}, [&](const Value* value) { return nextUse(*value); });
    State& state = states_[&farthest];
    if (!state.isInMemory) spills_ += registers_.neededFor(farthest);
    state.isInMemory = true;
    drop(farthest);
  }

  ArrayRef<Instruction*> order_;
  const VectorRegisters& registers_;
  DenseMap<const Value*, SmallVector<unsigned, 4>> uses_;
  DenseMap<const Value*, State> states_;
  SmallVector<const Value*, 32> held_;
  unsigned taken_ = 0;
  unsigned at_ = 0;
  unsigned spills_ = 0;
};

}  // namespace

unsigned estimateSpills(ArrayRef<Instruction*> order, const VectorRegisters& registers) {
  return Allocation(order, registers).run();
}

}  // namespace weft::compiler
