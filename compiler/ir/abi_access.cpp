// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/abi_access.h"

#include <llvm/IR/MDBuilder.h>

#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {

using namespace llvm;

AbiAccess::AbiAccess(IRBuilder<>& builder, Value* item) : builder_(builder), item_(item) {
  if (!item_ && names::hasWorkItem(*builder.GetInsertBlock()->getParent()))
    item_ = builder.GetInsertBlock()->getParent()->getArg(0);
}

Value* AbiAccess::pointer(Value* base, size_t offset) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset);
}

LoadInst* AbiAccess::invariant(Type* type, Value* base, size_t offset) {
  LoadInst* load =
      builder_.CreateAlignedLoad(type, pointer(base, offset), Align(type->isIntegerTy(32) ? 4 : 8));
  MDNode* none = MDNode::get(builder_.getContext(), {});
  load->setMetadata(LLVMContext::MD_invariant_load, none);
  load->setMetadata(LLVMContext::MD_noundef, none);
  return load;
}

LoadInst* AbiAccess::fromItem(Type* type, size_t offset) {
  LoadInst* load = builder_.CreateAlignedLoad(type, pointer(item_, offset), Align(8));
  load->setMetadata(names::kItemLoad, MDNode::get(builder_.getContext(), {}));
  return load;
}

Value* AbiAccess::itemField(size_t offset) { return fromItem(builder_.getInt64Ty(), offset); }

void AbiAccess::setItemField(size_t offset, Value* value) {
  builder_.CreateAlignedStore(value, pointer(item_, offset), Align(8));
}

Value* AbiAccess::group() {
  if (!group_) group_ = fromItem(builder_.getPtrTy(), offsetof(abi::WorkItem, group));
  return group_;
}

Value* AbiAccess::launch() {
  if (!launch_) launch_ = groupField(builder_.getPtrTy(), offsetof(abi::Group, launch));
  return launch_;
}

LoadInst* AbiAccess::groupField(Type* type, size_t offset) {
  return invariant(type, group(), offset);
}

LoadInst* AbiAccess::launchField(Type* type, size_t offset) {
  return invariant(type, launch(), offset);
}

LoadInst* AbiAccess::localSize(unsigned dimension, uint64_t most) {
  LoadInst* load =
      groupField(builder_.getInt64Ty(), offsetof(abi::Group, localSize) + 8 * dimension);
  MDBuilder metadata(builder_.getContext());
  load->setMetadata(LLVMContext::MD_range, metadata.createRange(APInt(64, 1), APInt(64, most + 1)));
  load->setMetadata(
      names::kLocalSizeLoad,
      MDNode::get(builder_.getContext(), ConstantAsMetadata::get(builder_.getInt32(dimension))));
  return load;
}

Value* AbiAccess::localLinearId() {
  auto id = [&](unsigned d) { return itemField(offsetof(abi::WorkItem, localId) + 8 * d); };
  Value* plane = builder_.CreateAdd(builder_.CreateMul(id(2), localSize(1)), id(1));
  return builder_.CreateAdd(builder_.CreateMul(plane, localSize(0)), id(0));
}

LoadInst* AbiAccess::subGroupSize() {
  LoadInst* load = launchField(builder_.getInt32Ty(), offsetof(abi::Launch, subGroupSize));
  load->setMetadata(names::kSubGroupSizeLoad, MDNode::get(builder_.getContext(), {}));
  return load;
}

LoadInst* AbiAccess::localMemory() {
  LoadInst* load = groupField(builder_.getPtrTy(names::kLocal), offsetof(abi::Group, localMemory));
  auto* alignment = ConstantAsMetadata::get(builder_.getInt64(abi::kLocalMemoryAlignment));
  load->setMetadata(LLVMContext::MD_align, MDNode::get(builder_.getContext(), alignment));
  return load;
}

LoadInst* AbiAccess::programScope(unsigned addressSpace) {
  LoadInst* load =
      launchField(builder_.getPtrTy(addressSpace), offsetof(abi::Launch, programScope));
  auto* alignment = ConstantAsMetadata::get(builder_.getInt64(abi::kProgramScopeAlignment));
  load->setMetadata(LLVMContext::MD_align, MDNode::get(builder_.getContext(), alignment));
  return load;
}

InvariantField invariantField(const Value* value) {
  const auto* load = dyn_cast<LoadInst>(value);
  if (!load || !load->hasMetadata(LLVMContext::MD_invariant_load)) return {};
  APInt offset(64, 0);
  const Value* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      load->getDataLayout(), offset, /*AllowNonInbounds=*/true);
  return {base, offset.getZExtValue()};
}

}  // namespace weft::compiler
