// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <vector>

#include "analysis/barrier_regions.h"

namespace weft::compiler {

/// A way into a region on which a work-item can go on by itself: past a barrier, or out of a branch
/// that asks the work-items.
struct ResumePoint {
  llvm::BasicBlock* from = nullptr;
  llvm::BasicBlock* to = nullptr;
  /// What the rest of the kernel needs of values that were computed before, in no particular order.
  /// Variables and what precedes all regions are not among them.
  llvm::SmallVector<llvm::Instruction*> needs;
};

/// All of them, those of one branch side by side.
std::vector<ResumePoint> findResumePoints(llvm::Function& function, const BarrierRegions& regions);

/// Whether code for work-items that do not go together can be made of `function`: what they meet
/// for is nothing but barriers.
bool canDivergeAtBarriers(llvm::Function& function);

/// Size of what they need, for one work-item.
uint64_t resumeBytes(llvm::ArrayRef<ResumePoint> points);

}  // namespace weft::compiler
