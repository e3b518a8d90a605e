// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Keeps the accesses of one work-item in their order. A loop over work-items says that its
/// iterations do not depend on each other (`llvm.loop.parallel_accesses`); LLVM's loop vectoriser
/// takes that for no dependences at all, and makes interleaved groups, of accesses that are two to
/// eight elements apart from iteration to iteration, whose loads are hoisted to the first one and
/// whose stores are sunk to the last. Everything else it widens where it stands, lane by lane in
/// order.
///
/// Does:    takes the promise back from innermost loops with a store and a later access that may
///          touch the same place in one iteration and that groups may exchange. The vectoriser then
///          proves what it needs, checks it at run time, or leaves the loop as it is.
/// Assumes: runs right before the loop vectoriser, which moves accesses in no other way: members of
///          a group are loads, or stores, of one size and stride at constant distances.
/// Leaves:  all but loop metadata as it is.
/// Reads:   loop metadata, whoever has written it: a program may promise the same of its loops.
class KeepOrderPass : public llvm::PassInfoMixin<KeepOrderPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
