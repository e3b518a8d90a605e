// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/inner_loads.h"

#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

#include <numeric>

#include "analysis/address_sum.h"
#include "analysis/index_steps.h"
#include "base/tuning.h"
#include "ir/elementwise.h"
#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// By how much a variable of a loop grows with each iteration.
IndexStep stepOfPhi(const PHINode& phi, const Loop& inner) {
  if (!inner.getLoopLatch()) return IndexStep::varying();
  const auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(inner.getLoopLatch()));
  const auto* by = next && next->getOpcode() == Instruction::Add && next->getOperand(0) == &phi
                       ? dyn_cast<ConstantInt>(next->getOperand(1))
                       : nullptr;
  return by ? IndexStep::affine(by->getSExtValue()) : IndexStep::varying();
}

/// Private memory is near, and nobody waits for it.
bool isChain(const LoadInst& load, const Loop& inner) {
  if (load.getPointerAddressSpace() == names::kPrivate) return false;
  SmallPtrSet<const Instruction*, 16> seen;
  SmallVector<const Value*> left{load.getPointerOperand()};
  while (!left.empty()) {
    const auto* inside = dyn_cast<Instruction>(left.pop_back_val());
    if (inside == &load) return true;
    if (!inside || !inner.contains(inside) || !seen.insert(inside).second) continue;
    left.append(inside->op_begin(), inside->op_end());
  }
  return false;
}

bool isInAnyOrder(PHINode& phi, Loop& inner) {
  RecurrenceDescriptor sum;
  return RecurrenceDescriptor::isReductionPHI(&phi, &inner, sum) && !sum.hasExactFPMath();
}

/// Whether it adds something that the loop computes to what it has added up, in any order.
bool isAddition(const Instruction& instruction, const Loop& inner) {
  return isSumInAnyOrder(instruction) && none_of(instruction.operands(), [&](const Use& operand) {
           return inner.isLoopInvariant(operand);
         });
}

/// Whether two elements go into sums in the same way: terms that are alike are rerolled.
bool areAddedAlike(const Instruction& first, const Instruction& second, const Loop& inner) {
  const Instruction *one = &first, *two = &second;
  for (unsigned step = 0; step < tuning::kMostOperationsOnTerm; ++step) {
    if (!one->hasOneUse() || !two->hasOneUse()) return false;
    const Use &use = *one->use_begin(), &other = *two->use_begin();
    one = cast<Instruction>(use.getUser());
    two = cast<Instruction>(other.getUser());
    if (isAddition(*one, inner) && isAddition(*two, inner)) return true;
    if (use.getOperandNo() != other.getOperandNo() || !isElementwise(*one) || !isAlike(*one, *two))
      return false;
    for (unsigned i = 0; i < operandCount(*one); ++i)
      if (inner.isLoopInvariant(one->getOperand(i)) && one->getOperand(i) != two->getOperand(i))
        return false;
  }
  return false;
}

/// Whether the block loads or stores, with `access` and beside it, all of so many elements that the
/// loop goes on by in an iteration: LLVM does so for several iterations together, and takes them
/// apart or puts them together.
bool isOfWholeGroup(const Instruction& access, int64_t elements, const Loop& inner) {
  if (elements > int64_t{tuning::kMostComparedElements}) return false;
  const bool hasStores = any_of(*access.getParent(), IsaPred<StoreInst>);
  const bool areMany =
      elements > int64_t{hasStores ? tuning::kMostInterleaved : tuning::kMostInterleavedInSums};
  const DataLayout& layout = access.getDataLayout();
  Type* type = getLoadStoreType(const_cast<Instruction*>(&access));
  const auto bytes = static_cast<int64_t>(layout.getTypeAllocSize(type));
  const auto own = AddressSum::of(getLoadStorePointerOperand(&access), layout);
  SmallDenseSet<int64_t> places;
  for (const Instruction& other : *access.getParent())
    if (other.getOpcode() == access.getOpcode() && !other.isVolatile() && !other.isAtomic() &&
        getLoadStoreType(const_cast<Instruction*>(&other)) == type) {
      const auto sum = AddressSum::of(getLoadStorePointerOperand(&other), layout);
      if (!sum.isBeside(own)) continue;
      if (areMany && !areAddedAlike(access, other, inner)) return false;
      places.insert(sum.offset - own.offset);
    }
  int64_t first = 0, last = 0;
  while (places.contains(first - bytes)) first -= bytes;
  while (places.contains(last + bytes)) last += bytes;
  return last - first >= (elements - 1) * bytes;
}

/// Whether LLVM makes vectors of it, of one iteration after the other.
bool goesInVectors(const Instruction& instruction, const Loop& inner) {
  if (instruction.getType()->isVectorTy()) return false;
  if (isa<LoadInst, StoreInst>(instruction)) {
    Type* type = getLoadStoreType(const_cast<Instruction*>(&instruction));
    if (instruction.isVolatile() || instruction.isAtomic() || type->isVectorTy()) return false;
    const IndexStep step = stepOf(instruction, inner);
    if (step.isUniform()) return isa<LoadInst>(instruction);
    const auto bytes = static_cast<int64_t>(instruction.getDataLayout().getTypeAllocSize(type));
    return step.isAffine() && step.stride > 0 && step.stride % bytes == 0 &&
           isOfWholeGroup(instruction, step.stride / bytes, inner);
  }
  if (const auto* call = dyn_cast<CallInst>(&instruction))
    return isTriviallyVectorizable(call->getIntrinsicID());
  return !instruction.mayReadOrWriteMemory();
}

/// How large the program's own vectors get.
unsigned bitsOfVectors(const Loop& inner) {
  unsigned bits = 0;
  for (const BasicBlock* block : inner.blocks())
    for (const Instruction& instruction : *block)
      if (const auto* vector = dyn_cast<FixedVectorType>(instruction.getType()))
        bits = std::max(bits, vector->getNumElements() * vector->getScalarSizeInBits());
  return bits;
}

/// Whether it is a number to whoever uses it.
bool isKnownComponent(const User* user) {
  const auto* extract = dyn_cast<ExtractElementInst>(user);
  return extract && isa<Constant>(extract->getIndexOperand());
}

bool isRoot(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == Intrinsic::sqrt;
}

/// `product`: of integers.
unsigned cyclesOf(const Instruction& instruction, unsigned product = tuning::kSumCycles) {
  switch (instruction.getOpcode()) {
    case Instruction::Load:
      return tuning::kLoadCycles;
    case Instruction::Mul:
      return product;
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
      return tuning::kSumCycles;
    case Instruction::FDiv:
    case Instruction::FRem:
      return tuning::kQuotientCycles;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      return tuning::kIntegerQuotientCycles;
    case Instruction::Call:
      if (isRoot(instruction)) return tuning::kRootCycles;
      return instruction.getType()->isFPOrFPVectorTy() ? tuning::kSumCycles : 1;
    default:
      return isa<CastInst, GetElementPtrInst, PHINode>(instruction) ? 0 : 1;
  }
}

}  // namespace

unsigned lanesInHalfOfCache(int64_t stride) {
  const int64_t sets = tuning::kPageBytes / std::gcd(stride, tuning::kPageBytes);
  return tuning::kLanesAlongRows / 2 * static_cast<unsigned>(sets);
}

IndexStep stepOf(const Instruction& access, const Loop& inner) {
  GuessedSteps steps(
      [&](const Value& value) -> std::optional<IndexStep> {
        const auto* inside = dyn_cast<Instruction>(&value);
        if (!inside || !inner.contains(inside)) return IndexStep::uniform();
        const auto* phi = dyn_cast<PHINode>(inside);
        if (!phi || phi->getParent() != inner.getHeader()) return {};
        return stepOfPhi(*phi, inner);
      },
      GuessedSteps::Trust::Steps);
  return steps.of(*getLoadStorePointerOperand(&access));
}

unsigned cyclesInDivider(const Instruction& instruction) {
  if (isRoot(instruction)) return tuning::kNextRoot;
  return instruction.getOpcode() == Instruction::FDiv ? tuning::kNextQuotient : 0;
}

unsigned cyclesOfRecurrence(const Loop& inner, const LoopInfo& loops, bool isInLanes) {
  const unsigned product = isInLanes ? tuning::kLaneProductCycles : tuning::kSumCycles;
  const BasicBlock* latch = inner.getLoopLatch();
  if (!latch) return 0;
  LoopBlocksRPO blocks(const_cast<Loop*>(&inner));
  blocks.perform(&loops);
  unsigned longest = 0;
  for (PHINode& variable : inner.getHeader()->phis()) {
    // How long after the variable's value each of what is computed from it is there.
    DenseMap<const Value*, unsigned> cycles{{&variable, 0}};
    for (const BasicBlock* block : blocks)
      for (const Instruction& instruction : *block) {
        if (isa<PHINode>(instruction) && block == inner.getHeader()) continue;
        for (const Value* operand : instruction.operands())
          if (const auto before = cycles.find(operand); before != cycles.end()) {
            const unsigned after = before->second + cyclesOf(instruction, product);
            cycles[&instruction] = std::max(cycles.lookup(&instruction), after);
          }
      }
    longest = std::max(longest, cycles.lookup(variable.getIncomingValueForBlock(latch)));
  }
  return longest;
}

InnerLoad classifyInnerLoad(const LoadInst& load, const Loop& inner) {
  if (load.hasMetadata(names::kRowBlock)) return InnerLoad::Row;
  const IndexStep step = stepOf(load, inner);
  if (step.isAffine() && 8 * std::abs(step.stride) < int64_t{tuning::kLineBits})
    return InnerLoad::Row;
  return isChain(load, inner) ? InnerLoad::Chain : InnerLoad::Anywhere;
}

bool isRowOfVectors(const LoadInst& load, const Loop& inner) {
  return load.getType()->isVectorTy() && !all_of(load.users(), isKnownComponent) &&
         bitsOfVectors(inner) >= tuning::kOwnVectorBits;
}

bool isRowInVectors(const Loop& inner) {
  if (inner.getNumBlocks() != 1) return false;
  for (PHINode& phi : inner.getHeader()->phis())
    if (!stepOfPhi(phi, inner).isAffine() && !isInAnyOrder(phi, const_cast<Loop&>(inner)))
      return false;
  return llvm::all_of(*inner.getHeader(), [&](const Instruction& instruction) {
    return goesInVectors(instruction, inner);
  });
}

unsigned cyclesOfIteration(const Loop& loop, const LoopInfo& loops) {
  LoopBlocksRPO blocks(const_cast<Loop*>(&loop));
  blocks.perform(&loops);
  unsigned longest = 0;
  DenseMap<const Value*, unsigned> cycles;
  for (const BasicBlock* block : blocks)
    for (const Instruction& instruction : *block) {
      unsigned before = 0;
      for (const Value* operand : instruction.operands())
        before = std::max(before, cycles.lookup(operand));
      longest = std::max(longest, cycles[&instruction] = before + cyclesOf(instruction));
    }
  return longest;
}

}  // namespace weft::compiler
