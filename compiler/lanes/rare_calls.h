// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Whether the library keeps a function out of line for arguments that hardly occur. A call of it
/// may be made for some lanes only, in any order.
bool isRareFunction(const llvm::Function& function);
/// Whether lanes have forms of a function to call: it is rare, or has too many callers to be
/// inlined.
bool hasLaneForms(const llvm::Function& function);

/// Gives the calls that a loop makes only for rare arguments a masked vector form, so that the
/// loop around them can be vectorised. The form asks whether any lane needs the call, and makes it
/// for all lanes at once where the function is a line of arithmetic, else lane by lane. Functions
/// that are shared by many callers, always lines of arithmetic, have such forms too, without the
/// question.
///
/// Does:    makes that form, and names it on the calls.
/// Assumes: these functions are out of line; the loop over work-items is in the module.
/// Leaves:  `vector-function-abi-variant` on the calls and the functions it names, which the
///          vectoriser may have called.
/// Reads:   names of functions: `weft_rare_` stands in those that are rare; `weft-shared`.
class WidenRareCallsPass : public llvm::PassInfoMixin<WidenRareCallsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

/// The form of `call`'s function for so many lanes: their arguments in vectors, and a mask. Null
/// when it has none.
llvm::Function* maskedForm(const llvm::CallInst& call, unsigned lanes);

/// Has nothing left of those forms that costs.
///
/// Does:    asks the question where they are called, but for shared functions, and removes what the
///          vectoriser had no use for.
/// Assumes: widen-rare-calls and the vectorisers have run.
/// Leaves:  no function that widen-rare-calls made but the out-of-line halves in use.
/// Reads:   names of functions; `weft-shared`.
class SettleRareCallsPass : public llvm::PassInfoMixin<SettleRareCallsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
  static bool isRequired() { return true; }
};

}  // namespace weft::compiler
