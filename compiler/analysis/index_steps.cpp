// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/index_steps.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdlib>

#include "ir/names.h"

namespace weft::compiler {

using namespace llvm;
using names::WorkItemFunction;

namespace {

/// Of factors, in magnitude: products with strides still are numbers.
constexpr int64_t kMaxFactor = int64_t{1} << 32;

IndexStep kept(int64_t stride) {
  return std::abs(stride) <= IndexStep::kMaxStride ? IndexStep::affine(stride)
                                                   : IndexStep::steady();
}

/// Of two values of which none is known: the other one need not be told apart from a constant.
IndexStep ofProduct(const Instruction& operation, StepOf of) {
  const IndexStep left = of(*operation.getOperand(0));
  const IndexStep right = of(*operation.getOperand(1));
  if (left.isVarying() || right.isVarying()) return IndexStep::varying();
  if (left.isUniform() && right.isUniform()) return IndexStep::uniform();
  const bool isMultiple =
      right.isUniform() || (left.isUniform() && operation.getOpcode() == Instruction::Mul);
  return isMultiple ? IndexStep::steady() : IndexStep::varying();
}

}  // namespace

IndexStep operator+(IndexStep left, IndexStep right) {
  if (left.isVarying() || right.isVarying()) return IndexStep::varying();
  if (left.kind == IndexStep::Steady || right.kind == IndexStep::Steady) return IndexStep::steady();
  return kept(left.stride + right.stride);
}

IndexStep operator*(IndexStep step, int64_t factor) {
  if (!step.isAffine()) return step;
  return std::abs(factor) <= kMaxFactor ? kept(step.stride * factor) : IndexStep::steady();
}

std::optional<LinearOperation> LinearOperation::of(const Instruction& operation) {
  const auto factorIn = [&](unsigned operand) -> std::optional<int64_t> {
    const auto* constant = dyn_cast<ConstantInt>(operation.getOperand(operand));
    if (!constant || constant->getValue().getSignificantBits() > 32) return std::nullopt;
    return constant->getSExtValue();
  };
  LinearOperation result;
  if (const auto* arithmetic = dyn_cast<OverflowingBinaryOperator>(&operation)) {
    result.isSignedExact = arithmetic->hasNoSignedWrap();
    result.isUnsignedExact = arithmetic->hasNoUnsignedWrap();
  }
  switch (operation.getOpcode()) {
    case Instruction::Or:
      if (!cast<PossiblyDisjointInst>(operation).isDisjoint()) return std::nullopt;
      // Bits that have nothing in common are added without a carry.
      result.isSignedExact = result.isUnsignedExact = true;
      [[fallthrough]];
    case Instruction::Add:
      result.left = result.right = 1;
      return result;
    case Instruction::Sub:
      result.left = 1;
      result.right = -1;
      return result;
    case Instruction::Mul:
      if (const auto factor = factorIn(1))
        result.left = *factor;
      else if (const auto other = factorIn(0))
        result.right = *other;
      else
        return std::nullopt;
      // An unsigned factor of that many bits is another number in more bits.
      if (result.left < 0 || result.right < 0) result.isUnsignedExact = false;
      return result;
    case Instruction::Shl: {
      const auto* count = dyn_cast<ConstantInt>(operation.getOperand(1));
      if (!count || count->getValue().uge(32)) return std::nullopt;
      result.left = int64_t{1} << count->getZExtValue();
      return result;
    }
    case Instruction::Trunc:
      result.left = 1;
      result.isSignedExact = cast<TruncInst>(operation).hasNoSignedWrap();
      result.isUnsignedExact = cast<TruncInst>(operation).hasNoUnsignedWrap();
      return result;
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Freeze:
    case Instruction::AddrSpaceCast:
      result.left = 1;
      result.isSignedExact = operation.getOpcode() != Instruction::ZExt;
      result.isUnsignedExact = operation.getOpcode() != Instruction::SExt;
      return result;
    default:
      return std::nullopt;
  }
}

IndexStep carriedStep(const Instruction& operation, StepOf of) {
  if (const auto linear = LinearOperation::of(operation)) {
    IndexStep step = IndexStep::uniform();
    if (linear->left != 0) step = of(*operation.getOperand(0)) * linear->left;
    if (linear->right != 0) step = step + of(*operation.getOperand(1)) * linear->right;
    return step;
  }
  switch (operation.getOpcode()) {
    case Instruction::Mul:
    case Instruction::Shl:
      return ofProduct(operation, of);
    case Instruction::Select: {
      const IndexStep chosen = of(*operation.getOperand(1));
      const bool isOne =
          of(*operation.getOperand(0)).isUniform() && chosen == of(*operation.getOperand(2));
      return isOne ? chosen : IndexStep::varying();
    }
    default:
      return IndexStep::varying();
  }
}

int64_t forEachIndex(const GEPOperator& address, const DataLayout& layout,
                     function_ref<void(Value& index, uint64_t bytes)> each) {
  uint64_t fields = 0;
  for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
    if (StructType* aggregate = index.getStructTypeOrNull()) {
      const auto field = cast<ConstantInt>(index.getOperand())->getZExtValue();
      fields += layout.getStructLayout(aggregate)->getElementOffset(field).getFixedValue();
    } else {
      each(*index.getOperand(), index.getSequentialElementStride(layout));
    }
  }
  return static_cast<int64_t>(fields);
}

IndexStep addressStep(const GEPOperator& address, const DataLayout& layout, IndexStep base,
                      StepOf ofIndex) {
  if (address.getType()->isVectorTy()) return IndexStep::varying();
  IndexStep step = base;
  forEachIndex(address, layout, [&](const Value& index, uint64_t bytes) {
    if (step.isVarying()) return;
    const auto factor = static_cast<int64_t>(std::min<uint64_t>(bytes, 2 * kMaxFactor));
    step = step + ofIndex(index) * factor;
  });
  return step;
}

/// Of calls for ids: of those for `linear` and `own`, and for global ids. Others are none, or are
/// what all that follow each other have in common.
static std::optional<IndexStep> ofId(const Value& value, unsigned dimension,
                                     WorkItemFunction linear, WorkItemFunction own) {
  const auto* call = dyn_cast<CallInst>(&value);
  const Function* callee = call ? call->getCalledFunction() : nullptr;
  const auto function = callee ? names::workItemFunction(*callee) : std::nullopt;
  if (!function) return std::nullopt;
  if (*function == linear || *function == WorkItemFunction::GlobalLinearId)
    return dimension == 0 ? IndexStep::affine(1) : IndexStep::steady();
  if (*function != own && *function != WorkItemFunction::GlobalId) return IndexStep::uniform();
  const auto* asked = call->arg_empty() ? nullptr : dyn_cast<ConstantInt>(call->getArgOperand(0));
  if (!asked) return IndexStep::varying();
  return asked->getValue() == dimension ? IndexStep::affine(1) : IndexStep::uniform();
}

GuessedSteps GuessedSteps::alongDimension(unsigned dimension, Trust trust) {
  using enum WorkItemFunction;
  return {
      [dimension](const Value& value) { return ofId(value, dimension, LocalLinearId, LocalId); },
      trust};
}

GuessedSteps GuessedSteps::alongGroups(unsigned dimension) {
  using enum WorkItemFunction;
  return {
      [dimension](const Value& value) { return ofId(value, dimension, GlobalLinearId, GroupId); },
      Trust::MostSteps};
}

IndexStep GuessedSteps::of(const Value& value) {
  if (const auto known = known_(value)) return *known;
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction) return IndexStep::uniform();
  const auto [found, isNew] = found_.try_emplace(instruction, IndexStep::varying());
  if (!isNew || depth_ == kMaxDepth) return found->second;
  order_.push_back(instruction);
  ++depth_;
  const IndexStep step = compute(*instruction);
  --depth_;
  return found_[instruction] = step;
}

IndexStep GuessedSteps::compute(const Instruction& instruction) {
  const auto of = [&](const Value& value) { return this->of(value); };
  if (const auto* phi = dyn_cast<PHINode>(&instruction)) return ofPhi(*phi);
  if (const auto* address = dyn_cast<GEPOperator>(&instruction))
    return addressStep(*address, instruction.getDataLayout(), of(*address->getPointerOperand()),
                       of);
  IndexStep step = carriedStep(instruction, of);
  if (step.isVarying() && trust_ == Trust::MostSteps) step = mostSteps(instruction);
  if (!step.isVarying()) return step;
  // From what all have in common comes what they have in common.
  const auto* load = dyn_cast<LoadInst>(&instruction);
  const bool isOwn = load && load->getPointerAddressSpace() == names::kPrivate;
  const bool isCommon = !isOwn && !instruction.mayHaveSideEffects() &&
                        all_of(instruction.operands(), [&](const Use& use) {
                          return isa<BasicBlock>(use.get()) || of(*use.get()).isUniform();
                        });
  return isCommon ? IndexStep::uniform() : step;
}

/// What a loop begins with decides; what comes round has to go on like that.
IndexStep GuessedSteps::ofPhi(const PHINode& phi) {
  const auto comesRound = [&](const Value* incoming) {
    const auto* operation = dyn_cast<BinaryOperator>(incoming);
    return operation && is_contained(operation->operands(), &phi);
  };
  const size_t before = order_.size();
  std::optional<IndexStep> step;
  for (const bool isRound : {false, true}) {
    for (const Value* incoming : phi.incoming_values()) {
      if (incoming == &phi || comesRound(incoming) != isRound) continue;
      const IndexStep one = of(*incoming);
      step = step ? joined(*step, one) : one;
      if (!step->isVarying()) {
        found_[&phi] = *step;
        continue;
      }
      // What was found with the phi taken for something else does not hold.
      for (; order_.size() > before; order_.pop_back())
        if (const auto found = found_.find(order_.back()); !found->second.isVarying())
          found_.erase(found);
      return IndexStep::varying();
    }
  }
  return step.value_or(IndexStep::varying());
}

IndexStep GuessedSteps::joined(IndexStep left, IndexStep right) const {
  if (left == right) return left;
  if (trust_ == Trust::MostSteps) {
    // A clamped value is most often inside its range.
    if (right.isUniform()) return left;
    if (left.isUniform()) return right;
  }
  return IndexStep::varying();
}

/// Of operations that seldom change how a value grows.
IndexStep GuessedSteps::mostSteps(const Instruction& instruction) {
  const auto operand = [&](unsigned i) { return of(*instruction.getOperand(i)); };
  switch (instruction.getOpcode()) {
    case Instruction::And:
      if (operand(0).isUniform()) return operand(1);
      [[fallthrough]];
    case Instruction::URem:
    case Instruction::SRem:
      // What wraps round goes on steadily in between.
      return operand(1).isUniform() ? operand(0) : IndexStep::varying();
    case Instruction::Select:
      return joined(operand(1), operand(2));
    case Instruction::Call:
      break;
    default:
      return IndexStep::varying();
  }
  switch (cast<CallInst>(instruction).getIntrinsicID()) {
    case Intrinsic::smin:
    case Intrinsic::smax:
    case Intrinsic::umin:
    case Intrinsic::umax:
      return joined(operand(0), operand(1));
    case Intrinsic::abs:
      return operand(0);
    default:
      return IndexStep::varying();
  }
}

}  // namespace weft::compiler
