// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/cell_sharing.h"

#include <llvm/ADT/BitVector.h>

namespace weft::compiler {
namespace {

using namespace llvm;

/// Cells that regions need, each a set of cells for each region.
struct Liveness {
  std::vector<BitVector> reads, writes, after;

  Liveness(ArrayRef<SmallVector<unsigned>> successors, ArrayRef<CellUse> cells)
      : reads(successors.size(), BitVector(cells.size())), writes(reads), after(reads) {
    for (unsigned cell = 0; cell < cells.size(); ++cell) {
      for (const unsigned region : cells[cell].reads) reads[region].set(cell);
      for (const unsigned region : cells[cell].writes) writes[region].set(cell);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned region = successors.size(); region-- > 0;) {
        for (const unsigned next : successors[region]) {
          BitVector before = after[next];
          before.reset(writes[next]);
          before |= reads[next];
          if (!before.test(after[region])) continue;
          after[region] |= before;
          changed = true;
        }
      }
    }
  }
};

}  // namespace

std::vector<unsigned> shareCells(ArrayRef<SmallVector<unsigned>> successors,
                                 ArrayRef<CellUse> cells) {
  const Liveness live(successors, cells);
  std::vector<BitVector> conflicts(cells.size(), BitVector(cells.size()));
  for (unsigned region = 0; region < successors.size(); ++region) {
    BitVector kept = live.after[region];
    kept |= live.writes[region];
    for (const unsigned written : live.writes[region].set_bits()) {
      conflicts[written] |= kept;
      for (const unsigned other : kept.set_bits()) conflicts[other].set(written);
    }
  }
  std::vector<unsigned> homes(cells.size());
  std::vector<BitVector> tenants(cells.size(), BitVector(cells.size()));
  for (unsigned cell = 0; cell < cells.size(); ++cell) {
    auto fits = [&](unsigned home) {
      return homes[home] == home && cells[home].kind == cells[cell].kind &&
             !tenants[home].anyCommon(conflicts[cell]);
    };
    homes[cell] = cell;
    // Where its value comes from or goes to: then there is nothing to copy.
    SmallVector<unsigned> wishes;
    for (const unsigned other : cells[cell].copies)
      if (other < cell) wishes.push_back(homes[other]);
    for (unsigned other = 0; other < cell; ++other)
      if (is_contained(cells[other].copies, cell)) wishes.push_back(homes[other]);
    for (unsigned other = 0; other < cell; ++other) wishes.push_back(other);
    if (const auto* home = find_if(wishes, fits); home != wishes.end()) homes[cell] = *home;
    tenants[homes[cell]].set(cell);
  }
  return homes;
}

}  // namespace weft::compiler
