// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Reads in blocks what each work-item reads along a row of its own, as in `sum += a[i * n + j] *
/// x[j]`: lanes get blocks of their rows by one load each, and transpose them in registers, where
/// one element of each row would be gathered in every iteration.
///
/// Does:    unrolls inner loops with such loads, also those that read several elements side by side
///          in an iteration, and makes loads of vectors of the copies of each, with metadata
///          `weft.row_block`. Short loops that go on along a row are unrolled wholly before.
/// Assumes: item-loops has marked the loops; loop-rotate has run, loops are in simplified and
///          closed form.
/// Leaves:  the same, with a loop for the iterations that are left over. Loops that write memory or
///          have branches inside stay as they are, and those that LLVM makes vectors of for one
///          work-item; rows whose elements go to sums of their own, as well.
/// Reads:   loop metadata `weft.items`, target-info.
class BlockRowLoadsPass : public llvm::PassInfoMixin<BlockRowLoadsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
