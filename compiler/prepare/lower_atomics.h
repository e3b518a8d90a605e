// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Lowers the library's atomic functions to LLVM's atomic instructions.
///
/// Does:    __weft_atomic_<op>_<type>_as<n>(pointer, operands, orders, scope) becomes one
///          instruction. Orders that are not constant become sequentially consistent.
/// Assumes: the library is inlined; helpers as well, where orders that they pass on are to be seen.
/// Leaves:  no function of that family. Scopes of work-group and device are both the system's:
///          always right, and free on x86. Nothing is relaxed here for its address space: what is
///          generic may yet be found to be local.
/// Reads:   constant order and scope arguments.
class LowerAtomicsPass : public llvm::PassInfoMixin<LowerAtomicsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
