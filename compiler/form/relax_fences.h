// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Weakens fences to what is needed where one thread runs a whole group.
///
/// Does:    a fence that orders local memory alone gets the scope of one thread: it orders the
///          compiler, and costs no instruction. Annotations of address spaces go: InstCombine
///          merges fences without merging what they say, and code generation warns of them.
/// Assumes: all work-items of a group run on one thread, in every form.
/// Leaves:  fences of global memory as they are, whatever their scope: programs publish results to
///          other groups by those of the work-group. No annotation.
/// Reads:   annotations; a fence without them orders all memory, and is left alone.
class RelaxFencesPass : public llvm::PassInfoMixin<RelaxFencesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
