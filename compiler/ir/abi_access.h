// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstddef>

namespace weft::compiler {

/// Emits loads of the fields of include/weft/abi/work_group.h.
///
/// Fields of Launch and Group never change while compiled code runs and are loaded as
/// invariant. Those of WorkItem are plain loads, marked `weft.item`: in the loop forms the item is
/// a variable of the entry function that changes from iteration to iteration; form-kernel knows
/// better in the fiber form.
class AbiAccess {
 public:
  /// Emits at `builder`'s place. Pre: its function has the hidden parameter, or `item` is given.
  explicit AbiAccess(llvm::IRBuilder<>& builder, llvm::Value* item = nullptr);

  llvm::Value* item() const { return item_; }
  llvm::Value* itemField(size_t offset);
  llvm::Value* group();
  llvm::Value* launch();
  /// `type` from Group at `offset`, invariant.
  llvm::LoadInst* groupField(llvm::Type* type, size_t offset);
  llvm::LoadInst* launchField(llvm::Type* type, size_t offset);
  /// Size of this group, at most `most`: below 2^31 by the limits of every device.
  llvm::LoadInst* localSize(unsigned dimension, uint64_t most = INT32_MAX);
  /// The work-item's place in its group, an i64.
  llvm::Value* localLinearId();
  /// Size of sub-groups, an i32.
  llvm::LoadInst* subGroupSize();
  /// Start of the group's local memory, as a local pointer.
  llvm::LoadInst* localMemory();
  /// The block of program-scope variables, as a pointer into an address space.
  llvm::LoadInst* programScope(unsigned addressSpace);

  /// Stores to the item, where it is a variable of the function.
  void setItemField(size_t offset, llvm::Value* value);

  /// Uses `group` from here on instead of loading it from the item.
  void setGroup(llvm::Value* group) { group_ = group; }

 private:
  llvm::LoadInst* fromItem(llvm::Type* type, size_t offset);
  llvm::LoadInst* invariant(llvm::Type* type, llvm::Value* base, size_t offset);
  llvm::Value* pointer(llvm::Value* base, size_t offset);

  llvm::IRBuilder<>& builder_;
  llvm::Value* item_;
  llvm::Value* group_ = nullptr;
  llvm::Value* launch_ = nullptr;
};

/// What an invariant load reads, as those of AbiAccess do: the pointer that is followed last, and
/// the offset from it.
struct InvariantField {
  const llvm::Value* base = nullptr;  ///< null for all that is no such load
  uint64_t offset = 0;
};
InvariantField invariantField(const llvm::Value* value);

}  // namespace weft::compiler
