// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes an entry that runs one work-group run all from there to the end of the box, along
/// dimension 0. Small groups take a few nanoseconds, of which the way to them and back, and the
/// loads of their arguments, would be half.
///
/// Does:    puts a loop around the function, in which the ids of groups count, and loads of what
///          they all share before it. Functions that have loops themselves take longer than the way
///          to them: those are called in such a loop, and have all registers to themselves.
/// Assumes: the optimiser has run; groups are of one size. Not how it loads the fields of a group:
///          parts of them and several at once are followed, and where their address is not known
///          they are read from a copy, which groups change.
/// Leaves:  the entry as abi::GroupEntry describes it, and no `weft-whole-groups`.
/// Reads:   `weft-whole-groups`, without which it does nothing.
class LoopGroupsPass : public llvm::PassInfoMixin<LoopGroupsPass> {
 public:
  /// What is done to each entry: Calls leaves its code alone.
  enum class How : uint8_t { Best, Calls };
  explicit LoopGroupsPass(How how = How::Best) : how_(how) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);

 private:
  How how_;
};

}  // namespace weft::compiler
