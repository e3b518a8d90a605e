// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/exact_indices.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include <optional>

#include "analysis/index_steps.h"
#include "analysis/number_bounds.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using Op = LaunchCondition::Op;
using Node = ConditionWriter::Node;

/// What has to hold for one index, and what then never wraps.
struct Requirement {
  SmallVector<Node, 8> conditions;
  SmallPtrSet<Instruction*, 8> exact;
  SmallPtrSet<Instruction*, 4> roomy;
  SmallPtrSet<const Instruction*, 16> seen;
};

class IndexMarker {
 public:
  IndexMarker(Function& kernel, std::span<const ArgumentInfo> arguments)
      : kernel_(kernel), arguments_(arguments) {}

  /// Of the indices that step along one dimension.
  void addAlong(unsigned dimension) {
    steps_ = GuessedSteps::alongDimension(dimension);
    for (Instruction& instruction : instructions(kernel_)) {
      if (!isIndex(instruction)) continue;
      Requirement one;
      if (!require(cast<CastInst>(instruction), one) || (one.exact.empty() && one.roomy.empty()))
        continue;
      requireCounters(*instruction.getOperand(0), one);
      SmallVector<Node, 8> open;
      for (const Node condition : one.conditions)
        if (!writer_.isCertain(condition)) open.push_back(condition);
      if (!writer_.isPossible(open)) continue;
      SmallVector<Node> both(conditions_);
      for (const Node condition : open)
        if (!is_contained(both, condition)) both.push_back(condition);
      if (writer_.isFull()) break;
      if (writer_.write(both).steps.size() > LaunchCondition::kMostSteps) continue;
      conditions_ = std::move(both);
      exact_.insert(one.exact.begin(), one.exact.end());
      roomy_.insert(one.roomy.begin(), one.roomy.end());
    }
  }

  /// Marks what was found. Returns what has to be so for it.
  LaunchCondition mark() {
    MDNode* mark = MDNode::get(kernel_.getContext(), {});
    for (Instruction* instruction : exact_) instruction->setMetadata(names::kExact, mark);
    for (Instruction* instruction : roomy_) instruction->setMetadata(names::kHasRoom, mark);
    return writer_.write(conditions_);
  }

 private:
  /// Whether an extension from 32 bits is for places that step from work-item to work-item.
  bool isIndex(const Instruction& instruction) {
    if (!isa<SExtInst, ZExtInst>(instruction) || !instruction.getType()->isIntegerTy(64) ||
        !instruction.getOperand(0)->getType()->isIntegerTy(32))
      return false;
    if (none_of(instruction.users(), [](const User* user) {
          const auto* address = dyn_cast<GetElementPtrInst>(user);
          if (address) return address->getPointerAddressSpace() != names::kLocal;
          return isa<BinaryOperator>(user) && user->getType()->isIntegerTy(64);
        }))
      return false;
    const Value& number = *instruction.getOperand(0);
    return steps_.of(number).isAffine() || isInRow(number);
  }

  /// Whether it is within rows of which each work-item has one.
  bool isInRow(const Value& value) {
    const auto* operation = dyn_cast<BinaryOperator>(&value);
    if (!operation) return false;
    return isMultipleOfId(*operation) ||
           (operation->getOpcode() == Instruction::Add &&
            any_of(operation->operands(), [&](const Use& part) { return isInRow(*part.get()); }));
  }

  /// Whether it is a product of what steps and a number that all work-items have alike.
  bool isMultipleOfId(const Instruction& product) {
    if (product.getOpcode() != Instruction::Mul) return false;
    const IndexStep left = steps_.of(*product.getOperand(0));
    const IndexStep right = steps_.of(*product.getOperand(1));
    return (left.isAffine() && right.isUniform()) || (right.isAffine() && left.isUniform());
  }

  /// That counters which go along a row do not wrap either, as far as that can be had: it is known
  /// to be read element by element then.
  void requireCounters(Value& number, Requirement& all) {
    if (!isInRow(number)) return;
    for (Value* part : cast<BinaryOperator>(number).operands()) {
      requireCounters(*part, all);
      auto* counter = dyn_cast<PHINode>(part);
      Requirement more = all;
      if (counter && requireSteps(*counter, more)) all = std::move(more);
    }
  }

  bool require(CastInst& extension, Requirement& all) {
    return requireExact(*extension.getOperand(0), all) && requireExtension(extension, all);
  }

  bool requireExtension(CastInst& extension, Requirement& all) {
    if (extension.getOpcode() == Instruction::SExt) return true;
    all.exact.insert(&extension);
    all.conditions.push_back(writer_.unary(
        Op::IsPositive, bounds().of(*extension.getOperand(0), *extension.getParent()), 64));
    return true;
  }

  /// That the number is what it would be with any number of bits. False where that cannot be had.
  bool requireExact(Value& value, Requirement& all) {
    if (steps_.of(value).isUniform()) return true;  // all lanes have it alike, whatever it is
    auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction || all.seen.size() > kMaxOperations) return false;
    if (!all.seen.insert(instruction).second) return true;
    if (isa<CallInst>(instruction)) return true;  // an id
    if (auto* phi = dyn_cast<PHINode>(instruction)) return requireSteps(*phi, all);
    if (isa<SExtInst, ZExtInst>(instruction))
      return instruction->getOperand(0)->getType()->isIntegerTy(32) &&
             require(cast<CastInst>(*instruction), all);
    const auto linear = LinearOperation::of(*instruction);
    if ((!linear && !isMultipleOfId(*instruction)) ||
        (isa<TruncInst>(instruction) && !value.getType()->isIntegerTy(32)))
      return false;
    if (!linear || !linear->isSignedExact) requireFit(*instruction, all);
    return all_of(instruction->operands(),
                  [&](const Use& operand) { return requireExact(*operand.get(), all); });
  }

  /// That an operation on 32 bits, which is to be exact, does not wrap.
  void requireFit(Instruction& operation, Requirement& all) {
    if (!operation.getType()->isIntegerTy(32)) return;
    all.exact.insert(&operation);
    all.conditions.push_back(writer_.unary(Op::Fits, bounds().withoutWrapping(operation), 32));
  }

  /// That a sum that goes round a loop from here on, where nobody can follow it in more bits, does
  /// not come near to wrapping.
  void requireRoom(Value& value, Requirement& all) {
    auto* sum = dyn_cast<BinaryOperator>(&value);
    if (!sum || !sum->getType()->isIntegerTy(32) || steps_.of(*sum).isUniform()) return;
    all.roomy.insert(sum);
    all.conditions.push_back(
        writer_.unary(Op::Fits,
                      writer_.binary(Op::Add, bounds().withoutWrapping(*sum),
                                     writer_.range(-names::kRoom, names::kRoom)),
                      32));
  }

  /// Of a number that goes round a loop and never falls.
  bool requireSteps(PHINode& phi, Requirement& all) {
    const Loop* loop = bounds().loopHeadedBy(*phi.getParent());
    if (!loop || !phi.getType()->isIntegerTy(32)) return false;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      Value* incoming = phi.getIncomingValue(i);
      if (incoming == &phi) continue;
      if (!loop->contains(phi.getIncomingBlock(i))) {
        if (!requireExact(*incoming, all)) return false;
        requireRoom(*incoming, all);
        continue;
      }
      auto* sum = dyn_cast<BinaryOperator>(incoming);
      if (!sum || sum->getOpcode() != Instruction::Add || !is_contained(sum->operands(), &phi))
        return false;
      Value* distance = sum->getOperand(sum->getOperand(0) == &phi ? 1 : 0);
      if (distance == &phi || !steps_.of(*distance).isUniform()) return false;
      if (!LinearOperation::of(*sum)->isSignedExact) requireFit(*sum, all);
      if (isa<Constant>(distance)) continue;
      all.exact.insert(&phi);
      all.conditions.push_back(
          writer_.unary(Op::IsPositive, bounds().of(*distance, *sum->getParent()), 64));
    }
    return true;
  }

  NumberBounds& bounds() {
    if (!bounds_) bounds_.emplace(kernel_, arguments_, writer_);
    return *bounds_;
  }

  /// Of one index.
  static constexpr size_t kMaxOperations = 32;

  Function& kernel_;
  const std::span<const ArgumentInfo> arguments_;
  ConditionWriter writer_;
  std::optional<NumberBounds> bounds_;  // only where it is asked for
  /// Guesses: what has no steps is not asked about, no more.
  GuessedSteps steps_ = GuessedSteps::alongDimension(0);
  SmallVector<Node> conditions_;
  SmallPtrSet<Instruction*, 16> exact_;
  SmallPtrSet<Instruction*, 8> roomy_;
};

}  // namespace

LaunchCondition markExactIndices(Function& kernel, std::span<const ArgumentInfo> arguments,
                                 unsigned rowDimension) {
  IndexMarker marker(kernel, arguments);
  marker.addAlong(rowDimension);
  if (rowDimension != 0) marker.addAlong(0);
  return marker.mark();
}

}  // namespace weft::compiler
