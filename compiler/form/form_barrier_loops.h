// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>

#include <expected>
#include <string>

#include "ir/item_loops.h"

namespace weft::compiler {

/// Turns a kernel with barriers into loops over the work-items of a group: the control flow that
/// the barriers depend on becomes a skeleton that runs once for the group, and every region between
/// runs for all work-items before the next one begins.
///
/// `entry` holds the body inlined behind its first block; `item` is the variable that the body
/// reads its ids from, and `loops` opens loops over at most `items` work-items, all
/// in one row or not. Values that a region
/// hands to another stay scalar when they are equal for the group, are computed again when that is
/// cheap, and otherwise go through a variable with a cell for each work-item.
///
/// Where it is not known that work-items agree on a way to a barrier, they are asked; those that do
/// not agree go on by themselves (form/divergent_items). `isDivergent` has them do so from the
/// beginning.
///
/// Leaves:  a function without barriers. On failure, in words, one that only has another shape.
std::expected<void, std::string> formBarrierLoops(llvm::Function& entry, llvm::AllocaInst& item,
                                                  const ItemLoops& loops, uint64_t items,
                                                  bool isRow, bool isDivergent);

}  // namespace weft::compiler
