// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/group_uniformity.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/KnownBits.h>

#include <optional>

#include "ir/barriers.h"
#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

using namespace llvm;

bool isSharedSpace(unsigned space) {
  return space == names::kGlobal || space == names::kConstant || space == names::kLocal;
}

using Ids = GroupUniformity::Ids;

/// Where in the work-item a load reads; nothing when that is not known.
std::optional<uint64_t> fieldOf(const LoadInst& load) {
  APInt offset(64, 0);
  const Value* item = load.getPointerOperand()->stripAndAccumulateConstantOffsets(
      load.getDataLayout(), offset, /*AllowNonInbounds=*/true);
  if (!isa<Argument, AllocaInst>(item)) return std::nullopt;
  return offset.getZExtValue();
}

/// Whether work-items differ in what a load from the work-item gives; taken to be so when it is not
/// known what that is.
bool isVaryingField(const LoadInst& load, Ids ids) {
  // The ids vary and the pointer to its group does not.
  if (load.getType()->isPointerTy()) return false;
  if (ids == Ids::Differ) return true;
  const auto field = fieldOf(load);
  if (!field) return true;
  constexpr uint64_t kLocal = offsetof(abi::WorkItem, localId);
  if (ids == Ids::OnlyGlobally) return *field < kLocal || *field >= kLocal + 24;
  for (const size_t first : {kLocal, offsetof(abi::WorkItem, globalId)})
    if (*field == first + 8 || *field == first + 16) return false;
  return true;
}

bool isVaryingLoad(const LoadInst& load, Ids ids) {
  if (load.hasMetadata(names::kItemLoad)) return isVaryingField(load, ids);
  if (load.hasMetadata(LLVMContext::MD_invariant_load)) return false;
  return !load.isSimple() || !isSharedSpace(load.getPointerAddressSpace());
}

bool isVaryingByItself(const Value& value, Ids ids) {
  if (isSharedResult(value)) return false;
  if (const auto* load = dyn_cast<LoadInst>(&value)) return isVaryingLoad(*load, ids);
  if (const auto* call = dyn_cast<CallBase>(&value)) return isVaryingCall(*call);
  // Every work-item has variables of its own.
  return isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst, VAArgInst>(value);
}

/// What is in a field of the work-item that all of a group agree on, wherever the work-item is.
bool isSharedField(const Value& value, Ids ids) {
  const auto* load = dyn_cast<LoadInst>(&value);
  return load && load->hasMetadata(names::kItemLoad) && !isVaryingField(*load, ids);
}

/// Values that follow from the bits that are known of what they are computed from.
class KnownValues {
 public:
  explicit KnownValues(const DataLayout& layout) : layout_(layout) {}

  bool isUniform(const Value& value) const {
    const auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction || !instruction->getType()->isIntegerTy()) return false;
    switch (instruction->getOpcode()) {
      case Instruction::UDiv:
      case Instruction::SDiv:
      case Instruction::LShr:
      case Instruction::AShr:
      case Instruction::And:
        return bitsOf(value).isConstant();
      case Instruction::ICmp:
        return isUniform(cast<ICmpInst>(value));
      default:
        return false;
    }
  }

 private:
  static constexpr unsigned kMostTerms = 16;
  static constexpr unsigned kMostDepth = 8;

  KnownBits bitsOf(const Value& value) const { return computeKnownBits(&value, layout_); }

  bool isUniform(const ICmpInst& compare) const {
    const Value *left = compare.getOperand(0), *right = compare.getOperand(1);
    if (!left->getType()->isIntegerTy()) return false;
    CmpInst::Predicate predicate = compare.getPredicate();
    if (isKnown(*left, *right, predicate)) return true;
    // x < n and x >= n ask for x without its last bits alone, where n has none of those.
    switch (predicate) {
      case CmpInst::ICMP_SGT:
      case CmpInst::ICMP_UGT:
      case CmpInst::ICMP_SLE:
      case CmpInst::ICMP_ULE:
        std::swap(left, right);
        break;
      case CmpInst::ICMP_SLT:
      case CmpInst::ICMP_ULT:
      case CmpInst::ICMP_SGE:
      case CmpInst::ICMP_UGE:
        break;
      default:
        return false;
    }
    return isPlain(*right, 0) && isPlainAbove(*left, bitsOf(*right).countMinTrailingZeros());
  }

  /// Numbers that a value may be. Casts do not lose the range of an id.
  ConstantRange rangeOf(const Value& value, bool isSigned) const {
    const unsigned bits = value.getType()->getIntegerBitWidth();
    if (const auto* cast = dyn_cast<CastInst>(&value);
        cast && cast->isIntegerCast() && cast->getSrcTy()->isIntegerTy())
      return rangeOf(*cast->getOperand(0), isSigned).castOp(cast->getOpcode(), bits);
    return computeConstantRange(&value, isSigned)
        .intersectWith(ConstantRange::fromKnownBits(bitsOf(value), isSigned));
  }

  bool isKnown(const Value& left, const Value& right, CmpInst::Predicate predicate) const {
    const bool isSigned = CmpInst::isSigned(predicate);
    const ConstantRange a = rangeOf(left, isSigned), b = rangeOf(right, isSigned);
    return a.icmp(predicate, b) || a.icmp(CmpInst::getInversePredicate(predicate), b);
  }

  /// Whether all of a value but its last `bits` bits is the same for all: it is a sum of what is
  /// the same and has none of those, and of what has no other and does not carry into them.
  bool isPlainAbove(const Value& value, unsigned bits) const {
    const unsigned width = value.getType()->getIntegerBitWidth();
    if (bits == 0 || bits >= width) return false;
    SmallVector<const Value*, 8> terms;
    if (!addTerms(value, terms)) return false;
    uint64_t most = 0;
    for (const Value* term : terms) {
      const KnownBits known = bitsOf(*term);
      const APInt largest = known.getMaxValue();
      if (known.countMinTrailingZeros() >= bits && isPlain(*term, 0)) continue;
      if (largest.getActiveBits() > bits || bits > 32) return false;
      most += largest.getZExtValue();
    }
    return most < (uint64_t{1} << bits);
  }

  /// The terms of a sum, modulo the width of `value`.
  bool addTerms(const Value& value, SmallVectorImpl<const Value*>& terms) const {
    if (terms.size() > kMostTerms) return false;
    const auto* sum = dyn_cast<Instruction>(&value);
    if (sum && sum->getOpcode() == Instruction::Trunc) {
      // Of a sum's last bits the same is true as of the sum.
      if (const auto* wide = dyn_cast<BinaryOperator>(sum->getOperand(0));
          wide && wide->getOpcode() == Instruction::Add)
        sum = wide;
    }
    if (sum && isSum(*sum))
      return addTerms(*sum->getOperand(0), terms) && addTerms(*sum->getOperand(1), terms);
    terms.push_back(&value);
    return true;
  }

  bool isSum(const Instruction& operation) const {
    if (operation.getOpcode() == Instruction::Add) return true;
    return operation.getOpcode() == Instruction::Or &&
           KnownBits::haveNoCommonBitsSet(bitsOf(*operation.getOperand(0)),
                                          bitsOf(*operation.getOperand(1)));
  }

  /// Whether a value is computed from arguments and what the group has in common.
  bool isPlain(const Value& value, unsigned depth) const {
    if (isa<Constant>(value)) return true;
    if (const auto* argument = dyn_cast<Argument>(&value))
      return argument->getType()->isIntegerTy();
    const auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction || depth == kMostDepth) return false;
    if (const auto* load = dyn_cast<LoadInst>(instruction))
      return load->hasMetadata(LLVMContext::MD_invariant_load) &&
             !load->hasMetadata(names::kItemLoad);
    return isa<BinaryOperator, CastInst, SelectInst, ICmpInst>(instruction) &&
           all_of(instruction->operands(),
                  [&](const Use& use) { return isPlain(*use.get(), depth + 1); });
  }

  const DataLayout& layout_;
};

}  // namespace

GroupUniformity::GroupUniformity(Function& function, const DominatorTree& dominators, Ids ids)
    : WholeUniformity(
          function, dominators,
          [ids](const Value* value) { return isVaryingByItself(*value, ids); },
          [ids, known = KnownValues(function.getDataLayout())](const Value* value) {
            return isSharedField(*value, ids) || isSharedResult(*value) || known.isUniform(*value);
          },
          // All write to the one cell of what they agree on, the last one stays.
          Undefined::IsOwn) {}

}  // namespace weft::compiler
