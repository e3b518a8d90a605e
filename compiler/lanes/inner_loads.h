// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include "analysis/index_steps.h"

/// What inner loops wait for where the lanes around them load from scattered places: what a width
/// for these is chosen by. Guesses of what pays, never of what is right.
namespace weft::compiler {

/// Where an inner loop loads from, for one work-item.
enum class InnerLoad : uint8_t {
  Row,      ///< along a row: what it reads next lies in the same cache line most of the time
  Chain,    ///< from where what it has loaded in the iteration before leads, as in lists and
            ///< searches
  Anywhere  ///< from elsewhere each time
};

InnerLoad classifyInnerLoad(const llvm::LoadInst& load, const llvm::Loop& inner);

/// Whether a load along a row is of a vector of the program's own, where these grow to
/// tuning::kOwnVectorBits.
bool isRowOfVectors(const llvm::LoadInst& load, const llvm::Loop& inner);

/// Whether LLVM's vectoriser can take several iterations of an inner loop at once, for one
/// work-item: all that it loads stays in place or goes on by a few elements that are all loaded, as
/// all that it stores does, and all that it hands on are sums and the like which may be taken in
/// any order.
bool isRowInVectors(const llvm::Loop& inner);

/// Cycles that an instruction keeps the unit for quotients and roots from the next one.
unsigned cyclesInDivider(const llvm::Instruction& instruction);

/// Cycles from an iteration of an inner loop to the next, for one work-item or in lanes: what a
/// value takes that each iteration computes from that of the one before.
unsigned cyclesOfRecurrence(const llvm::Loop& inner, const llvm::LoopInfo& loops,
                            bool isInLanes = false);

/// Cycles from the beginning of an iteration to its last result, if nothing but operands is waited
/// for.
unsigned cyclesOfIteration(const llvm::Loop& loop, const llvm::LoopInfo& loops);

/// Lanes whose rows, so many bytes apart, leave half of the places free that their lines compete
/// for in the first-level cache. Pre: `stride` is not 0.
unsigned lanesInHalfOfCache(int64_t stride);

/// By how many bytes the address of an access grows in each iteration of `loop`, where numbers do
/// not wrap.
IndexStep stepOf(const llvm::Instruction& access, const llvm::Loop& loop);

}  // namespace weft::compiler
