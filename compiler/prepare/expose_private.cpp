// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/expose_private.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <utility>

#include "base/tuning.h"
#include "ir/loop_size.h"
#include "ir/sub_groups.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// The scalar type that all of `type` is made of; null for what has several.
Type* elementOf(Type* type) {
  while (auto* array = dyn_cast<ArrayType>(type)) type = array->getElementType();
  Type* scalar = type->getScalarType();
  return scalar->isIntegerTy() || scalar->isFloatingPointTy() ? scalar : nullptr;
}

const AllocaInst* variableOf(const Value* pointer) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
}

/// The integer that a copy from or to a structure is made of, as large as its alignment says.
Type* unitOf(const MemTransferInst& copy) {
  const Align known =
      std::min(copy.getSourceAlign().valueOrOne(), copy.getDestAlign().valueOrOne());
  const uint64_t bytes = std::min<uint64_t>(known.value(), sizeof(uint64_t));
  return Type::getIntNTy(copy.getContext(), static_cast<unsigned>(8 * bytes));
}

/// Writes a fill or a copy of a private array, or a copy of a structure, as accesses to its
/// elements.
bool takeApart(MemIntrinsic& operation) {
  const DataLayout& layout = operation.getDataLayout();
  auto* copy = dyn_cast<MemTransferInst>(&operation);
  const AllocaInst* variable = variableOf(operation.getRawDest());
  if (!variable && copy) variable = variableOf(copy->getRawSource());
  auto* length = dyn_cast<ConstantInt>(operation.getLength());
  if (!variable || !length || operation.isVolatile()) return false;
  Type* element = elementOf(variable->getAllocatedType());
  if (!element && copy) element = unitOf(*copy);
  if (!element || layout.getTypeSizeInBits(element) != layout.getTypeAllocSizeInBits(element))
    return false;
  const uint64_t size = layout.getTypeAllocSize(element);
  const uint64_t count = length->getZExtValue() / size;
  if (length->getZExtValue() % size != 0 || count > tuning::kSplitElements) return false;
  IRBuilder<> builder(&operation);
  Value* fill = nullptr;
  if (auto* set = dyn_cast<MemSetInst>(&operation)) {
    auto* byte = dyn_cast<ConstantInt>(set->getValue());
    if (!byte) return false;
    const APInt bits = APInt::getSplat(size * 8, byte->getValue());
    fill = ConstantExpr::getBitCast(ConstantInt::get(builder.getContext(), bits), element);
  }
  auto place = [&](Value* pointer, uint64_t i) {
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), pointer, builder.getInt64(i * size));
  };
  // All is read before anything is written: source and destination may overlap.
  SmallVector<Value*> values(count, fill);
  if (copy)
    for (uint64_t i = 0; i < count; ++i)
      values[i] =
          builder.CreateAlignedLoad(element, place(copy->getRawSource(), i),
                                    commonAlignment(copy->getSourceAlign().valueOrOne(), i * size));
  for (uint64_t i = 0; i < count; ++i)
    builder.CreateAlignedStore(values[i], place(operation.getRawDest(), i),
                               commonAlignment(operation.getDestAlign().valueOrOne(), i * size));
  operation.eraseFromParent();
  return true;
}

using Variables = SmallPtrSet<const AllocaInst*, 8>;

/// The private arrays that go away once all loops with a known trip count are unrolled: every
/// index is made of what such loops count.
Variables countedArrays(Function& function, ScalarEvolution& evolution) {
  Variables counted, others;
  auto isCounted = [&](const SCEV* address, const AllocaInst* variable) {
    return !SCEVExprContains(address, [&](const SCEV* part) {
      if (const auto* unknown = dyn_cast<SCEVUnknown>(part)) return unknown->getValue() != variable;
      const auto* counter = dyn_cast<SCEVAddRecExpr>(part);
      return counter && evolution.getSmallConstantTripCount(counter->getLoop()) == 0;
    });
  };
  for (Instruction& instruction : instructions(function)) {
    auto* address = dyn_cast<GetElementPtrInst>(&instruction);
    const AllocaInst* variable = address ? variableOf(address) : nullptr;
    if (!variable || address->hasAllConstantIndices()) continue;
    (isCounted(evolution.getSCEV(address), variable) ? counted : others).insert(variable);
  }
  for (const AllocaInst* variable : others) counted.erase(variable);
  return counted;
}

/// Unrolls a loop wholly when a private array is indexed by what it counts.
///
/// Does:    has LLVM unroll loops in which a private array is indexed from iteration to iteration,
///          up to kUnrolledForArray whatever LLVM thinks of their size where it is `counted`.
/// Assumes: loops are in simplified form, as LLVM's loop pass managers make them.
/// Leaves:  loops without such arrays as they are.
/// Reads:   trip counts that scalar evolution knows.
class UnrollPass : public PassInfoMixin<UnrollPass> {
 public:
  explicit UnrollPass(const Variables& counted) : counted_(counted) {}

  PreservedAnalyses run(Loop& loop, LoopAnalysisManager& manager,
                        LoopStandardAnalysisResults& analyses, LPMUpdater& updater) {
    const Indexed indexed = indexedBy(loop, analyses.SE);
    if (!indexed.any) return PreservedAnalyses::all();
    if (indexed.counted && isSmall(loop, analyses.SE))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
    return LoopFullUnrollPass(/*OptLevel=*/2).run(loop, manager, analyses, updater);
  }

 private:
  /// Private arrays of which a loop touches another element in each iteration.
  struct Indexed {
    bool any = false;
    bool counted = false;
  };

  /// When fully unrolled.
  static bool isSmall(const Loop& loop, ScalarEvolution& evolution) {
    const uint64_t trips = evolution.getSmallConstantTripCount(&loop);
    return trips != 0 && trips * instructionsIn(loop) <= tuning::kUnrolledForArray;
  }

  Indexed indexedBy(const Loop& loop, ScalarEvolution& evolution) const {
    Indexed result;
    for (const BasicBlock* block : loop.blocks()) {
      for (const Instruction& instruction : *block) {
        const auto* call = dyn_cast<CallBase>(&instruction);
        // The same work-items meet in a copy of an iteration as in the iteration.
        if (call && call->isConvergent() && !subGroupOperation(*call)) return {};
        const auto* address = dyn_cast<GetElementPtrInst>(&instruction);
        const AllocaInst* variable = address ? variableOf(address) : nullptr;
        if (!variable || evolution.isLoopInvariant(
                             evolution.getSCEV(const_cast<GetElementPtrInst*>(address)), &loop))
          continue;
        result.any = true;
        result.counted |= counted_.contains(variable);
      }
    }
    return result;
  }

  Variables counted_;
};

unsigned countVariables(const Function& function) {
  return static_cast<unsigned>(count_if(function.getEntryBlock(), [](const Instruction& each) {
    const auto* variable = dyn_cast<AllocaInst>(&each);
    return variable && variable->isStaticAlloca();
  }));
}

}  // namespace

PreservedAnalyses ExposePrivatePass::run(Function& function, FunctionAnalysisManager& analyses) {
  if (function.isDeclaration() || countVariables(function) == 0) return PreservedAnalyses::all();
  SmallVector<MemIntrinsic*> operations;
  for (Instruction& instruction : instructions(function))
    if (auto* operation = dyn_cast<MemIntrinsic>(&instruction)) operations.push_back(operation);
  bool changed = false;
  for (MemIntrinsic* operation : operations) changed |= takeApart(*operation);
  if (changed) analyses.invalidate(function, PreservedAnalyses::none());
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(
      UnrollPass(countedArrays(function, analyses.getResult<ScalarEvolutionAnalysis>(function)))));
  // Iterations that are never reached still index the array by what is not known.
  passes.addPass(SimplifyCFGPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());
  passes.run(function, analyses);
  // Indices that stood in arrays themselves, as in a[reversed[i]], are constants by now.
  FunctionPassManager again;
  again.addPass(SROAPass(SROAOptions::ModifyCFG));
  again.addPass(EarlyCSEPass());
  for (unsigned before = ~0U, left = countVariables(function); left != 0 && left < before;
       before = std::exchange(left, countVariables(function)))
    again.run(function, analyses);
  return PreservedAnalyses::none();
}

}  // namespace weft::compiler
