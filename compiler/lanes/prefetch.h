// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler {

struct WidenPlan;

/// Loads by which the lanes of an inner loop read a row, far from the row of the iteration before:
/// `a[j * columns + i]`, as code for GPUs has it. The processor sees as many streams as the loop
/// has iterations, more than it follows, so each row waits for memory; and of a large body it does
/// not begin enough iterations to wait for many rows at once. Each row goes on where the next lane
/// group reads, which asks for it in time. What other rows of work-items read as well, such as the
/// columns of a matrix, is in a cache already unless it is large, so that asking must cost little.
///
/// Guesses of what pays, never of what is right: a prefetch has no effect on values and does not
/// fault.
using PrefetchedLoads = llvm::SmallPtrSet<const llvm::LoadInst*, 4>;
PrefetchedLoads loadsToPrefetch(const WidenPlan& plan);

}  // namespace weft::compiler
