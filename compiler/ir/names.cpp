// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/names.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

namespace weft::compiler::names {

std::optional<WorkItemFunction> workItemFunction(const llvm::Function& function) {
  using W = WorkItemFunction;
  if (!function.isDeclaration() || !function.getName().starts_with("_Z")) return std::nullopt;
  return llvm::StringSwitch<std::optional<W>>(function.getName())
      .Case("_Z12get_work_dimv", W::WorkDim)
      .Case("_Z15get_global_sizej", W::GlobalSize)
      .Case("_Z13get_global_idj", W::GlobalId)
      .Case("_Z14get_local_sizej", W::LocalSize)
      .Case("_Z23get_enqueued_local_sizej", W::EnqueuedLocalSize)
      .Case("_Z12get_local_idj", W::LocalId)
      .Case("_Z14get_num_groupsj", W::NumGroups)
      .Case("_Z12get_group_idj", W::GroupId)
      .Case("_Z17get_global_offsetj", W::GlobalOffset)
      .Case("_Z20get_global_linear_idv", W::GlobalLinearId)
      .Case("_Z19get_local_linear_idv", W::LocalLinearId)
      .Case("_Z18get_sub_group_sizev", W::SubGroupSize)
      .Case("_Z22get_max_sub_group_sizev", W::MaxSubGroupSize)
      .Case("_Z18get_num_sub_groupsv", W::NumSubGroups)
      .Case("_Z27get_enqueued_num_sub_groupsv", W::EnqueuedNumSubGroups)
      .Case("_Z16get_sub_group_idv", W::SubGroupId)
      .Case("_Z22get_sub_group_local_idv", W::SubGroupLocalId)
      .Default(std::nullopt);
}

std::optional<uint64_t> programOffset(const llvm::GlobalVariable& variable) {
  const llvm::MDNode* node = variable.getMetadata(kProgramOffset);
  if (!node) return std::nullopt;
  return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue();
}

void setProgramOffset(llvm::GlobalVariable& variable, uint64_t offset) {
  llvm::LLVMContext& context = variable.getContext();
  auto* number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), offset);
  variable.setMetadata(kProgramOffset,
                       llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
}

std::string displayName(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  name.consume_back(kFunctionSuffix);
  return llvm::demangle(name.str());
}

}  // namespace weft::compiler::names
