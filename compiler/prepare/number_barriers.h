// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Gives each barrier of the source an id and records where it stands.
///
/// Does:    turns __weft_barrier(flags, scope) into __weft_numbered_barrier(flags, scope, id)
///          and does the same with the functions that combine what work-items bring along,
///          and writes file and line of each id to `weft.barriers`; then strips debug
///          information unless the program was built with -g, or lines are to be kept. Says of
///          the operations of sub-groups that they touch no memory of the program's.
/// Assumes: library functions that reach a barrier are inlined (inline-library); the user's are
///          not yet, so that copies of one source barrier share its id.
/// Leaves:  ids that are unique and dense in the module.
/// Reads:   debug locations.
class NumberBarriersPass : public llvm::PassInfoMixin<NumberBarriersPass> {
 public:
  explicit NumberBarriersPass(bool keepLines = false) : keepLines_(keepLines) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  bool keepLines_;
};

/// Drops the places in the source that Clang gives without -g, which are for people alone: nobody
/// may look for them in machine code.
void stripLines(llvm::Module& module);

}  // namespace weft::compiler
