// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes private memory begin as zeros (cl_khr_initialize_memory).
///
/// Does:    writes zeros to every variable on the stack where it comes into being, and drops the
///          lifetime markers of these variables, which say that nothing of them is kept.
/// Assumes: runs before anything that makes use of undefined contents.
/// Leaves:  functions of the library as they are: they read nothing that they have not written.
/// Reads:   nothing.
class ZeroPrivatePass : public llvm::PassInfoMixin<ZeroPrivatePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
