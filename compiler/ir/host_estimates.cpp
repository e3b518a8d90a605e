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

}  // namespace weft::compiler
