// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/lane_shapes.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "analysis/item_loop.h"

namespace weft::compiler {

using namespace llvm;

namespace {

constexpr uint64_t kMaxId = (uint64_t{1} << 31) - 1;
constexpr unsigned kMaxDepth = 8;

uint64_t largest(unsigned bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

}  // namespace

LaneShapes::LaneShapes(const Loop& loop, const PHINode& index, const LaneUniformity& uniformity,
                       const MaskPlan& plan, const PrivateLayouts& privates, unsigned width)
    : loop_(loop), index_(index), uniformity_(uniformity), plan_(plan), width_(width) {
  for (const auto& [variable, layout] : privates) {
    shapes_[variable] = LaneShape::affine(
        static_cast<int64_t>(layout.elementBytes ? layout.elementBytes : layout.bytes));
    if (layout.elementBytes) interleaved_[variable] = variable;
  }
  shapes_[&index] = LaneShape::affine(1);
  // Values that have no shape yet are taken for what suits best: the first pass is optimistic about
  // loops, and the passes after it only ever take something back.
  bool changed = true;
  while (changed) {
    changed = false;
    for (const BasicBlock* block : plan.order()) {
      for (const Instruction& instruction : *block) {
        if (&instruction == &index || instruction.getType()->isVoidTy()) continue;
        const LaneShape shape = compute(instruction);
        auto [place, isNew] = shapes_.try_emplace(&instruction, shape);
        if (!isNew && place->second == shape) continue;
        place->second = isNew ? shape : LaneShape::varying();
        changed = true;
        if (const auto* address = dyn_cast<GEPOperator>(&instruction))
          if (const AllocaInst* variable = interleaved_.lookup(address->getPointerOperand()))
            interleaved_[&instruction] = variable;
      }
    }
  }
}

LaneShape LaneShapes::of(const Value* value) const {
  const auto found = shapes_.find(value);
  return found == shapes_.end() ? LaneShape::uniform() : found->second;
}

LaneShape LaneShapes::ofIndex(const Value* index) const {
  const LaneShape shape = of(index);
  const auto* extension = dyn_cast<ZExtInst>(index);
  if (!shape.isVarying() || !extension || !extension->getSrcTy()->isIntegerTy(32) ||
      !extension->getDestTy()->isIntegerTy(64) || !loop_.contains(extension))
    return shape;
  return of(extension->getOperand(0));
}

const AllocaInst* LaneShapes::interleaved(const Value* pointer) const {
  return interleaved_.lookup(pointer);
}

LaneShape LaneShapes::compute(const Instruction& instruction) const {
  if (const auto found = shapes_.find(&instruction);
      found != shapes_.end() && found->second.isVarying())
    return found->second;
  if (uniformity_.isUniform(instruction)) return LaneShape::uniform();
  Type* type = instruction.getType();
  if (!type->isIntegerTy() && !type->isPointerTy()) return LaneShape::varying();
  LaneShape shape = LaneShape::varying();
  if (const auto* operation = dyn_cast<BinaryOperator>(&instruction)) {
    shape = ofBinary(*operation);
  } else if (const auto* address = dyn_cast<GEPOperator>(&instruction)) {
    shape = ofAddress(*address);
  } else if (const auto* phi = dyn_cast<PHINode>(&instruction)) {
    shape = ofPhi(*phi);
  } else if (const auto* cast = dyn_cast<CastInst>(&instruction)) {
    switch (cast->getOpcode()) {
      case Instruction::Trunc:
      case Instruction::BitCast:
      case Instruction::AddrSpaceCast:
        shape = of(cast->getOperand(0));
        break;
      case Instruction::SExt:
      case Instruction::ZExt:
        shape = ofExtension(*cast);
        break;
      default:
        break;
    }
    if (type->isIntegerTy(1)) shape = LaneShape::varying();
  } else if (const auto* select = dyn_cast<SelectInst>(&instruction)) {
    const LaneShape chosen = of(select->getTrueValue());
    if (of(select->getCondition()).isUniform() && chosen == of(select->getFalseValue()))
      shape = chosen;
  } else if (isa<FreezeInst>(instruction)) {
    shape = of(instruction.getOperand(0));
  }
  // What LLVM cannot tell to be equal may still turn out so (x - x), but is kept as it is.
  if (shape.isUniform() || shape.stride > kMaxStride || shape.stride < -kMaxStride)
    return LaneShape::varying();
  return shape;
}

LaneShape LaneShapes::ofBinary(const BinaryOperator& operation) const {
  const LaneShape left = of(operation.getOperand(0));
  const LaneShape right = of(operation.getOperand(1));
  if (left.isVarying() || right.isVarying()) return LaneShape::varying();
  const auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  switch (operation.getOpcode()) {
    case Instruction::Or:
      if (!cast<PossiblyDisjointInst>(operation).isDisjoint()) return LaneShape::varying();
      // Bits that have nothing in common in any lane are added without a carry.
      [[fallthrough]];
    case Instruction::Add:
      return LaneShape::affine(left.stride + right.stride);
    case Instruction::Sub:
      return LaneShape::affine(left.stride - right.stride);
    case Instruction::Mul:
      if (!constant || constant->getValue().getSignificantBits() > 32) break;
      return LaneShape::affine(left.stride * constant->getSExtValue());
    case Instruction::Shl:
      if (!constant || constant->getValue().uge(32)) break;
      return LaneShape::affine(left.stride << constant->getZExtValue());
    default:
      break;
  }
  return LaneShape::varying();
}

LaneShape LaneShapes::ofAddress(const GEPOperator& address) const {
  if (address.getType()->isVectorTy()) return LaneShape::varying();
  const LaneShape base = of(address.getPointerOperand());
  if (base.isVarying()) return base;
  const DataLayout& layout = plan_.order().front()->getModule()->getDataLayout();
  const auto* variable = interleaved_.lookup(address.getPointerOperand());
  const int64_t scale = variable ? width_ : 1;
  int64_t stride = base.stride;
  for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
    if (index.isStruct()) continue;
    const LaneShape shape = variable ? of(index.getOperand()) : ofIndex(index.getOperand());
    if (shape.isVarying()) return shape;
    if (shape.isUniform()) continue;
    // The index is extended to the width of addresses.
    if (index.getOperand()->getType()->getIntegerBitWidth() < 64 &&
        !neverWrapsSigned(index.getOperand()))
      return LaneShape::varying();
    const uint64_t size = index.getSequentialElementStride(layout);
    if (size > uint64_t{kMaxStride}) return LaneShape::varying();
    stride += shape.stride * static_cast<int64_t>(size) * scale;
  }
  return LaneShape::affine(stride);
}

/// Whether all lanes that reach the phi come from the same block.
bool LaneShapes::joinsTogether(const PHINode& phi) const {
  const BasicBlock* block = phi.getParent();
  if (plan_.innerLoopHeadedBy(*block)) return true;
  if (phi.getNumIncomingValues() == 1) {
    // At a masked loop's exit lanes arrive from different turns.
    const BasicBlock* from = phi.getIncomingBlock(0);
    return !plan_.isMasked(*from);
  }
  for (const BasicBlock* from : phi.blocks())
    if (plan_.isMasked(*from) || !uniformity_.endsUniformly(*from)) return false;
  return true;
}

LaneShape LaneShapes::ofPhi(const PHINode& phi) const {
  if (!joinsTogether(phi)) return LaneShape::varying();
  std::optional<LaneShape> shape;
  for (const Value* incoming : phi.incoming_values()) {
    const auto* instruction = dyn_cast<Instruction>(incoming);
    const bool isKnown =
        !instruction || !loop_.contains(instruction) || shapes_.contains(instruction);
    if (!isKnown) continue;
    if (!shape) shape = of(incoming);
    if (*shape != of(incoming)) return LaneShape::varying();
  }
  return shape.value_or(LaneShape::varying());
}

LaneShape LaneShapes::ofExtension(const CastInst& cast) const {
  const LaneShape shape = of(cast.getOperand(0));
  if (shape.isVarying() || cast.getSrcTy()->isIntegerTy(1)) return LaneShape::varying();
  const bool safe = cast.getOpcode() == Instruction::SExt ? neverWrapsSigned(cast.getOperand(0))
                                                          : neverWrapsUnsigned(cast.getOperand(0));
  return safe ? shape : LaneShape::varying();
}

std::optional<uint64_t> LaneShapes::bound(const Value* value, unsigned depth) const {
  if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  const uint64_t all = largest(value->getType()->getIntegerBitWidth());
  if (const auto* constant = dyn_cast<ConstantInt>(value)) return constant->getZExtValue();
  if (value == &index_ || isGroupIdOrSize(value)) return kMaxId;
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth > kMaxDepth) return std::nullopt;
  auto operand = [&](unsigned i) { return bound(instruction->getOperand(i), depth + 1); };
  auto within = [&](std::optional<uint64_t> result) {
    return result && *result <= all ? result : std::nullopt;
  };
  switch (instruction->getOpcode()) {
    case Instruction::Add: {
      // A global id is the sum of its box's first one and the index.
      if ((instruction->getOperand(0) == &index_ && isGroupIdOrSize(instruction->getOperand(1))) ||
          (instruction->getOperand(1) == &index_ && isGroupIdOrSize(instruction->getOperand(0))))
        return kMaxId;
      const auto left = operand(0);
      const auto right = operand(1);
      return left && right && *left <= kMaxId * 4 && *right <= kMaxId * 4 ? within(*left + *right)
                                                                          : std::nullopt;
    }
    case Instruction::Mul: {
      const auto left = operand(0);
      const auto right = operand(1);
      return left && right && *left <= kMaxId && *right <= kMaxId ? within(*left * *right)
                                                                  : std::nullopt;
    }
    case Instruction::Shl: {
      const auto left = operand(0);
      const auto* count = dyn_cast<ConstantInt>(instruction->getOperand(1));
      return left && count && *left <= kMaxId && count->getValue().ult(32)
                 ? within(*left << count->getZExtValue())
                 : std::nullopt;
    }
    case Instruction::And: {
      const auto left = operand(0);
      const auto right = operand(1);
      if (left && right) return std::min(*left, *right);
      return left ? left : right;
    }
    case Instruction::LShr: {
      const auto* count = dyn_cast<ConstantInt>(instruction->getOperand(1));
      if (!count || count->getValue().uge(64)) return std::nullopt;
      return operand(0).value_or(all) >> count->getZExtValue();
    }
    case Instruction::URem: {
      const auto right = operand(1);
      return right && *right > 0 ? std::optional(*right - 1) : std::nullopt;
    }
    case Instruction::UDiv:
      return operand(0);
    case Instruction::Trunc:
      return within(operand(0));
    case Instruction::ZExt:
      return operand(0).value_or(
          largest(instruction->getOperand(0)->getType()->getIntegerBitWidth()));
    case Instruction::Freeze:
      return operand(0);
    case Instruction::SExt: {
      const auto inner = operand(0);
      const unsigned bits = instruction->getOperand(0)->getType()->getIntegerBitWidth();
      return inner && *inner <= largest(bits - 1) ? inner : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

bool LaneShapes::neverWrapsSigned(const Value* value, unsigned depth) const {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  if (const auto limit = bound(value); limit && *limit <= largest(bits - 1)) return true;
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || of(value).isUniform()) return true;
  if (depth > kMaxDepth) return false;
  auto operands = [&] {
    return all_of(instruction->operands(),
                  [&](const Use& use) { return neverWrapsSigned(use.get(), depth + 1); });
  };
  switch (instruction->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
      return cast<OverflowingBinaryOperator>(instruction)->hasNoSignedWrap() && operands();
    case Instruction::Or:
      return cast<PossiblyDisjointInst>(instruction)->isDisjoint() && operands();
    case Instruction::SExt:
    case Instruction::Freeze:
      return operands();
    case Instruction::PHI:
      // The values that come together are safe when each of them is; the loop's own steps are
      // additions of that kind.
      return all_of(instruction->operands(), [&](const Use& use) {
        return use.get() == instruction || neverWrapsSigned(use.get(), depth + 3);
      });
    default:
      return false;
  }
}

/// Lane 0 may be idle, and what wraps there is then nobody's fault: only what holds in every lane
/// helps, not what the program promises where it computes the value.
bool LaneShapes::neverWrapsUnsigned(const Value* value) const {
  const auto limit = bound(value);
  return (limit && *limit <= largest(value->getType()->getIntegerBitWidth())) ||
         of(value).isUniform();
}

}  // namespace weft::compiler
