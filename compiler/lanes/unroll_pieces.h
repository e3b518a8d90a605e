// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Unrolls the loops in which each work-item goes through a short piece of memory of its own that
/// lies beside its neighbours', as in `for (d = 0; d < 3; d++) x[3 * i + d] = v[d]`. The accesses
/// of all iterations together are whole lines then, where each alone is one element of three.
///
/// Does:    unrolls such loops wholly, and those in them.
/// Assumes: item-loops has marked the loops; loops are in simplified and closed form.
/// Leaves:  the same. Loops of unknown or high trip counts, or large bodies, as they are.
/// Reads:   loop metadata `weft.items`, target-info.
class UnrollPiecesPass : public llvm::PassInfoMixin<UnrollPiecesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
