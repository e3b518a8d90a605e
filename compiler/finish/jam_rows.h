// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Runs the inner loops of several rows of a group as one, where they share what they load: a
/// product of tiles loads each vector of one factor once for a number of rows of the other.
///
/// Does:    asks before such loops what decides for all rows whether the loop inside runs, unrolls
///          them and joins the copies of the loop inside: by a divisor of the number of rows, and
///          as far as registers hold what the copies compute.
/// Assumes: item-loops has marked loops over rows and variables with a cell for each work-item.
///          Optimised code: what is known in the inner loop has left it.
/// Leaves:  other loops as they are, and those in which anything else touches memory.
/// Reads:   assumptions, dominator-tree, loops, scalar-evolution, target-info.
class JamRowsPass : public llvm::PassInfoMixin<JamRowsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
