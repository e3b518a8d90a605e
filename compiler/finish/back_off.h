// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Has threads that update places of global memory by compare-and-swap wait a moment when another
/// one was faster: as long as both go on, each takes the cache line away from the other for every
/// single update, which costs more than one of them doing the work of both.
///
/// Does:    puts a pause between a compare-and-swap that failed and the next try. Atomic operations
///          on floats, which the host has no instructions for, become such loops first.
/// Assumes: local memory has no atomic updates any more.
/// Leaves:  loops that wait for another work-item, which has to be noticed at once.
/// Reads:   nothing.
class BackOffPass : public llvm::PassInfoMixin<BackOffPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
