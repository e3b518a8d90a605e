// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <memory>
#include <optional>

#include "analysis/lane_shapes.h"
#include "analysis/strided_groups.h"
#include "ir/item_loop.h"

namespace weft::compiler {

/// The accesses of a loop over work-items whose places are known within blocks of lanes: programs
/// cut rows of work-items into tiles (`id / 16`, `id % 16`), and pad rows in local memory
/// (`i + i / 32`). From block to block they may be anywhere.
///
/// For accesses that all lanes make: an idle first lane may have no place.
///
/// Ownership: borrows everything.
class LaneBlocks {
 public:
  struct Block {
    unsigned lanes;   ///< a power of two
    bool isOnePlace;  ///< of all lanes of the block; they have theirs one behind the other if not
  };

  /// `sketch` has the shapes of the loop's values wherever its lanes begin.
  LaneBlocks(const ItemLoop& items, const LaneUniformity& uniformity, const MaskPlan& masks,
             const PrivateLayouts& privates, const LaneShapes& sketch, llvm::AAResults& aliases);
  ~LaneBlocks();

  /// The largest blocks of at most `lanes` lanes, which begin at a multiple of their number, for a
  /// load or store that has no such shape anyway.
  std::optional<Block> of(const llvm::Instruction& access, unsigned lanes) const;
  /// The group of structures that follow each other in blocks of at most `lanes` lanes that it
  /// belongs to, likewise the one with the largest; null when there is none.
  const StridedGroup* groupOf(const llvm::Instruction& access, unsigned lanes) const;

 private:
  /// Rows of two lanes are no better than places of their own, structures of two may be.
  static constexpr unsigned kFewest = 4, kFewestOfGroups = 2, kMost = 64;
  struct Level;

  const StridedGroup* largestGroup(const llvm::Instruction& access, unsigned lanes) const;

  const LaneShapes& sketch_;
  llvm::SmallVector<std::unique_ptr<Level>> levels_;  ///< by the size of their blocks
};

}  // namespace weft::compiler
