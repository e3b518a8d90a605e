// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/host_estimates.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "ir/host_target.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// The instructions for one size of register.
struct Instructions {
  unsigned lanes;
  Intrinsic::ID rsqrt;
  Intrinsic::ID recip;
};

// SSE's, of 12 bits, differ from one maker to the next and flush denormal numbers. These do not.
constexpr Instructions kInstructions[] = {
    {4, Intrinsic::x86_avx512_rsqrt14_ps_128, Intrinsic::x86_avx512_rcp14_ps_128},
    {8, Intrinsic::x86_avx512_rsqrt14_ps_256, Intrinsic::x86_avx512_rcp14_ps_256},
    {16, Intrinsic::x86_avx512_rsqrt14_ps_512, Intrinsic::x86_avx512_rcp14_ps_512},
};

/// The smallest register for so many lanes, or the largest there is.
const Instructions& instructionsFor(unsigned lanes) {
  static const unsigned most = hostHas("+prefer-256-bit") ? 8 : 16;
  for (const Instructions& candidate : kInstructions)
    if (candidate.lanes >= lanes || candidate.lanes == most) return candidate;
  return kInstructions[0];
}

/// `count` elements of a vector from `first` on; poison beyond its end.
Value* slice(IRBuilderBase& builder, Value* vector, unsigned first, unsigned count) {
  const unsigned lanes = cast<FixedVectorType>(vector->getType())->getNumElements();
  SmallVector<int> mask(count, PoisonMaskElem);
  for (unsigned i = 0; i < count && first + i < lanes; ++i) mask[i] = static_cast<int>(first + i);
  return builder.CreateShuffleVector(vector, mask);
}

Value* inRegister(IRBuilderBase& builder, const Instructions& instructions, HostEstimate estimate,
                  Value* value) {
  const Intrinsic::ID id =
      estimate == HostEstimate::Rsqrt ? instructions.rsqrt : instructions.recip;
  Type* mask = builder.getIntNTy(std::max(instructions.lanes, 8u));
  return builder.CreateIntrinsic(
      id, {}, {value, Constant::getNullValue(value->getType()), Constant::getAllOnesValue(mask)});
}

/// The same operations for one size of register and type.
struct Operations {
  unsigned lanes;
  Intrinsic::ID scale, exponent, significand, fix;
};

#define WEFT_OPERATIONS(lanes, type, bits)                   \
  {lanes, Intrinsic::x86_avx512_mask_scalef_##type##_##bits, \
   Intrinsic::x86_avx512_mask_getexp_##type##_##bits,        \
   Intrinsic::x86_avx512_mask_getmant_##type##_##bits,       \
   Intrinsic::x86_avx512_mask_fixupimm_##type##_##bits}
constexpr Operations kFloatOperations[] = {WEFT_OPERATIONS(4, ps, 128), WEFT_OPERATIONS(8, ps, 256),
                                           WEFT_OPERATIONS(16, ps, 512)};
constexpr Operations kDoubleOperations[] = {
    WEFT_OPERATIONS(2, pd, 128), WEFT_OPERATIONS(4, pd, 256), WEFT_OPERATIONS(8, pd, 512)};
#undef WEFT_OPERATIONS

/// The smallest register for so many lanes, or the largest there is.
const Operations& operationsFor(bool isDouble, unsigned lanes) {
  static const bool isNarrow = hostHas("+prefer-256-bit");
  const auto& all = isDouble ? kDoubleOperations : kFloatOperations;
  const unsigned last = isNarrow ? 1 : 2;
  for (unsigned i = 0; i < last; ++i)
    if (all[i].lanes >= lanes) return all[i];
  return all[last];
}

/// For each class of numbers, from the lowest bits on, what vfixupimm makes of a logarithm: of
/// quiet and signalling NaNs themselves, -inf of zero, nothing else of one, NaN of -inf, inf of
/// inf, NaN of what is negative, nothing else of what is positive.
constexpr uint64_t kFixLogarithms = 0x03530422;
/// vgetmant: in [1, 2) and without the sign.
constexpr unsigned kUnsignedFromOne = 4;
constexpr unsigned kCurrentRounding = 4;

Value* inRegister(IRBuilderBase& builder, const Operations& operations, HostOperation operation,
                  ArrayRef<Value*> operands) {
  Value* x = operands[0];
  Type* type = x->getType();
  Value* none = Constant::getNullValue(type);
  Value* all = Constant::getAllOnesValue(builder.getIntNTy(std::max(operations.lanes, 8u)));
  Intrinsic::ID id = operations.scale;
  SmallVector<Value*> arguments;
  switch (operation) {
    case HostOperation::Scale:
      arguments = {x, operands[1], none, all};
      break;
    case HostOperation::Exponent:
      id = operations.exponent;
      arguments = {x, none, all};
      break;
    case HostOperation::Significand:
      id = operations.significand;
      arguments = {x, builder.getInt32(kUnsignedFromOne), none, all};
      break;
    case HostOperation::LogResult:
      id = operations.fix;
      arguments = {operands[1], x,
                   ConstantInt::get(VectorType::getInteger(cast<VectorType>(type)), kFixLogarithms),
                   builder.getInt32(0), all};
      break;
  }
  // The largest registers take the rounding along.
  if (type->getPrimitiveSizeInBits() == 512)
    arguments.push_back(builder.getInt32(kCurrentRounding));
  return builder.CreateIntrinsic(id, {}, arguments);
}

}  // namespace

bool hostHasEstimates() {
  static const bool has = hostHas("+avx512f") && hostHas("+avx512vl");
  return has;
}

Value* estimateOnHost(IRBuilderBase& builder, HostEstimate estimate, Value* value) {
  auto* type = dyn_cast<FixedVectorType>(value->getType());
  if (!type) {
    Value* vector = PoisonValue::get(FixedVectorType::get(value->getType(), 4));
    vector = builder.CreateInsertElement(vector, value, uint64_t{0});
    return builder.CreateExtractElement(estimateOnHost(builder, estimate, vector), uint64_t{0});
  }
  const unsigned lanes = type->getNumElements();
  const Instructions& instructions = instructionsFor(lanes);
  if (lanes == instructions.lanes) return inRegister(builder, instructions, estimate, value);
  SmallVector<Value*> pieces;
  for (unsigned first = 0; first < lanes; first += instructions.lanes)
    pieces.push_back(inRegister(builder, instructions, estimate,
                                slice(builder, value, first, instructions.lanes)));
  return slice(builder, concatenateVectors(builder, pieces), 0, lanes);
}

Value* operationOnHost(IRBuilderBase& builder, HostOperation operation, ArrayRef<Value*> operands) {
  auto* type = dyn_cast<FixedVectorType>(operands[0]->getType());
  SmallVector<Value*> pieces;
  if (!type) {
    const bool isDouble = operands[0]->getType()->isDoubleTy();
    Value* vector =
        PoisonValue::get(FixedVectorType::get(operands[0]->getType(), isDouble ? 2 : 4));
    for (Value* operand : operands)
      pieces.push_back(builder.CreateInsertElement(vector, operand, uint64_t{0}));
    return builder.CreateExtractElement(operationOnHost(builder, operation, pieces), uint64_t{0});
  }
  const unsigned lanes = type->getNumElements();
  const Operations& operations = operationsFor(type->getElementType()->isDoubleTy(), lanes);
  if (lanes == operations.lanes) return inRegister(builder, operations, operation, operands);
  for (unsigned first = 0; first < lanes; first += operations.lanes) {
    SmallVector<Value*> slices;
    for (Value* operand : operands)
      slices.push_back(slice(builder, operand, first, operations.lanes));
    pieces.push_back(inRegister(builder, operations, operation, slices));
  }
  return slice(builder, concatenateVectors(builder, pieces), 0, lanes);
}

}  // namespace weft::compiler
