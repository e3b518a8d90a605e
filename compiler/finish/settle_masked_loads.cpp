// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/settle_masked_loads.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>

#include "ir/host_target.h"

namespace weft::compiler {
namespace {

using namespace llvm;

constexpr unsigned kBytes = 32, kHalf = 16;

bool hasMaskedMovesOnly(const TargetTransformInfo& target, LLVMContext& context) {
  return !hostHasMaskRegisters() &&
         target.isLegalMaskedLoad(FixedVectorType::get(Type::getInt32Ty(context), 8), Align(4));
}

Intrinsic::ID instructionFor(unsigned bytes, unsigned elementBytes) {
  if (elementBytes == 4)
    return bytes == kBytes ? Intrinsic::x86_avx_maskload_ps_256 : Intrinsic::x86_avx_maskload_ps;
  return bytes == kBytes ? Intrinsic::x86_avx_maskload_pd_256 : Intrinsic::x86_avx_maskload_pd;
}

/// Vectors of `element` whose signs are the mask, if there are some; instructions look at nothing
/// else.
Value* numbersOf(Value& mask, Type& element) {
  using namespace PatternMatch;
  ICmpInst::Predicate predicate{};
  Value* numbers = nullptr;
  const bool isOfSigns = match(&mask, m_ICmp(predicate, m_Value(numbers), m_Zero())) &&
                         predicate == ICmpInst::ICMP_SLT;
  return isOfSigns && numbers->getType()->getScalarType() == &element ? numbers : nullptr;
}

/// `count` elements from the `first` on, as integers.
Value* loadPiece(IRBuilder<>& builder, IntrinsicInst& load, unsigned elementBytes, unsigned first,
                 unsigned count) {
  SmallVector<int, 8> lanes;
  for (unsigned i = 0; i < count; ++i) lanes.push_back(static_cast<int>(first + i));
  Type* integer = builder.getIntNTy(elementBytes * 8);
  auto* type = FixedVectorType::get(integer, count);
  Value* bits = nullptr;
  if (Value* signs = numbersOf(*load.getArgOperand(2), *integer)) {
    bits = builder.CreateShuffleVector(signs, lanes);
  } else {
    Value* mask = builder.CreateShuffleVector(load.getArgOperand(2), lanes);
    if (auto* constant = dyn_cast<Constant>(mask); constant && constant->isNullValue())
      return Constant::getNullValue(type);
    bits = builder.CreateSExt(mask, type);
  }
  Value* address = builder.CreateConstGEP1_64(builder.getInt8Ty(), load.getArgOperand(0),
                                              uint64_t{first} * elementBytes);
  Value* pointer = builder.CreateAddrSpaceCast(address, builder.getPtrTy());
  Value* loaded = builder.CreateIntrinsic(instructionFor(count * elementBytes, elementBytes), {},
                                          {pointer, bits});
  return builder.CreateBitCast(loaded, type);
}

/// The replacement of the masked load; null when it can stay.
Value* settle(IRBuilder<>& builder, IntrinsicInst& load, const DataLayout& layout) {
  auto* type = cast<FixedVectorType>(load.getType());
  const auto elementBytes = static_cast<unsigned>(layout.getTypeStoreSize(type->getElementType()));
  const unsigned count = type->getNumElements();
  const unsigned all = count * elementBytes;
  if ((elementBytes != 4 && elementBytes != 8) || all % kHalf != 0) return nullptr;
  SmallVector<Value*, 8> pieces;
  for (unsigned first = 0; first < count;) {
    const unsigned bytes = std::min(all - first * elementBytes, kBytes);
    pieces.push_back(loadPiece(builder, load, elementBytes, first, bytes / elementBytes));
    first += bytes / elementBytes;
  }
  Value* result = concatenateVectors(builder, pieces);
  result = type->getElementType()->isPointerTy() ? builder.CreateIntToPtr(result, type)
                                                 : builder.CreateBitCast(result, type);
  Value* otherwise = load.getArgOperand(3);
  const auto* constant = dyn_cast<Constant>(otherwise);
  if (constant && (constant->isNullValue() || isa<UndefValue>(constant))) return result;
  return builder.CreateSelect(load.getArgOperand(2), result, otherwise);
}

}  // namespace

PreservedAnalyses SettleMaskedLoadsPass::run(Function& function,
                                             FunctionAnalysisManager& analyses) {
  if (!hasMaskedMovesOnly(analyses.getResult<TargetIRAnalysis>(function), function.getContext()))
    return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* load = dyn_cast<IntrinsicInst>(&instruction);
    if (!load || load->getIntrinsicID() != Intrinsic::masked_load) continue;
    IRBuilder<> builder(load);
    Value* settled = settle(builder, *load, function.getDataLayout());
    if (!settled) continue;
    load->replaceAllUsesWith(settled);
    load->eraseFromParent();
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace weft::compiler
