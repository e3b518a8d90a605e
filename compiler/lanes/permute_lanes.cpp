// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/permute_lanes.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <bit>

#include "ir/host_target.h"

namespace weft::compiler {
namespace {

using namespace llvm;

/// The instructions for one size of register, which look at the low bits of places alone.
struct Permutation {
  unsigned lanes;
  Intrinsic::ID ofOne;                             ///< (values, places)
  Intrinsic::ID ofTwo = Intrinsic::not_intrinsic;  ///< (first, places, second), if there is one
};

enum class Registers : uint8_t { None, Avx2, Avx512In256, Avx512 };

Registers registersOfHost() {
  static const Registers registers = [] {
    if (hostHas("+avx512f") && hostHas("+avx512vl"))
      return hostHas("+prefer-256-bit") ? Registers::Avx512In256 : Registers::Avx512;
    return hostHas("+avx2") ? Registers::Avx2 : Registers::None;
  }();
  return registers;
}

Permutation permutationOf32(unsigned lanes) {
  const Registers registers = registersOfHost();
  if (registers == Registers::Avx512 && lanes > 8)
    return {16, Intrinsic::x86_avx512_permvar_si_512, Intrinsic::x86_avx512_vpermi2var_d_512};
  if (registers == Registers::Avx2) return {8, Intrinsic::x86_avx2_permd};
  return {8, Intrinsic::x86_avx2_permd, Intrinsic::x86_avx512_vpermi2var_d_256};
}

Value* slice(IRBuilderBase& builder, Value* vector, unsigned first, unsigned count) {
  return builder.CreateShuffleVector(vector, createSequentialMask(first, count, 0));
}

/// Moves elements of the size that the instructions have.
class Mover {
 public:
  Mover(IRBuilderBase& builder, const Permutation& permutation)
      : builder_(builder), permutation_(permutation) {}

  Value* move(Value* values, Value* places) {
    const unsigned lanes = cast<FixedVectorType>(values->getType())->getNumElements();
    SmallVector<Value*> sources;
    SmallVector<Value*> results;
    for (unsigned first = 0; first < lanes; first += permutation_.lanes)
      sources.push_back(slice(builder_, values, first, permutation_.lanes));
    for (unsigned first = 0; first < lanes; first += permutation_.lanes)
      results.push_back(moveInto(sources, slice(builder_, places, first, permutation_.lanes)));
    return concatenateVectors(builder_, results);
  }

 private:
  /// Fills one register.
  Value* moveInto(ArrayRef<Value*> sources, Value* places) {
    const bool takesTwo = sources.size() > 1 && permutation_.ofTwo != Intrinsic::not_intrinsic;
    SmallVector<Value*> candidates;
    for (unsigned i = 0; i < sources.size(); i += takesTwo ? 2 : 1)
      candidates.push_back(
          takesTwo ? builder_.CreateIntrinsic(permutation_.ofTwo, {},
                                              {sources[i], places, sources[i + 1]})
                   : builder_.CreateIntrinsic(permutation_.ofOne, {}, {sources[i], places}));
    // Each bit of a place above those that the instruction looks at chooses between halves.
    const unsigned bits = places->getType()->getScalarSizeInBits();
    unsigned bit = std::bit_width(permutation_.lanes) - (takesTwo ? 0 : 1);
    for (; candidates.size() > 1; ++bit) {
      Value* isUpper = builder_.CreateICmpSLT(builder_.CreateShl(places, bits - 1 - bit),
                                              Constant::getNullValue(places->getType()));
      for (unsigned i = 0; i < candidates.size() / 2; ++i)
        candidates[i] = builder_.CreateSelect(isUpper, candidates[2 * i + 1], candidates[2 * i]);
      candidates.resize(candidates.size() / 2);
    }
    return candidates.front();
  }

  IRBuilderBase& builder_;
  const Permutation permutation_;
};

}  // namespace

Value* permuteLanes(IRBuilderBase& builder, Value* values, Value* places) {
  if (registersOfHost() == Registers::None) return nullptr;
  auto* type = cast<FixedVectorType>(values->getType());
  const unsigned lanes = type->getNumElements();
  const unsigned bits = type->getScalarSizeInBits();
  Type* i32s = FixedVectorType::get(builder.getInt32Ty(), lanes);
  Mover mover(builder, permutationOf32(lanes));
  if (bits <= 32)
    return builder.CreateTrunc(mover.move(builder.CreateZExt(values, i32s), places), type);
  if (registersOfHost() == Registers::Avx512)
    return Mover(builder,
                 {8, Intrinsic::x86_avx512_permvar_di_512, Intrinsic::x86_avx512_vpermi2var_q_512})
        .move(values, builder.CreateZExt(places, type));
  Value* low = mover.move(builder.CreateTrunc(values, i32s), places);
  Value* high = mover.move(builder.CreateTrunc(builder.CreateLShr(values, 32), i32s), places);
  return builder.CreateOr(builder.CreateShl(builder.CreateZExt(high, type), 32),
                          builder.CreateZExt(low, type));
}

}  // namespace weft::compiler
