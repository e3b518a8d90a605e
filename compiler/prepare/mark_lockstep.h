// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Finds loops that a group had better go through in lockstep: rows of its work-items read the same
/// in them, as in products of matrices without local memory, and more than a cache holds by the
/// time that the next row of work-items begins.
///
/// Does:    marks the innermost loop of each nest that reads, in global memory, what differs along
///          the dimension of rows alone and goes on from iteration to iteration, and writes nothing
///          but private variables; with the number of iterations that do enough for what work-items
///          keep between them. A guess of what pays; whether a group can do so is for
///          lockstep-loops to prove.
/// Assumes: get_global_id and its like are still calls; sroa has run.
/// Leaves:  the code as it is, with loop metadata `weft.lockstep`.
/// Reads:   nothing.
class MarkLockstepPass : public llvm::PassInfoMixin<MarkLockstepPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
