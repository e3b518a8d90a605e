// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Finds the vectors in what a program computes component by component, `c.x += a.x * s;
/// c.y += a.y * s; ...`: that is `c += a * s`, which lanes need not transpose.
///
/// Does:    where all components that are put into a vector are the same operations on the same
///          components of other vectors, on numbers that are one for all of them and on constants,
///          computes vectors. At least one operation, and one vector. Numbers that a loop keeps
///          from iteration to iteration and that are put together behind it are such a vector.
/// Assumes: sroa has run, so that components are extracted from values and inserted into them.
/// Leaves:  the same values, the blocks, and what is no longer used for others to remove.
/// Reads:   dominator-tree.
class RecoverVectorsPass : public llvm::PassInfoMixin<RecoverVectorsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
