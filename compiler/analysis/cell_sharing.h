// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

#include <vector>

namespace weft::compiler {

/// What is known of a value that is kept for each work-item from one region to the next.
struct CellUse {
  llvm::SmallVector<unsigned> reads;   ///< regions that read it, each at the start of an iteration
  llvm::SmallVector<unsigned> writes;  ///< regions that write it, at any time after
  llvm::SmallVector<unsigned> copies;  ///< cells whose value it takes over
  unsigned kind = 0;                   ///< only cells of one kind can share memory
};

/// Which cells can live in the same memory: those of which no region writes one while the other is
/// still needed. A value that is updated from barrier to barrier then stays in its place, and what
/// is kept at all fits into caches more often.
///
/// `successors` has the regions that may run after each region. Returns, for each cell, the cell
/// whose memory it uses: its own index, or that of an earlier one that uses its own.
std::vector<unsigned> shareCells(llvm::ArrayRef<llvm::SmallVector<unsigned>> successors,
                                 llvm::ArrayRef<CellUse> cells);

}  // namespace weft::compiler
