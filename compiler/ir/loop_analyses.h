// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

namespace weft::compiler {

/// What passes that change loops ask of a function, each time that they have changed one.
struct LoopAnalyses {
  explicit LoopAnalyses(llvm::Function& function);

  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::AssumptionCache assumptions;
  llvm::TargetLibraryInfoImpl library;
  llvm::TargetLibraryInfo libraryInfo;
  llvm::ScalarEvolution evolution;
};

}  // namespace weft::compiler
