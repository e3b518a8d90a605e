// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/item_table.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

#include "base/tuning.h"

namespace weft::compiler {

using namespace llvm;

namespace {

constexpr unsigned kMostOperations = 32;
constexpr unsigned kMostSums = 4;

unsigned bitsOf(const Value& value) { return value.getType()->getIntegerBitWidth(); }

bool isArithmetic(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Shl:
    case Instruction::LShr:
      return true;
    default:
      return isa<CastInst, FreezeInst>(instruction) && instruction.getType()->isIntegerTy();
  }
}

/// Of numbers whose upper bits are 0; so may others be than those of the result.
uint64_t computed(const Instruction& instruction, uint64_t left, uint64_t right) {
  switch (instruction.getOpcode()) {
    case Instruction::Add:
      return left + right;
    case Instruction::Sub:
      return left - right;
    case Instruction::Mul:
      return left * right;
    case Instruction::UDiv:
      return right == 0 ? 0 : left / right;
    case Instruction::URem:
      return right == 0 ? 0 : left % right;
    case Instruction::And:
      return left & right;
    case Instruction::Or:
      return left | right;
    case Instruction::Xor:
      return left ^ right;
    case Instruction::Shl:
      return right < bitsOf(instruction) ? left << right : 0;
    case Instruction::LShr:
      return right < bitsOf(instruction) ? left >> right : 0;
    case Instruction::SExt:
      return static_cast<uint64_t>(SignExtend64(left, bitsOf(*instruction.getOperand(0))));
    default:
      return left;
  }
}

/// Whether a number is a power of two, or 0: one that is doubled or halved from iteration to
/// iteration, say.
class Powers {
 public:
  static bool contain(const Value& value) {
    Powers powers;
    return powers.has(value) && !(powers.isNegative_ && powers.isSigned_);
  }

 private:
  bool has(const Value& value) {
    if (const auto* constant = dyn_cast<ConstantInt>(&value)) {
      isNegative_ |= constant->isNegative();
      return constant->isZero() || constant->getValue().isPowerOf2();
    }
    const auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction) return false;
    if (!seen_.insert(instruction).second) return true;
    if (seen_.size() > kMostOperations) return false;
    switch (instruction->getOpcode()) {
      case Instruction::PHI:
        return all_of(instruction->operands(), [&](const Use& use) { return has(*use); });
      case Instruction::Trunc:
        isNegative_ = true;
        [[fallthrough]];
      case Instruction::Freeze:
      case Instruction::ZExt:
      case Instruction::LShr:
        return has(*instruction->getOperand(0));
      case Instruction::Mul:
      case Instruction::Shl:
        isNegative_ |= !instruction->hasNoSignedWrap();
        return has(*instruction->getOperand(0)) &&
               (instruction->getOpcode() == Instruction::Shl || has(*instruction->getOperand(1)));
      case Instruction::SDiv:
      case Instruction::UDiv:
        // Half of -2^31 is no power of two.
        isSigned_ |= instruction->getOpcode() == Instruction::SDiv;
        return isa<ConstantInt>(instruction->getOperand(1)) &&
               !cast<ConstantInt>(instruction->getOperand(1))->isZero() &&
               has(*instruction->getOperand(0)) && has(*instruction->getOperand(1));
      default:
        return false;
    }
  }

  SmallPtrSet<const Instruction*, 8> seen_;
  bool isNegative_ = false;  ///< its highest bit may be set
  bool isSigned_ = false;    ///< a quotient takes that for a sign
};

}  // namespace

bool ItemTable::isPossible(const ItemLoop& items) {
  const auto* count = dyn_cast<ConstantInt>(items.count);
  return count && count->getValue().ule(tuning::kMostTabled);
}

ItemTable::ItemTable(const ItemLoop& items) : items_(items) { addNumber(*items.index, 0); }

unsigned ItemTable::addNumber(const Value& value, uint64_t number) {
  numbers_.push_back(number);
  return at_[&value] = static_cast<unsigned>(numbers_.size() - 1);
}

/// Adds what `value` is computed of, in this order; whether all of it is known.
bool ItemTable::add(const Value& value) {
  if (at_.contains(&value)) return true;
  if (!value.getType()->isIntegerTy() || bitsOf(value) > 64) return false;
  if (const auto* constant = dyn_cast<ConstantInt>(&value)) {
    addNumber(value, constant->getZExtValue());
    return true;
  }
  if (!power_ && items_.loop->isLoopInvariant(&value) && Powers::contain(value)) {
    power_ = &value;
    addNumber(value, 0);
    return true;
  }
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !isArithmetic(*instruction) || order_.size() >= kMostOperations) return false;
  for (const Value* operand : instruction->operands())
    if (!add(*operand)) return false;
  const unsigned last = instruction->getNumOperands() - 1;
  const unsigned left = at_.lookup(instruction->getOperand(0));
  const unsigned right = at_.lookup(instruction->getOperand(last));
  order_.push_back({instruction, left, right, addNumber(value, 0)});
  return true;
}

bool ItemTable::addPlace(const Value& pointer, SmallVectorImpl<Place>& places) {
  const DataLayout& layout = items_.loop->getHeader()->getModule()->getDataLayout();
  Place place;
  place.base = &pointer;
  for (unsigned sums = 0; sums < kMostSums && !items_.loop->isLoopInvariant(place.base); ++sums) {
    const auto* sum = dyn_cast<GEPOperator>(place.base);
    if (!sum) return false;
    const unsigned bits = layout.getIndexTypeSizeInBits(sum->getType());
    MapVector<Value*, APInt> terms;
    APInt offset(bits, 0);
    if (!sum->collectOffset(layout, bits, terms, offset)) return false;
    for (const auto& [value, factor] : terms) {
      if (!add(*value)) return false;
      place.terms.emplace_back(value, static_cast<uint64_t>(factor.getSExtValue()));
    }
    place.offset += static_cast<uint64_t>(offset.getSExtValue());
    place.base = sum->getPointerOperand();
  }
  if (!items_.loop->isLoopInvariant(place.base)) return false;
  places.push_back(place);
  return true;
}

/// What is known of the work-items that reach the block; of others is not said that they do not.
SmallVector<ItemTable::Guard> ItemTable::guardsOf(const BasicBlock& block) {
  SmallVector<Guard> guards;
  for (const BasicBlock* at = &block; at != items_.loop->getHeader();) {
    const BasicBlock* before = at->getSinglePredecessor();
    if (!before) break;
    const auto* branch = dyn_cast<BranchInst>(before->getTerminator());
    const auto* test =
        branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (test && test->getOperand(0)->getType()->isIntegerTy() && add(*test->getOperand(0)) &&
        add(*test->getOperand(1)))
      guards.push_back({test, branch->getSuccessor(0) == at});
    at = before;
  }
  return guards;
}

void ItemTable::compute(uint64_t item, uint64_t power) {
  numbers_[at_.lookup(items_.index)] = item;
  if (power_) numbers_[at_.lookup(power_)] = power;
  for (const auto& [instruction, left, right, result] : order_)
    numbers_[result] = computed(*instruction, numbers_[left], numbers_[right]) &
                       maskTrailingOnes<uint64_t>(bitsOf(*instruction));
}

bool ItemTable::passes(const Guard& guard) const {
  const unsigned bits = bitsOf(*guard.test->getOperand(0));
  return ICmpInst::compare(APInt(bits, numberOf(*guard.test->getOperand(0))),
                           APInt(bits, numberOf(*guard.test->getOperand(1))),
                           guard.test->getPredicate()) == guard.isTrue;
}

bool ItemTable::isKnown(const Value& pointer) {
  SmallVector<Place, 1> places;
  return addPlace(pointer, places) && !power_;
}

std::optional<SmallVector<uint64_t>> ItemTable::thatPass(const ICmpInst& test, bool isTrue) {
  if (!test.getOperand(0)->getType()->isIntegerTy() || !add(*test.getOperand(0)) ||
      !add(*test.getOperand(1)) || power_)
    return std::nullopt;
  SmallVector<uint64_t> items;
  const uint64_t count = cast<ConstantInt>(items_.count)->getZExtValue();
  for (uint64_t item = 0; item < count; ++item) {
    compute(item, 0);
    if (passes({&test, isTrue})) items.push_back(item);
  }
  return items;
}

bool ItemTable::areOwn(ArrayRef<const Value*> pointers, uint64_t bytes, const BasicBlock& block) {
  SmallVector<Place, 4> places;
  for (const Value* pointer : pointers)
    if (!addPlace(*pointer, places) || places.back().base != places.front().base) return false;
  const SmallVector<Guard> guards = guardsOf(block);
  const uint64_t count = cast<ConstantInt>(items_.count)->getZExtValue();
  // 0, and each bit.
  const unsigned powers = power_ ? bitsOf(*power_) + 1 : 1;
  for (unsigned exponent = 0; exponent < powers; ++exponent) {
    SmallVector<std::pair<int64_t, uint64_t>> taken;  // where, and by whom
    for (uint64_t item = 0; item < count; ++item) {
      compute(item, exponent == 0 ? 0 : uint64_t{1} << (exponent - 1));
      if (!all_of(guards, [&](const Guard& guard) { return passes(guard); })) continue;
      for (const Place& place : places) {
        uint64_t at = place.offset;
        for (const auto& [value, factor] : place.terms)
          at += static_cast<uint64_t>(SignExtend64(numberOf(*value), bitsOf(*value))) * factor;
        taken.emplace_back(static_cast<int64_t>(at), item);
      }
    }
    llvm::sort(taken);
    for (size_t i = 1; i < taken.size(); ++i)
      if (taken[i].second != taken[i - 1].second &&
          static_cast<uint64_t>(taken[i].first) - static_cast<uint64_t>(taken[i - 1].first) < bytes)
        return false;
  }
  return true;
}

}  // namespace weft::compiler
