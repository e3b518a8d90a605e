// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/cell_sharing.h"

#include <gtest/gtest.h>

namespace weft::compiler::test {
namespace {

using Successors = std::vector<llvm::SmallVector<unsigned>>;
using Homes = std::vector<unsigned>;

CellUse cell(llvm::SmallVector<unsigned> writes, llvm::SmallVector<unsigned> reads,
             llvm::SmallVector<unsigned> copies = {}, unsigned kind = 0) {
  return {reads, writes, copies, kind};
}

TEST(CellSharing, ReusesWhatIsReadForTheLastTime) {
  const Successors line{{1}, {2}, {3}, {}};
  // Each region reads the value of the one before and writes the next.
  EXPECT_EQ(shareCells(line, {cell({0}, {1}), cell({1}, {2}), cell({2}, {3})}), (Homes{0, 0, 0}));
}

TEST(CellSharing, KeepsApartWhatIsNeededLater) {
  const Successors line{{1}, {2}, {3}, {}};
  EXPECT_EQ(shareCells(line, {cell({0}, {1, 3}), cell({1}, {2})}), (Homes{0, 1}));
  EXPECT_EQ(shareCells(line, {cell({0}, {1}), cell({0}, {1})}), (Homes{0, 1}));
}

TEST(CellSharing, KeepsApartWhatOneRegionWrites) {
  // Nobody reads the second one any more, but its write may come after that of the first.
  EXPECT_EQ(shareCells(Successors{{1}, {}}, {cell({0}, {1}), cell({0}, {})}), (Homes{0, 1}));
}

TEST(CellSharing, KeepsApartKinds) {
  const Successors line{{1}, {2}, {}};
  EXPECT_EQ(shareCells(line, {cell({0}, {1}), cell({1}, {2}, {}, 1)}), (Homes{0, 1}));
}

TEST(CellSharing, UpdatesInPlaceInLoops) {
  // 1 and 2 are a loop: a phi at 1, written by 0 and 2, and the value that 2 hands to it.
  const Successors loop{{1}, {2, 3}, {1}, {}};
  EXPECT_EQ(shareCells(loop, {cell({0, 2}, {2, 3}), cell({1}, {2})}), (Homes{0, 1}));
  EXPECT_EQ(shareCells(loop, {cell({0, 2}, {1}, {1}), cell({1}, {2})}), (Homes{0, 0}));
}

TEST(CellSharing, SeesWhatTheNextTurnNeeds) {
  // Region 1 writes what region 2 reads; region 2 writes what region 1 reads in the next iteration.
  const Successors loop{{1}, {2}, {1, 3}, {}};
  EXPECT_EQ(shareCells(loop, {cell({0}, {1, 3}), cell({1}, {2})}), (Homes{0, 1}));
}

TEST(CellSharing, PrefersWhereTheValueComesFrom) {
  const Successors line{{1}, {2}, {}};
  EXPECT_EQ(shareCells(line, {cell({0}, {1}), cell({0}, {1}), cell({1}, {2}, {1})}),
            (Homes{0, 1, 1}));
}

}  // namespace
}  // namespace weft::compiler::test
