// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Leaves small loops that are entered in several places with one of these, so that their
/// work-items can run in lanes.
///
/// Does:    copies what lies between the other entries and the one that stays for those who come
///          in there; they join the loop at its entry.
/// Assumes: no switches (lower-switch).
/// Leaves:  loops of which too much would have to be copied, or a barrier, as they are.
/// Reads:   nothing.
class SplitIrreduciblePass : public llvm::PassInfoMixin<SplitIrreduciblePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
