// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes arrays of structures in local memory structures of arrays: members of neighbours then lie
/// side by side, where lanes read and write them at once.
///
/// Does:    replaces variables in local memory that are arrays of structures, of any dimensions,
///          and whose members alone are accessed, by one array for each member.
/// Assumes: local variables are globals still; a variable's address leads to accesses of its own
///          members, as the language has it.
/// Leaves:  variables that are copied as wholes, or whose address goes anywhere else, as they are.
/// Reads:   nothing.
class SplitStructuresPass : public llvm::PassInfoMixin<SplitStructuresPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace weft::compiler
