// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/PassManager.h>

#include <functional>

namespace weft::compiler {

/// Asks before loops that are `wanted` what decides for all iterations which way they take, whether
/// the loop inside runs at all for the most part: LLVM unswitches such a loop, which is there twice
/// then. The way from the loop inside to the next iteration is one block where it can be. Such
/// loops have one loop inside.
void askBefore(
    llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
    std::function<bool(const llvm::Loop&, const llvm::LoopStandardAnalysisResults&)> wanted);

/// Has LLVM unroll loops whose iterations do not meet in memory and join the copies of the loop
/// inside. Scalar evolution, dominators and loops stay true.
///
/// Ownership: borrows the function and its analyses.
class LoopJam {
 public:
  LoopJam(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

  /// Whether iterations of a loop over work-items or their rows can run at once as far as memory
  /// goes.
  static bool isIndependent(const llvm::Loop& loop);
  /// Whether it only tells optimisers or the host something, which LLVM takes for an access.
  /// Iterations at once come back to a line so seldom that nobody needs to fetch it before.
  static bool isNote(const llvm::Instruction& instruction);

  /// Runs `atOnce` iterations at once, of `count`; 0: of a number known when the code runs, of
  /// which a loop behind has the rest. Changes the loop in any case. Pre: it is independent, and
  /// has one loop inside.
  void run(llvm::Loop& loop, unsigned atOnce, unsigned count);

 private:
  /// What tells LLVM that no two accesses of such a loop meet: within an iteration they stay in
  /// their order all the same.
  class Accesses : public llvm::AAResultBase {
   public:
    llvm::AliasResult alias(const llvm::MemoryLocation&, const llvm::MemoryLocation&,
                            llvm::AAQueryInfo&, const llvm::Instruction*) {
      return llvm::AliasResult::NoAlias;
    }
  };

  void joinCounters(llvm::Loop& inner);

  llvm::Function& function_;
  llvm::FunctionAnalysisManager& analyses_;
  Accesses accesses_;
  llvm::AAResults aliases_;
};

}  // namespace weft::compiler
