// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>

#include "ir/error_log.h"

namespace weft::compiler {

/// Makes operations of sub-groups calls of a service, by which the fibers of single work-items
/// meet.
///
/// A call of the service says which call of the source it is, and in which iteration of each loop
/// around it, so that those who do the same thing at the same time meet: which are the lanes that
/// are active where the kernel is in lanes. In functions that were not inlined nothing is known of
/// what is around their calls.
///
/// Operations that are left in a kernel without fibers are errors: nobody would wait there, and
/// other code of the kernel is made instead.
///
/// Does:    makes the size of sub-groups a constant; replaces operations, and what tells a
///          work-item's place in its sub-group, in entries whose lanes are sub-groups when `isLast`
///          alone.
/// Assumes: functions out of line have the hidden parameter (add-work-item-parameter).
/// Leaves:  nothing of sub-groups when `isLast`; an entry with calls of the service is a fiber's,
///          for one work-item.
/// Reads:   `weft.sub_group_size`; the attributes of entries whose lanes are sub-groups.
class LowerSubGroupsPass : public llvm::PassInfoMixin<LowerSubGroupsPass> {
 public:
  enum class Last : bool { No, Yes };
  /// `size` 0: there are none.
  LowerSubGroupsPass(uint32_t size, bool hasFibers, Last last, ErrorLog& errors)
      : size_(size), hasFibers_(hasFibers), isLast_(last == Last::Yes), errors_(&errors) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  uint32_t size_;
  bool hasFibers_;
  bool isLast_;
  ErrorLog* errors_;
};

}  // namespace weft::compiler
