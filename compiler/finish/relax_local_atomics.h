// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes read-modify-writes of local memory plain loads and stores, and its atomic stores relaxed.
///
/// One thread runs all work-items of a group, one at a time between barriers, so nothing comes
/// between the load and the store, and nobody else sees local memory; a locked instruction only
/// adds cost. Atomics on the generic address space keep it: they may be global.
///
/// Does:    writes a load, the operation and a store in their place. Stores become relaxed: a
///          sequentially consistent one is a locked exchange. Loads cost nothing as they are.
/// Assumes: nothing runs several work-items at once, or reorders memory accesses, afterwards: the
///          optimiser and whatever makes vectors of work-items come before.
/// Leaves:  no atomicrmw, cmpxchg or ordered store of the local address space.
/// Reads:   nothing.
class RelaxLocalAtomicsPass : public llvm::PassInfoMixin<RelaxLocalAtomicsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
