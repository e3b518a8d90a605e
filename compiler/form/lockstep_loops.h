// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <vector>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// Has all work-items of a group go through a loop together (mark-lockstep says which): what one
/// row of them has read is still in a cache when the others read it.
///
/// Does:    makes two loops of those that had better wait after several iterations, and puts a
///          barrier into the outer one, without a fence, since nobody is told anything.
/// Assumes: lower-sync has run. The form is that of barrier loops, where a barrier is no more than
///          the end of a loop over the work-items.
/// Leaves:  barriers in blocks of their own (isolate-barriers), all of which whole groups reach,
///          provably; none, where that does not hold of all marked loops. Kernels that have
///          barriers of their own as they are.
/// Reads:   loop metadata `weft.lockstep`.
class LockstepLoopsPass : public llvm::PassInfoMixin<LockstepLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Adds to those of `kernels` without barriers whether they have such loops, and what work-items
/// keep then. Pre: lowered.
void analyseLockstep(llvm::Module& module, std::vector<KernelInfo>& kernels);

}  // namespace weft::compiler
