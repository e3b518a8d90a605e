// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operands and results of widened code.
#include "lanes/loop_widener.h"

namespace weft::compiler {

using namespace llvm;

SmallVector<Type*, 4> LoopWidener::componentsOf(Type* type) {
  SmallVector<Type*, 4> result;
  if (auto* vector = dyn_cast<FixedVectorType>(type)) {
    result.append(vector->getNumElements(), vector->getElementType());
  } else if (auto* aggregate = dyn_cast<StructType>(type)) {
    result.append(aggregate->element_begin(), aggregate->element_end());
  } else {
    result.push_back(type);
  }
  return result;
}

Value* LoopWidener::component(Value* value, unsigned part) {
  if (value->getType()->isVectorTy()) return builder_.CreateExtractElement(value, part);
  if (value->getType()->isStructTy()) return builder_.CreateExtractValue(value, part);
  return value;
}

Value* LoopWidener::assemble(Type* type, ArrayRef<Value*> components) {
  if (!type->isVectorTy() && !type->isStructTy()) return components.front();
  Value* result = PoisonValue::get(type);
  for (unsigned i = 0; i < components.size(); ++i)
    result = type->isVectorTy() ? builder_.CreateInsertElement(result, components[i], i)
                                : builder_.CreateInsertValue(result, components[i], i);
  return result;
}

/// The value of lane 0 of what is uniform or affine.
Value* LoopWidener::scalarOf(Value* value) {
  const auto found = values_.find(value);
  if (found == values_.end()) return value;  // computed outside the loop
  assert(found->second.scalar && "a vector where one value is needed");
  return found->second.scalar;
}

Value* LoopWidener::partOf(Value* value, unsigned part) {
  const auto found = values_.find(value);
  if (isJoinedValue(*value)) return partsOf(value)[part];
  if (found != values_.end() && !found->second.scalar) return found->second.parts[part];
  // A vector made in this block can be used again in it.
  WeakVH& copy = copies_[{value, part}];
  if (auto* made = dyn_cast_or_null<Instruction>(static_cast<Value*>(copy));
      made && made->getParent() == builder_.GetInsertBlock() &&
      builder_.GetInsertPoint() == builder_.GetInsertBlock()->end())
    return made;
  Value* scalar = found == values_.end() ? value : found->second.scalar;
  const LaneShape shape = plan_.shapes.of(value);
  Value* lanes =
      shape.isUniform() ? code_.splat(component(scalar, part)) : code_.affine(scalar, shape.stride);
  copies_[{value, part}] = lanes;
  return lanes;
}

LoopWidener::Parts LoopWidener::partsOf(Value* value) {
  Parts parts;
  const auto count = static_cast<unsigned>(componentsOf(value->getType()).size());
  // Not kept: another place that asks need not be reached from here.
  if (isJoinedValue(*value)) return separate(joinedOf(value), value->getType());
  for (unsigned i = 0; i < count; ++i) parts.push_back(partOf(value, i));
  return parts;
}

Value* LoopWidener::lastLaneOf(Value* value, Value* mask) {
  if (plan_.shapes.of(value).isUniform()) return scalarOf(value);
  Value* lane = LaneCode::isFull(mask)
                    ? builder_.getInt64(plan_.width - 1)
                    : builder_.CreateZExtOrTrunc(code_.lastActive(mask), builder_.getInt64Ty());
  Parts components;
  for (Value* part : partsOf(value))
    components.push_back(builder_.CreateExtractElement(part, lane));
  return assemble(value->getType(), components);
}

void LoopWidener::define(const Instruction& instruction, Value* scalar) {
  values_[&instruction].scalar = scalar;
  if (isa<Instruction>(scalar)) scalar->setName(instruction.getName());
}

void LoopWidener::define(const Instruction& instruction, ArrayRef<Value*> parts) {
  Lanes& lanes = values_[&instruction];
  lanes.parts.assign(parts.begin(), parts.end());
}

}  // namespace weft::compiler
