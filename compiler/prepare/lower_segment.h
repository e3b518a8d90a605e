// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Lowers __weft_segment, which tells the address space that a generic pointer points to.
///
/// Does:    gives a constant where the object or the address space is known; else compares the
///          address with the group's local memory and with the part of the stack that the
///          work-item uses. What is in neither is global.
/// Assumes: callers have the hidden parameter (add-work-item-parameter); address spaces are
///          inferred as far as they go; local variables are still variables (before lower-local).
/// Leaves:  no declaration of __weft_segment.
/// Reads:   the pointer's underlying object.
class LowerSegmentPass : public llvm::PassInfoMixin<LowerSegmentPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
