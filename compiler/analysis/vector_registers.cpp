// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/vector_registers.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/MathExtras.h>

namespace weft::compiler {

using namespace llvm;

VectorRegisters VectorRegisters::of(const TargetTransformInfo& target) {
  return {
      static_cast<unsigned>(
          target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue()),
      target.getNumberOfRegisters(target.getRegisterClassForType(/*Vector=*/true))};
}

unsigned VectorRegisters::neededFor(const Value& value) const {
  if (isa<Constant>(value)) return 0;
  Type* type = value.getType();
  if (type->isFloatingPointTy()) return 1;
  const auto* vector = dyn_cast<FixedVectorType>(type);
  if (!vector) return 0;
  Type* element = vector->getElementType();
  const unsigned size = element->isPointerTy() ? 64 : element->getPrimitiveSizeInBits();
  return static_cast<unsigned>(divideCeil(uint64_t{size} * vector->getNumElements(), bits));
}

}  // namespace weft::compiler
