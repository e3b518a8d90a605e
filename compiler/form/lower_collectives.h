// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

namespace weft::compiler {

/// Lowers the functions that combine what work-items bring along for fibers: a work-item leaves its
/// own in the cell of its linear local id, notes that it has come, and calls the service.
///
/// Assumes: lower-sync has run; whatever calls such a function has the hidden parameter.
void lowerCollectives(llvm::Module& module);

/// The same for barrier loops, in a function where barriers are isolated: what a work-item brings
/// along, and gets back from a scan, is in a variable of its own, whose address is the last
/// argument of the call that stays, weft_collective_cells(item, id, combine, variable). What
/// barrier loops do with variables that are needed beyond a region puts those of all work-items
/// side by side.
void exposeCollectives(llvm::Function& entry);

/// Whether `variable` is such a variable.
bool isCollectiveCell(const llvm::AllocaInst& variable);

/// Calls the combining function of `call`, which stays in its place, for the cells of `items`
/// work-items, all of which have come.
llvm::CallInst* combineCells(llvm::CallInst& call, llvm::Value* cells, llvm::Value* items);

}  // namespace weft::compiler
