// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Runs the work-items of several rows as one where these, one below the other, read or write what
/// lies side by side, and those of a row do not: of `out[x * h + y] = in[y * w + x]` lanes write
/// four elements each, transposed in registers, where they would write one.
///
/// Does:    puts a loop over the work-items of blocks of four or eight rows beside the one over
///          those of a row, for as long as there are so many rows and all of them go on behind a
///          condition that depends on the row. Within it a loop, marked as kBlockLoop, goes through
///          as many blocks as fill a line of the cache. Vectors too large for lanes stay one access
///          for each row.
/// Assumes: item-loops has marked loops over work-items and their rows, whose iterations do not
///          depend on each other; loop-simplify runs before anyone else looks at loops.
/// Leaves:  both loops marked as loops over work-items. Those that hold more than straight code
///          behind one such condition stay as they are.
/// Reads:   loop metadata `weft.items`, `weft.rows`.
class TileItemsPass : public llvm::PassInfoMixin<TileItemsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
