// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Lets volatile integers of a work-item's own be registers. Libraries tuned for some GPU declare
/// ids so, against what its compiler did, and every use of one would be a load lane by lane whose
/// value nothing is known of.
///
/// Does:    makes ordinary ones of volatile loads and stores of variables in private memory whose
///          parts are integers and whose addresses go nowhere: no other work-item, device or
///          debugger can tell.
/// Assumes: variables are in memory yet, as the front end left them (before sroa).
/// Leaves:  floats, and whatever is read of their bits: programs keep arithmetic from being
///          fused or reordered by such variables.
/// Reads:   nothing.
class PlainPrivatePass : public llvm::PassInfoMixin<PlainPrivatePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
