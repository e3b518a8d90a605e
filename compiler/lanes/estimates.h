// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

#include <optional>

#include "ir/host_estimates.h"

namespace weft::compiler {

// Functions of the library for which the host has estimate instructions (reciprocals, roots) or
// exact ones that others have not (scaling by powers of 2, parts of numbers, special cases). They
// stay opaque calls until the end, so that results are the same in every form and width: LLVM would
// fold calls of functions that it knows, in some places, and exactly.

/// Whether `function` stays a call until expand-estimates.
bool isEstimate(const llvm::Function& function);

/// The function that does the same for so many lanes; null when `call` is not of an estimate.
llvm::Function* vectorEstimate(const llvm::CallInst& call, unsigned lanes);

/// Decides which functions are estimates: none where the host has no instructions for them.
///
/// Does:    marks them, and has the library's question whether there are any answered by yes.
/// Assumes: the library is linked and nothing of it inlined yet.
/// Leaves:  `weft-estimate` on them, and others to be inlined.
/// Reads:   names of functions: `weft_estimate_` stands in those that may be.
class MarkEstimatesPass : public llvm::PassInfoMixin<MarkEstimatesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

/// Tells LLVM's vectorisers of the forms for lanes.
///
/// Does:    declares them, and names them on calls.
/// Assumes: mark-estimates has run.
/// Leaves:  `vector-function-abi-variant` on calls of estimates, and declarations.
/// Reads:   `weft-estimate`.
class DeclareEstimatesPass : public llvm::PassInfoMixin<DeclareEstimatesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

/// Makes code of estimates.
///
/// Does:    replaces their calls by the host's instructions. Elements of one vector that are
///          estimated each by itself are so together.
/// Assumes: no pass follows that knows more of a value than code generation does.
/// Leaves:  no function that is an estimate.
/// Reads:   `weft-estimate`.
class ExpandEstimatesPass : public llvm::PassInfoMixin<ExpandEstimatesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
