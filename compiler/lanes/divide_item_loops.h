// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Divides loops over the work-items of a group where these begin to do something else: steps of a
/// scan, as in `lid >= s ? c[lid] + c[lid - s] : c[lid]`, have masks for no more than the lanes
/// among which the border lies.
///
/// Does:    where a branch depends on a comparison of a multiple of the local id with a number, and
///          the size of the group is known, makes loops of their own for the lanes before the
///          border, for those among which it lies, if it does not lie between lanes, and for those
///          behind it.
/// Assumes: item-loops has marked the loops; loop-simplify has run; ids are below 2^31 - 64.
/// Leaves:  loops one after the other, which are to be simplified again.
/// Reads:   loop metadata `weft.items`; `weft-sub-group-lanes`, with which it does nothing.
class DivideItemLoopsPass : public llvm::PassInfoMixin<DivideItemLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
