// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/likely_rows.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

#include "base/tuning.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// Guesses by how much integers and addresses differ from lane to lane.
class Guess {
 public:
  Guess(const Loop& loop, const LaneShapes& shapes) : loop_(loop), shapes_(shapes) {}

  /// Bytes from lane to lane; none when nothing can be guessed.
  std::optional<int64_t> ofAddress(const Value* pointer) {
    if (const auto known = knownStep(pointer)) return known;
    const auto* address = dyn_cast<GetElementPtrInst>(pointer);
    if (!address) return std::nullopt;
    auto step = ofAddress(address->getPointerOperand());
    const DataLayout& layout = address->getDataLayout();
    for (auto index = gep_type_begin(address); index != gep_type_end(address) && step; ++index) {
      if (index.isStruct()) continue;
      const auto one = of(index.getOperand(), 0);
      if (!one) return std::nullopt;
      *step += *one * static_cast<int64_t>(index.getSequentialElementStride(layout));
    }
    return step;
  }

 private:
  static constexpr unsigned kMaxDepth = 12;

  std::optional<int64_t> knownStep(const Value* value) const {
    const LaneShape shape = shapes_.of(value);
    if (shape.isVarying()) return std::nullopt;
    return shape.isUniform() ? 0 : shape.stride;
  }

  std::optional<int64_t> of(const Value* value, unsigned depth) {
    if (const auto known = knownStep(value)) return known;
    const auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || depth == kMaxDepth) return std::nullopt;
    const auto operand = [&](unsigned i) { return of(instruction->getOperand(i), depth + 1); };
    switch (instruction->getOpcode()) {
      case Instruction::SExt:
      case Instruction::ZExt:
        return operand(0);
      case Instruction::Trunc:
      case Instruction::Freeze:
        return operand(0);
      case Instruction::Add:
      case Instruction::Sub: {
        const auto left = operand(0), right = operand(1);
        if (!left || !right) return std::nullopt;
        return instruction->getOpcode() == Instruction::Add ? *left + *right : *left - *right;
      }
      case Instruction::Mul:
      case Instruction::Shl:
        return ofProduct(*instruction, depth);
      case Instruction::And:
      case Instruction::URem:
      case Instruction::SRem:
        return ofWrapped(*instruction, depth);
      case Instruction::Select:
        return either(operand(1), operand(2));
      case Instruction::PHI:
        return ofPhi(*cast<PHINode>(instruction), depth);
      case Instruction::Call:
        return ofCall(*instruction, depth);
      default:
        return std::nullopt;
    }
  }

  std::optional<int64_t> ofProduct(const Instruction& product, unsigned depth) {
    const auto* factor = dyn_cast<ConstantInt>(product.getOperand(1));
    if (!factor || factor->getValue().getSignificantBits() > 32) return std::nullopt;
    const auto step = of(product.getOperand(0), depth + 1);
    if (!step) return std::nullopt;
    const int64_t times = factor->getSExtValue();
    if (product.getOpcode() == Instruction::Mul) return *step * times;
    return times < 32 ? std::optional(*step * (int64_t{1} << times)) : std::nullopt;
  }

  /// What wraps round goes on steadily in between.
  std::optional<int64_t> ofWrapped(const Instruction& operation, unsigned depth) {
    const Value* limit = operation.getOperand(1);
    if (shapes_.of(limit).isUniform()) return of(operation.getOperand(0), depth + 1);
    if (operation.getOpcode() == Instruction::And &&
        shapes_.of(operation.getOperand(0)).isUniform())
      return of(limit, depth + 1);
    return std::nullopt;
  }

  /// A clamped value is most often inside its range.
  static std::optional<int64_t> either(std::optional<int64_t> left, std::optional<int64_t> right) {
    if (left == right || right == 0) return left;
    return left == 0 ? right : std::nullopt;
  }

  /// Where a loop comes round, what it began with decides.
  std::optional<int64_t> ofPhi(const PHINode& phi, unsigned depth) {
    if (phi.getParent() == loop_.getHeader()) return std::nullopt;
    const auto [entry, isNew] = phis_.try_emplace(&phi, std::nullopt);
    if (!isNew) return entry->second;
    std::optional<int64_t> step;
    bool isFirst = true;
    for (const Value* incoming : phi.incoming_values()) {
      const auto one = of(incoming, depth + 1);
      if (!one && !isFirst) return phis_[&phi] = std::nullopt;
      step = isFirst ? one : either(step, one);
      isFirst = false;
      phis_[&phi] = step;
      if (!step) return std::nullopt;
    }
    return step;
  }

  std::optional<int64_t> ofCall(const Instruction& instruction, unsigned depth) {
    const auto* call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call) return std::nullopt;
    switch (call->getIntrinsicID()) {
      case Intrinsic::smin:
      case Intrinsic::smax:
      case Intrinsic::umin:
      case Intrinsic::umax:
        return either(of(call->getArgOperand(0), depth + 1), of(call->getArgOperand(1), depth + 1));
      case Intrinsic::abs:
        return of(call->getArgOperand(0), depth + 1);
      default:
        return std::nullopt;
    }
  }

  const Loop& loop_;
  const LaneShapes& shapes_;
  DenseMap<const PHINode*, std::optional<int64_t>> phis_;
};

}  // namespace

LikelyRows::LikelyRows(const Loop& loop, const LaneShapes& shapes, const PrivateLayouts& privates) {
  Guess guess(loop, shapes);
  for (const BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      const Value* pointer = getLoadStorePointerOperand(&instruction);
      if (!pointer || !shapes.of(pointer).isVarying()) continue;
      const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
      if (variable && privates.contains(variable)) continue;
      const auto* store = dyn_cast<StoreInst>(&instruction);
      Type* type = store ? store->getValueOperand()->getType() : instruction.getType();
      const DataLayout& layout = instruction.getDataLayout();
      if (layout.getTypeAllocSizeInBits(type) != layout.getTypeSizeInBits(type)) continue;
      const auto bytes = static_cast<int64_t>(layout.getTypeAllocSize(type).getFixedValue());
      if (guess.ofAddress(pointer) == bytes) accesses_.insert(&instruction);
    }
  }
  if (accesses_.size() > tuning::kGuessedAccesses) accesses_.clear();
}

}  // namespace weft::compiler
