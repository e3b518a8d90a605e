// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Forwards stores of vectors to loads from local memory, lane by lane: work-items that hand values
/// to neighbours then do so by shuffles. LLVM forwards a store only to a load of the same bytes; a
/// load that overlaps two stores would wait for both of them to reach the cache.
///
/// Does:    replaces loads, of scalars, vectors and under constant masks, at known distances from a
///          pointer whose memory the same block has written.
/// Assumes: local memory is only written by pointers to it and generic ones.
/// Leaves:  stores, dead or not.
/// Reads:   nothing.
class ForwardLanesPass : public llvm::PassInfoMixin<ForwardLanesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
