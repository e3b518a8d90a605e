// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Drops what is written to local memory and read by nobody before the work-group ends. What
/// work-items hand each other in registers, forward-lanes having seen to it, leaves many such
/// stores behind; LLVM takes all memory that it is given for memory that somebody will read.
///
/// Does:    erases plain stores, masked ones too, behind which no way leads to a reader.
/// Assumes: generic pointers are the only ones besides local ones that lead to local memory.
/// Leaves:  values that only those stores used.
/// Reads:   `weft-whole-groups`, without which it does nothing: work-items that are still to run
///          may read.
class DropLocalStoresPass : public llvm::PassInfoMixin<DropLocalStoresPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
