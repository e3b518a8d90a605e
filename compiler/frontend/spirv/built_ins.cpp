// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Variables that stand for work-item functions.
#include "frontend/spirv/mangle.h"
#include "frontend/spirv/reader.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

enum class Shape { Number, Dimensions, Mask };

struct BuiltIn {
  uint32_t which;
  const char* function;
  Shape shape;
  unsigned bits;  ///< of what the function returns
};

constexpr BuiltIn kBuiltIns[] = {
    {SpvBuiltInNumWorkgroups, "get_num_groups", Shape::Dimensions, 64},
    {SpvBuiltInWorkgroupSize, "get_local_size", Shape::Dimensions, 64},
    {SpvBuiltInWorkgroupId, "get_group_id", Shape::Dimensions, 64},
    {SpvBuiltInLocalInvocationId, "get_local_id", Shape::Dimensions, 64},
    {SpvBuiltInGlobalInvocationId, "get_global_id", Shape::Dimensions, 64},
    {SpvBuiltInLocalInvocationIndex, "get_local_linear_id", Shape::Number, 64},
    {SpvBuiltInWorkDim, "get_work_dim", Shape::Number, 32},
    {SpvBuiltInGlobalSize, "get_global_size", Shape::Dimensions, 64},
    {SpvBuiltInEnqueuedWorkgroupSize, "get_enqueued_local_size", Shape::Dimensions, 64},
    {SpvBuiltInGlobalOffset, "get_global_offset", Shape::Dimensions, 64},
    {SpvBuiltInGlobalLinearId, "get_global_linear_id", Shape::Number, 64},
    {SpvBuiltInSubgroupSize, "get_sub_group_size", Shape::Number, 32},
    {SpvBuiltInSubgroupMaxSize, "get_max_sub_group_size", Shape::Number, 32},
    {SpvBuiltInNumSubgroups, "get_num_sub_groups", Shape::Number, 32},
    {SpvBuiltInNumEnqueuedSubgroups, "get_enqueued_num_sub_groups", Shape::Number, 32},
    {SpvBuiltInSubgroupId, "get_sub_group_id", Shape::Number, 32},
    {SpvBuiltInSubgroupLocalInvocationId, "get_sub_group_local_id", Shape::Number, 32},
    {SpvBuiltInSubgroupEqMask, "get_sub_group_eq_mask", Shape::Mask, 32},
    {SpvBuiltInSubgroupGeMask, "get_sub_group_ge_mask", Shape::Mask, 32},
    {SpvBuiltInSubgroupGtMask, "get_sub_group_gt_mask", Shape::Mask, 32},
    {SpvBuiltInSubgroupLeMask, "get_sub_group_le_mask", Shape::Mask, 32},
    {SpvBuiltInSubgroupLtMask, "get_sub_group_lt_mask", Shape::Mask, 32},
};

}  // namespace

Value* builtInValue(Emitter& emitter, uint32_t which, llvm::Type* type, const Instruction& user) {
  const auto* row = std::ranges::find(kBuiltIns, which, &BuiltIn::which);
  if (row == std::end(kBuiltIns))
    user.fail("uses built-in variable " + std::to_string(which) + ", which is not supported");
  llvm::IRBuilder<>& b = emitter.builder;
  llvm::Type* number = b.getIntNTy(row->bits);
  if (row->shape == Shape::Mask) {
    llvm::Type* mask = llvm::FixedVectorType::get(number, 4);
    user.require(type == mask, "has a built-in variable of the wrong type");
    return emitter.call(user, mangledName(row->function, {}), mask, {});
  }
  user.require(
      type->isIntOrIntVectorTy() && type->isVectorTy() == (row->shape == Shape::Dimensions),
      "has a built-in variable of the wrong type");
  const auto fit = [&](Value* value) { return b.CreateZExtOrTrunc(value, type->getScalarType()); };
  if (row->shape == Shape::Number)
    return fit(emitter.call(user, mangledName(row->function, {}), number, {}, true));
  const std::string name = mangledName(row->function, std::array{MangledType::letter("j")});
  Value* all = llvm::PoisonValue::get(type);
  for (unsigned d = 0; d < llvm::cast<llvm::FixedVectorType>(type)->getNumElements(); ++d)
    all =
        b.CreateInsertElement(all, fit(emitter.call(user, name, number, {b.getInt32(d)}, true)), d);
  return all;
}

llvm::Function* functionOfDimensions(const Value* vector) {
  const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(vector);
  const Value* last = insert ? insert->getOperand(1) : nullptr;
  if (const auto* cast = llvm::dyn_cast_or_null<llvm::CastInst>(last)) last = cast->getOperand(0);
  const auto* call = llvm::dyn_cast_or_null<llvm::CallInst>(last);
  llvm::Function* function = call ? call->getCalledFunction() : nullptr;
  if (!function) return nullptr;
  const bool isKnown = std::ranges::any_of(kBuiltIns, [&](const BuiltIn& builtIn) {
    return builtIn.shape == Shape::Dimensions &&
           function->getName() ==
               mangledName(builtIn.function, std::array{MangledType::letter("j")});
  });
  return isKnown ? function : nullptr;
}

}  // namespace weft::compiler::spirv
