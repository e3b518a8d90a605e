// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/AliasAnalysis.h>

#include <memory>

#include "analysis/lane_shapes.h"
#include "base/tuning.h"

namespace weft::compiler {

/// Loads, or stores, of one block that touch parts of the same structures, one structure for each
/// lane: together they are a few wide accesses and shuffles.
struct StridedGroup {
  struct Member {
    llvm::Instruction* access;
    int64_t offset;       ///< of its first element from the group's first one, in elements
    unsigned components;  ///< elements in a row
  };
  llvm::SmallVector<Member, 4> members;  ///< in the order of the program
  uint64_t elementBytes = 0;
  unsigned factor =
      0;  ///< elements from one lane's structure to that of the next; 0: they are apart
  unsigned extent = 0;  ///< elements up to the last one used, at most the factor
  uint64_t used = 0;    ///< bit k: element k is; elements may come before the first used one
  bool isStore = false;
  bool isLoaded = false;  ///< of stores to local memory: the block loads the same pieces as well
  /// Lanes whose structures follow each other, from a multiple of their number on: those of a block
  /// (lane_blocks.h), which may be anywhere. 0: of all lanes.
  unsigned blockLanes = 0;

  /// Where the whole group is accessed: its loads at once with the first, its stores with the last.
  llvm::Instruction& place() const {
    return isStore ? *members.back().access : *members.front().access;
  }
  /// The first member in memory.
  const Member& lowest() const;
  bool hasGaps() const;
};

/// The groups of a loop over work-items: of accesses that are further apart from lane to lane than
/// they are long, whose addresses differ from each other by constants, and that may happen together
/// without a work-item noticing.
///
/// Ownership: borrows everything; groups stay as they are when the original code goes away.
class StridedGroups {
 public:
  /// More elements from lane to lane than this are not worth wide accesses.
  static constexpr unsigned kMaxFactor = tuning::kMostStride;

  StridedGroups(const llvm::Loop& loop, const LaneShapes& shapes, llvm::AAResults& aliases);

  using Choice = llvm::function_ref<bool(const llvm::Instruction&)>;
  /// The groups of accesses for which `isApart` holds instead: each lane has its structure in a
  /// place of its own, which is a power of two of elements, and uses all of it.
  StridedGroups(const llvm::Loop& loop, const LaneShapes& shapes, llvm::AAResults& aliases,
                Choice isApart);
  /// The groups of accesses for which `isInBlock` holds: `shapes` are those of blocks of so many
  /// lanes. Structures are a power of two of elements, and all of it is used.
  StridedGroups(const llvm::Loop& loop, const LaneShapes& shapes, llvm::AAResults& aliases,
                Choice isInBlock, unsigned blockLanes);

  /// The group that an access belongs to; null when there is none.
  const StridedGroup* of(const llvm::Instruction& access) const { return groups_.lookup(&access); }

 private:
  /// Bytes of a structure of lanes that are apart: a cache line.
  static constexpr int64_t kMostBytesApart = tuning::kLineBits / 8;

  struct Question;
  class BlockScan;

  void find(const llvm::Loop& loop, const Question& question);

  llvm::SmallVector<std::unique_ptr<StridedGroup>> all_;
  llvm::DenseMap<const llvm::Instruction*, const StridedGroup*> groups_;
};

}  // namespace weft::compiler
