// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/lane_shapes.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "ir/item_loop.h"
#include "ir/names.h"
#include "ir/sub_groups.h"
#include "weft/abi/sub_group.h"

namespace weft::compiler {

using namespace llvm;

namespace {

constexpr uint64_t kMaxId = (uint64_t{1} << 31) - 1;
constexpr unsigned kMaxDepth = 8;
/// Stands for a bound that is not known; sums of two such still are numbers.
constexpr int64_t kMost = int64_t{1} << 60;

uint64_t largest(unsigned bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

}  // namespace

LaneShapes::LaneShapes(const Loop& loop, const PHINode& index, const LaneUniformity& uniformity,
                       const MaskPlan& plan, const PrivateLayouts& privates, unsigned width,
                       const AlignedSteps* aligned)
    : loop_(loop),
      index_(index),
      uniformity_(uniformity),
      plan_(plan),
      aligned_(aligned),
      steps_(index, width, 0),
      width_(width) {
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
  findIndices();
}

void LaneShapes::findIndices() {
  for (const BasicBlock* block : llvm::reverse(plan_.order()))
    for (const Instruction& instruction : llvm::reverse(*block))
      if (isa<BinaryOperator, SExtInst, ZExtInst>(instruction) && of(&instruction).isVarying() &&
          instruction.getType()->isIntegerTy(64) &&
          all_of(instruction.users(), [&](const User* user) {
            return isOnlyIndex(user) || (isa<GEPOperator>(user) && !of(user).isVarying());
          }))
        onlyIndices_.insert(&instruction);
}

LaneShape LaneShapes::of(const Value* value) const {
  const auto found = shapes_.find(value);
  return found == shapes_.end() ? LaneShape::uniform() : found->second;
}

LaneShape LaneShapes::ofIndex(const Value* index, bool isLocal, unsigned depth) const {
  const LaneShape shape = of(index);
  const auto* instruction = dyn_cast<Instruction>(index);
  if (!shape.isVarying() || depth > kMaxDepth || !instruction ||
      !instruction->getType()->isIntegerTy(64) || !loop_.contains(instruction))
    return shape;
  if (const auto* operation = dyn_cast<BinaryOperator>(instruction))
    return keptShape(carriedStep(
        *operation, [&](const Value& operand) { return ofIndex(&operand, isLocal, depth + 1); }));
  if (!isa<SExtInst, ZExtInst>(instruction)) return shape;
  const Value* narrow = instruction->getOperand(0);
  if (!narrow->getType()->isIntegerTy(32) || of(narrow).isVarying()) return shape;
  // In a sum other parts may make up for a number that no local memory is as large as.
  const bool isSmall = isLocal && depth == 0;
  const bool isFollowed = isSmall || (isa<SExtInst>(instruction) && canWiden(narrow));
  return isFollowed ? of(narrow) : shape;
}

bool LaneShapes::isAnywhere(const Value* pointer) const {
  return of(pointer).isVarying() && !isa<AllocaInst>(getUnderlyingObject(pointer, /*MaxLookup=*/0));
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
  if (isCallOf(instruction, names::kSubGroupLane)) return LaneShape::affine(1);
  const auto ofOperand = [&](const Value& operand) { return of(&operand); };
  if (type->isIntegerTy(1)) {
    const auto* comparison = dyn_cast<ICmpInst>(&instruction);
    const AlignedSteps& steps = aligned_ ? *aligned_ : steps_;
    return comparison && steps.comparesAlike(*comparison, ofOperand) ? LaneShape::uniform()
                                                                     : LaneShape::varying();
  }
  if (const auto* address = dyn_cast<GEPOperator>(&instruction))
    return keptShape(ofAddress(*address));
  if (const auto* phi = dyn_cast<PHINode>(&instruction)) return keptShape(ofPhi(*phi));
  if (isa<SExtInst, ZExtInst>(instruction))
    return keptShape(ofExtension(cast<CastInst>(instruction)));
  const LaneShape shape = keptShape(carriedStep(instruction, ofOperand));
  return shape.isVarying() && aligned_ ? aligned_->after(instruction, ofOperand) : shape;
}

/// What LLVM cannot tell to be equal may still turn out so (x - x), but is kept as it is.
LaneShape LaneShapes::keptShape(LaneShape shape) const {
  return shape.isAffine() || (aligned_ && shape.isUniform()) ? shape : LaneShape::varying();
}

LaneShape LaneShapes::ofAddress(const GEPOperator& address) const {
  const LaneShape base = of(address.getPointerOperand());
  const DataLayout& layout = plan_.order().front()->getModule()->getDataLayout();
  const bool isInterleaved = interleaved_.contains(address.getPointerOperand());
  const bool isLocal = address.getPointerAddressSpace() == names::kLocal;
  return addressStep(address, layout, base, [&](const Value& index) {
    const LaneShape shape = isInterleaved ? of(&index) * width_ : ofIndex(&index, isLocal);
    // The index is extended to the width of addresses.
    const bool isKnown = !shape.isAffine() || index.getType()->getIntegerBitWidth() >= 64 ||
                         isExact(&index) || isContained(&index) ||
                         (isLocal && promisesNoSignedWrap(&index));
    return isKnown ? shape : LaneShape::varying();
  });
}

/// Whether all lanes that reach the phi come from the same block.
bool LaneShapes::joinsTogether(const PHINode& phi) const {
  const BasicBlock* block = phi.getParent();
  if (plan_.innerLoopHeadedBy(*block)) return true;
  if (phi.getNumIncomingValues() == 1) {
    // At a masked loop's exit lanes arrive from different iterations.
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
  const bool safe = cast.getOpcode() == Instruction::SExt ? isExact(cast.getOperand(0))
                                                          : neverWrapsUnsigned(cast.getOperand(0));
  return safe || isContained(cast.getOperand(0)) ? shape : LaneShape::varying();
}

bool LaneShapes::isContained(const Value* value) const {
  return aligned_ && aligned_->isContained(*value, of(value));
}

std::optional<uint64_t> LaneShapes::bound(const Value* value, unsigned depth) const {
  if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  const uint64_t all = largest(value->getType()->getIntegerBitWidth());
  if (const auto* constant = dyn_cast<ConstantInt>(value)) return constant->getZExtValue();
  if (value == &index_ || isGroupIdOrSize(value)) return kMaxId;
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth > kMaxDepth) return std::nullopt;
  if (isCallOf(*instruction, names::kSubGroupLane)) return abi::kMaxSubGroupSize - 1;
  if (isCallOf(*instruction, names::kSubGroupNumber)) return kMaxId;
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

std::optional<LaneShapes::Range> LaneShapes::range(const Value* value, unsigned depth) const {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  if (bits > 64) return std::nullopt;
  auto clamp = [](int64_t low, int64_t high) {
    return Range{std::max(low, -kMost), std::min(high, kMost)};
  };
  if (const auto* constant = dyn_cast<ConstantInt>(value))
    return clamp(constant->getSExtValue(), constant->getSExtValue());
  if (const auto limit = bound(value); limit && *limit <= largest(bits - 1))
    return clamp(0, static_cast<int64_t>(*limit));
  if (of(value).isUniform()) {
    const int64_t half = bits <= 32 ? int64_t{1} << (bits - 1) : kMost;
    return Range{-half, half - 1};
  }
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || of(value).isVarying() || depth > kMaxDepth) return std::nullopt;
  if (const auto* phi = dyn_cast<PHINode>(instruction)) return rangeOfPhi(*phi, depth);
  if (instruction->hasMetadata(names::kHasRoom)) {
    static_assert(IndexStep::kMaxStride * abi::kMaxSubGroupSize <= names::kRoom / 2);
    const int64_t end = (int64_t{1} << 31) - names::kRoom / 2;
    return Range{-end, end};
  }
  const auto linear = LinearOperation::of(*instruction);
  if (!linear || isa<ZExtInst>(instruction)) return std::nullopt;
  Range sum{0, 0};
  const int64_t factors[] = {linear->left, linear->right};
  for (unsigned i = 0; i < instruction->getNumOperands(); ++i) {
    if (factors[i] == 0) continue;
    const auto part = range(instruction->getOperand(i), depth + 1);
    if (!part) return std::nullopt;
    const auto scaled = [&](int64_t end) {
      int64_t product = 0;
      if (MulOverflow(end, factors[i], product))
        product = (end < 0) == (factors[i] < 0) ? kMost : -kMost;
      return std::clamp(product, -kMost, kMost);
    };
    const auto [low, high] = std::minmax({scaled(part->low), scaled(part->high)});
    sum = clamp(sum.low + low, sum.high + high);
  }
  const auto most = static_cast<int64_t>(largest(bits - 1));
  if (isa<TruncInst>(instruction) && (sum.low < -most || sum.high > most)) return std::nullopt;
  return sum;
}

/// Of a phi that grows, or falls, from where it starts, or joins values.
std::optional<LaneShapes::Range> LaneShapes::rangeOfPhi(const PHINode& phi, unsigned depth) const {
  Range all{kMost, -kMost};
  bool grows = false;
  bool falls = false;
  for (const Value* incoming : phi.incoming_values()) {
    const auto* step = dyn_cast<BinaryOperator>(incoming);
    const bool isSum = step && step->getOpcode() == Instruction::Add;
    const bool isStep = isSum || (step && step->getOpcode() == Instruction::Sub);
    if (isStep && is_contained(step->operands(), &phi)) {
      const Value* distance = step->getOperand(step->getOperand(0) == &phi ? 1 : 0);
      const auto sizes = range(distance, depth + 3);
      if (distance == &phi || !sizes || (!isSum && step->getOperand(0) != &phi))
        return std::nullopt;
      grows |= isSum ? sizes->high > 0 : sizes->low < 0;
      falls |= isSum ? sizes->low < 0 : sizes->high > 0;
      continue;
    }
    const auto one = range(incoming, depth + 3);
    if (!one) return std::nullopt;
    all = {std::min(all.low, one->low), std::max(all.high, one->high)};
  }
  if (grows) all.high = kMost;
  if (falls) all.low = -kMost;
  return all;
}

bool LaneShapes::isWithinType(const Value* value) const {
  const auto most = static_cast<int64_t>(largest(value->getType()->getIntegerBitWidth() - 1));
  const auto values = range(value);
  return values && values->low >= -most - 1 && values->high <= most;
}

bool LaneShapes::isExact(const Value* value) const {
  const LaneShape shape = of(value);
  if (shape.isVarying()) return false;
  if (shape.isUniform() || isWithinType(value)) return true;
  // Where some lane uses the value it has not wrapped there, and lane 0 is on the one side of it.
  const auto values = range(value);
  const auto most = static_cast<int64_t>(largest(value->getType()->getIntegerBitWidth() - 1));
  return values && (shape.stride > 0 ? values->low >= -most - 1 : values->high <= most) &&
         promisesNoSignedWrap(value);
}

bool LaneShapes::canWiden(const Value* value, unsigned depth) const {
  if (isExact(value)) return true;
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || of(value).isVarying() || depth > kMaxDepth) return false;
  const auto linear = LinearOperation::of(*instruction);
  if (!linear || !linear->isSignedExact) return false;
  if (isa<TruncInst>(instruction)) return instruction->getOperand(0)->getType()->isIntegerTy(64);
  return all_of(instruction->operands(),
                [&](const Use& use) { return canWiden(use.get(), depth + 1); });
}

bool LaneShapes::promisesNoSignedWrap(const Value* value, unsigned depth) const {
  if (isWithinType(value)) return true;
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || of(value).isUniform()) return true;
  if (depth > kMaxDepth) return false;
  if (!isa<PHINode>(instruction)) {
    const auto linear = LinearOperation::of(*instruction);
    return linear && linear->isSignedExact && all_of(instruction->operands(), [&](const Use& use) {
             return promisesNoSignedWrap(use.get(), depth + 1);
           });
  }
  // The values that come together are safe when each of them is; the loop's own steps are additions
  // of that kind.
  return all_of(instruction->operands(), [&](const Use& use) {
    const auto* step = dyn_cast<OverflowingBinaryOperator>(use.get());
    if (!step || !is_contained(step->operands(), instruction))
      return use.get() == instruction || promisesNoSignedWrap(use.get(), depth + 3);
    return step->hasNoSignedWrap() && all_of(step->operands(), [&](const Use& part) {
             return part.get() == instruction || promisesNoSignedWrap(part.get(), depth + 3);
           });
  });
}

/// Lane 0 may be idle, and what wraps there is then nobody's fault: only what holds in every lane
/// helps, not what the program promises where it computes the value.
bool LaneShapes::neverWrapsUnsigned(const Value* value) const {
  const auto limit = bound(value);
  return (limit && *limit <= largest(value->getType()->getIntegerBitWidth())) ||
         of(value).isUniform();
}

}  // namespace weft::compiler
