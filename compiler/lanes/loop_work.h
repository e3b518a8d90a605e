// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/bit.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>

#include <algorithm>
#include <map>

#include "analysis/address_sum.h"
#include "analysis/joined_vectors.h"
#include "analysis/lane_blocks.h"
#include "analysis/lane_shapes.h"
#include "analysis/likely_rows.h"
#include "analysis/strided_groups.h"
#include "base/tuning.h"

namespace weft::compiler {

/// What the choice of a width looks at.
struct WidthQuestion {
  const llvm::Loop& loop;
  const llvm::LoopInfo& loops;
  const LaneShapes& shapes;
  const StridedGroups& groups;
  const StridedGroups& groupsApart;
  const LikelyRows& likelyRows;
  const JoinedVectors& joined;
  const LaneBlocks& blocks;
  const PrivateLayouts& privates;
  const llvm::Value* count;  ///< of work-items
  bool isLaneGroup;   ///< each iteration is a fiber, which costs its start and a switch at each
                      ///< barrier
  bool hasSubGroups;  ///< which its lanes are: it must become lanes
  unsigned rowItems;  ///< of work-groups, as far as it is known; 0: any number
  const llvm::TargetTransformInfo& target;
};

/// What an inner loop holds in registers, in bits for each work-item.
struct Live {
  unsigned chains = 0;         ///< what it keeps from iteration to iteration
  unsigned recurrences = 0;    ///< the same, but for what waits for each other: one chain in all
  unsigned invariants = 0;     ///< and what it only reads
  bool isDivergent = false;    ///< lanes leave it one by one
  bool hasAccesses = false;    ///< it reads or writes memory, other places for each work-item
  bool hasTemporaries = true;  ///< there are more values at a time within an iteration
  unsigned bits() const { return chains + invariants; }
  /// Whether it waits for its own results alone: where lanes leave one by one the last of them
  /// decides how long all take, and memory fills the time as well.
  bool isOnlyChains() const { return !isDivergent && !hasAccesses; }
};

/// Rows of global memory that iterations follow, each along consecutive places: as many of them as
/// make a difference.
struct Streams {
  llvm::SmallVector<AddressSum, 0> rows;
  unsigned bits = 0;  ///< of all rows' elements together

  bool areMany() const { return rows.size() >= tuning::kManyStreams; }
  /// Lanes that take a cache line of an average row.
  unsigned lanesInLine() const { return llvm::bit_floor(tuning::kLineBits * rows.size() / bits); }
};

/// Accesses of which lanes spare about as many as they take more.
struct Turned {
  unsigned columns = 0;    ///< of local memory that are read
  unsigned rowStores = 0;  ///< along rows of global memory

  unsigned pairs() const { return std::min(columns, rowStores); }
};

/// What the loop computes in vectors.
struct Work {
  std::map<unsigned, unsigned> byBits;  ///< instructions by the size of their elements
  unsigned instructions = 0;
  unsigned innermost = 0;  ///< of those, in the largest inner loop
  unsigned components = 1;
  struct Result {
    unsigned components;
    unsigned bits;     ///< of one of them
    bool isScattered;  ///< read from, or written to, as many places as there are lanes
  };
  llvm::SmallVector<Result> results;
  bool hasInnerLoop = false;
  Live live;                      ///< of the largest inner loop
  unsigned scattered = 0;         ///< accesses to as many places as there are lanes
  unsigned known = 0;             ///< those of them whose places in local memory are numbers
  unsigned inTiles = 0;           ///< elements of vectors among these, where no inner loop is
  unsigned volatiles = 0;         ///< those of them that are volatile
  Turned turned, turnedInLoops;   ///< outside inner loops, and in them
  unsigned atomics = 0;           ///< on global memory
  unsigned counts = 0;            ///< atomics on local memory that nobody asks for the result of
  unsigned inWords = 0;           ///< those of them that comesInWords() tells
  unsigned extremes = 0;          ///< minima and maxima among them, by numbers of each lane
  unsigned narrowest = 64;        ///< bits of the smallest elements that lanes load in a row
  unsigned inLoops = 0;           ///< instructions in inner loops
  unsigned forAddresses = 0;      ///< those of them that only compute addresses
  unsigned divisions = 0;         ///< of integers, which lanes do much faster than one work-item
  unsigned divisionsInLoops = 0;  ///< those of them in inner loops
  unsigned branches = 0;          ///< on what was read, which one work-item mostly guesses wrong
  unsigned branchesInLoops = 0;   ///< those of them in inner loops
  unsigned weight = 0;            ///< instructions, those in inner loops several times
  unsigned inBlocks = 0;          ///< accesses whose places are known within blocks of lanes
  unsigned guessed = 0;           ///< accesses to what are most likely rows
  unsigned computed = 0;          ///< instructions for results, not for addresses
  unsigned claims = 0;            ///< of places in pipes, and updates that lanes do together
  unsigned calls = 0;             ///< of functions out of line, weighed in the same way
  unsigned scatteredInLoops = 0;  ///< of those, accesses to as many places as there are lanes
  unsigned awaited = 0;           ///< of those, such in loops that lanes leave by what they read
  unsigned rows = 0;              ///< of those, loads along rows of the lanes' own
  unsigned rowElements = 0;       ///< how many elements these load
  unsigned rowLanes = tuning::kMostLanes;  ///< that may follow rows of their own
  unsigned rowsOfVectors = 0;  ///< of those, of vectors that one work-item does as well with
  unsigned rowsInVectors = 0;  ///< and those in loops that LLVM makes vectors of, for one work-item
  unsigned inRows = 0;         ///< instructions in such loops
  unsigned chained = 0;        ///< and loads from where those of earlier iterations lead
  unsigned recurrence = 0;     ///< cycles that one work-item waits in an iteration with such rows
  unsigned chainCycles = 0;    ///< the same in the largest inner loop
  unsigned dividerCycles = 0;  ///< that its roots and quotients take, one after the other
  unsigned pathCycles = 0;     ///< of an iteration over work-items, where no inner loop is
  unsigned widestInLoops = 8;  ///< bits of the largest numbers in inner loops
  Streams streams;             ///< of straight code
};

/// What the loop of the question computes, by its instructions and their shapes alone.
Work measure(const WidthQuestion& question);

unsigned bitsOfRegister(const WidthQuestion& question);

/// Whether it adds to local memory, or the like, and nobody asks for what was there.
bool isCount(const llvm::Instruction& instruction);

/// Whether it updates one place atomically for all lanes, which they do together.
bool isSharedUpdate(const llvm::Instruction& instruction, const LaneShapes& shapes);

/// Whether it updates global memory atomically, hardly ever changes it, and nobody asks for what
/// was there: lanes read all places first.
bool isReadFirst(const llvm::Instruction& instruction, const LaneShapes& shapes);

/// Whether lanes make such an update at places that are cut out of words, with one number.
bool comesInWords(const llvm::AtomicRMWInst& count, const LaneShapes& shapes);

/// Whether it updates local memory atomically, each lane its own of a row of places.
bool isRowUpdate(const llvm::Instruction& instruction, const LaneShapes& shapes);

/// Whether it claims one place in a pipe, which lanes do together.
bool isPipeClaim(const llvm::Instruction& instruction);

}  // namespace weft::compiler
