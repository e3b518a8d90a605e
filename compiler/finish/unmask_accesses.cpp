// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/unmask_accesses.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "analysis/address_sum.h"
#include "ir/host_target.h"
#include "ir/names.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

struct MaskedAccess {
  explicit MaskedAccess(IntrinsicInst& instruction)
      : instruction(instruction),
        isStore(instruction.getIntrinsicID() == Intrinsic::masked_store),
        pointer(instruction.getArgOperand(isStore ? 1 : 0)),
        mask(instruction.getArgOperand(isStore ? 3 : 2)),
        type(cast<FixedVectorType>(
            (isStore ? instruction.getArgOperand(0) : &instruction)->getType())),
        align(cast<ConstantInt>(instruction.getArgOperand(isStore ? 2 : 1))->getAlignValue()) {}

  IntrinsicInst& instruction;
  bool isStore;
  Value* pointer;
  Value* mask;
  FixedVectorType* type;
  Align align;
};

/// Whether all of the vector is in the variable if some of it is: it begins at a multiple of its
/// size from where the variable does.
bool isAllOrNothing(const MaskedAccess& access, const DataLayout& layout) {
  const AddressSum place = AddressSum::of(access.pointer, layout);
  const auto* variable = dyn_cast<AllocaInst>(place.base);
  const std::optional<TypeSize> size =
      variable ? variable->getAllocationSize(layout) : std::nullopt;
  const uint64_t bytes = layout.getTypeStoreSize(access.type);
  const auto isMultiple = [&](uint64_t number) { return number % bytes == 0; };
  return size && isPowerOf2_64(bytes) && isMultiple(size->getFixedValue()) &&
         isMultiple(static_cast<uint64_t>(place.offset)) &&
         all_of(place.terms, [&](const AddressSum::Term& term) { return isMultiple(term.scale); });
}

/// Whether nobody else can tell, provided that a lane is active, if all lanes are accessed.
bool isUnseen(const MaskedAccess& access, const DataLayout& layout) {
  if (access.pointer->getType()->getPointerAddressSpace() == names::kLocal) return true;
  return isAllOrNothing(access, layout);
}

/// Whether `condition` says that lanes of `mask` are active, or if `value` is false, that none is.
bool asksForAny(Value& condition, Value& mask, bool value) {
  const auto wanted = value ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ;
  ICmpInst::Predicate predicate{};
  return match(&condition, m_ICmp(predicate, m_BitCast(m_Specific(&mask)), m_Zero())) &&
         predicate == wanted;
}

/// Whether a lane is active whenever the access is reached.
bool isSurelyActive(const MaskedAccess& access) {
  if (const auto* constant = dyn_cast<Constant>(access.mask)) {
    for (unsigned i = 0; i < access.type->getNumElements(); ++i)
      if (const Constant* lane = constant->getAggregateElement(i); lane && lane->isOneValue())
        return true;
    return false;
  }
  const BasicBlock* block = access.instruction.getParent();
  while (const BasicBlock* before = block->getSinglePredecessor()) {
    const auto* branch = dyn_cast<BranchInst>(before->getTerminator());
    if (branch && branch->isConditional() &&
        asksForAny(*branch->getCondition(), *access.mask, branch->getSuccessor(0) == block))
      return true;
    block = before;
  }
  return false;
}

/// Where the access may be made: round it is a branch, unless a lane is active anyway.
Instruction* placeFor(const MaskedAccess& access) {
  if (isSurelyActive(access)) return &access.instruction;
  IRBuilder<> builder(&access.instruction);
  Value* lanes =
      builder.CreateBitCast(access.mask, builder.getIntNTy(access.type->getNumElements()));
  Value* any = builder.CreateICmpNE(lanes, Constant::getNullValue(lanes->getType()));
  return SplitBlockAndInsertIfThen(any, &access.instruction, /*Unreachable=*/false);
}

Value* loadAll(IRBuilder<>& builder, const MaskedAccess& access) {
  LoadInst* all = builder.CreateAlignedLoad(access.type, access.pointer, access.align);
  all->setAAMetadata(access.instruction.getAAMetadata());
  return all;
}

void unmaskStore(const MaskedAccess& access) {
  IRBuilder<> builder(placeFor(access));
  Value* kept = loadAll(builder, access);
  Value* all = builder.CreateSelect(access.mask, access.instruction.getArgOperand(0), kept);
  StoreInst* store = builder.CreateAlignedStore(all, access.pointer, access.align);
  store->setAAMetadata(access.instruction.getAAMetadata());
}

void unmaskLoad(const MaskedAccess& access) {
  Value* otherwise = access.instruction.getArgOperand(3);
  IRBuilder<> builder(placeFor(access));
  BasicBlock* place = builder.GetInsertBlock();
  Value* all = loadAll(builder, access);
  if (!isa<UndefValue>(otherwise)) all = builder.CreateSelect(access.mask, all, otherwise);
  if (BasicBlock* after = access.instruction.getParent(); place != after) {
    builder.SetInsertPoint(after, after->begin());
    PHINode* either = builder.CreatePHI(access.type, 2);
    for (BasicBlock* before : predecessors(after))
      either->addIncoming(before == place ? all : otherwise, before);
    all = either;
  }
  access.instruction.replaceAllUsesWith(all);
}

}  // namespace

PreservedAnalyses UnmaskAccessesPass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (hostHasMaskRegisters()) return PreservedAnalyses::all();
  const TargetTransformInfo& target = analyses.getResult<TargetIRAnalysis>(function);
  SmallVector<IntrinsicInst*, 16> found;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call || (call->getIntrinsicID() != Intrinsic::masked_load &&
                  call->getIntrinsicID() != Intrinsic::masked_store))
      continue;
    const MaskedAccess access(*call);
    // An instruction for masked loads is better than a branch, and worse than a load.
    const bool staysMasked = !access.isStore &&
                             target.isLegalMaskedLoad(access.type, access.align) &&
                             !isSurelyActive(access);
    if (!staysMasked && isUnseen(access, function.getDataLayout())) found.push_back(call);
  }
  for (IntrinsicInst* instruction : found) {
    const MaskedAccess access(*instruction);
    access.isStore ? unmaskStore(access) : unmaskLoad(access);
    instruction->eraseFromParent();
  }
  return found.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

}  // namespace weft::compiler
