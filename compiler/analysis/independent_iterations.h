// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace weft::compiler {

/// Whether no iteration of an inner loop reads or writes a place in memory that another iteration
/// of the same run of the loop writes, so that they may run at the same time. False also where the
/// loop does anything with memory but simple accesses to global, constant and local memory, and
/// where nothing can be proved: places lie a constant distance apart from iteration to iteration,
/// or in objects that cannot overlap.
bool areIterationsIndependent(const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                              llvm::AAResults& aliases);

}  // namespace weft::compiler
