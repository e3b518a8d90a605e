// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Eliminates dead stores to local memory: those that nobody reads before the work-group ends.
/// Forwarding between lanes (forward-lanes) leaves many of them; for LLVM all memory that a
/// function is given is live when it returns.
///
/// Does:    erases plain stores, masked ones too, from which no path leads to a reader.
/// Assumes: generic pointers are the only ones besides local ones that lead to local memory.
/// Leaves:  values that only those stores used.
/// Reads:   `weft-whole-groups`, without which it does nothing: work-items that are still to run
///          may read.
class DropLocalStoresPass : public llvm::PassInfoMixin<DropLocalStoresPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
