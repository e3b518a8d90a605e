// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// The place that an atomic read-modify-write, or a call of an update loop that has been outlined,
/// updates; null for all other instructions.
const llvm::Value* updatedPlace(const llvm::Instruction& instruction);

/// Has lanes run loops that update a place by compare-and-swap one after the other, each to its
/// end: where all of them read before the first one writes, lanes that share a place, and threads
/// that share a cache line, find that somebody has been faster, and all that failed begin again.
///
/// Does:    makes a function of each such loop, which lanes will call one by one.
/// Assumes: loop-simplify has run; who a work-item is has been taken out of memory (forward-item).
/// Leaves:  loops that do more than compute from what they read, that have several ways out or
///          several results, or that wait for another work-item.
/// Reads:   nothing.
class OutlineUpdateLoopsPass : public llvm::PassInfoMixin<OutlineUpdateLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

/// Puts those loops where they are called.
///
/// Does:    inlines the functions of outline-update-loops.
/// Assumes: loops over work-items are lanes by now, or will not be.
/// Leaves:  none of those functions.
/// Reads:   the function attribute `weft-update-loop`.
class InlineUpdateLoopsPass : public llvm::PassInfoMixin<InlineUpdateLoopsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
