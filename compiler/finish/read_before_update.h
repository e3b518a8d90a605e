// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Has relaxed atomic minima and maxima of global memory update it only where that changes it.
///
/// A maximum that all work-items take part in is final soon. A locked instruction still takes the
/// cache line away from all other threads; a load leaves it to them. Ands and ors are as likely to
/// change something each time, in bit maps: the branch costs them a fifth.
///
/// Does:    reads the place atomically first, and goes on to the update where the result differs
///          from what was read. An update that changes nothing is as good as that read: whoever
///          reads the place cannot tell where in its order of writes one of the same value stands,
///          and a relaxed one orders nothing else.
/// Assumes: local memory has no atomic updates any more.
/// Leaves:  updates that order other accesses, of floats, and volatile ones as they were; and all
///          of a module with release fences, after which an update tells whoever updates the place
///          next of what was written before, and a read does not.
/// Reads:   nothing.
class ReadBeforeUpdatePass : public llvm::PassInfoMixin<ReadBeforeUpdatePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
