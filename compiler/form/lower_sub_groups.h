// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>

namespace weft::compiler {

/// Makes operations of sub-groups calls of a service, by which the fibers of single work-items
/// meet.
///
/// A call of the service says which call of the source it is, and in which iteration of each loop
/// around it, so that those who do the same thing at the same time meet: which are the lanes that
/// are active where the kernel is in lanes. In functions that were not inlined nothing is known of
/// what is around their calls.
///
/// Does:    makes the size of sub-groups a constant; replaces operations, and what tells a
///          work-item's place in its sub-group, in entries whose lanes are sub-groups when `isLast`
///          alone.
/// Assumes: an entry with operations is a fiber's, for one work-item once this has replaced them;
///          functions out of line have the hidden parameter (add-work-item-parameter).
/// Leaves:  nothing of sub-groups when `isLast`.
/// Reads:   `weft.sub_group_size`; the attribute of entries whose lanes are sub-groups.
class LowerSubGroupsPass : public llvm::PassInfoMixin<LowerSubGroupsPass> {
 public:
  /// `size` 0: there are none.
  LowerSubGroupsPass(uint32_t size, bool isLast) : size_(size), isLast_(isLast) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  uint32_t size_;
  bool isLast_;
};

}  // namespace weft::compiler
