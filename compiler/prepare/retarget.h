// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <string>

namespace weft::compiler {

/// Makes a module of the front end one for the host.
///
/// Does:    sets triple and data layout; turns SPIR calling conventions into C ones; marks
///          kernels by an attribute, and those that llvm.global_ctors names by their place in the
///          order of initialisation; makes everything but kernels internal; drops attributes
///          that bake in a target, forbid optimisation, relax floating-point arithmetic that
///          is not itself marked or name functions as convergent whose declaration is not.
/// Assumes: SPIR target types are lowered and the builtins are linked (front end).
/// Leaves:  no function with a SPIR calling convention; kernels are `weft-kernel`.
/// Reads:   calling conventions, llvm.global_ctors.
class RetargetPass : public llvm::PassInfoMixin<RetargetPass> {
 public:
  RetargetPass(std::string triple, std::string dataLayout)
      : triple_(std::move(triple)), dataLayout_(std::move(dataLayout)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }

 private:
  std::string triple_;
  std::string dataLayout_;
};

}  // namespace weft::compiler
