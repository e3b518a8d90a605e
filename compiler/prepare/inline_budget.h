// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <cstdint>

#include "base/tuning.h"

namespace weft::compiler {

/// Inlines helper functions until a kernel has grown to its budget of instructions.
///
/// A kernel that fits the budget fully inlined is inlined fully, whatever its call depth. Of
/// one that does not, the functions up to the largest size that still fits are inlined, and those
/// that are called at one place; the other ones stay out of line, so work is bounded for any call
/// graph. A function that
/// several kernels share follows the strictest of them. Those in which work-items meet go first,
/// noinline ones too: out of line, only fibers can run them. Lines of arithmetic of the library
/// stay out of line where their copies would not fit the processor's cache: lanes call them
/// together.
///
/// Does:    inlines; marks what stays out of line noinline, taking the user's always_inline away,
///          and `weft-shared` what lanes call together.
/// Assumes: no recursion (check-calls).
/// Leaves:  no always_inline function; other noinline functions of the user's out of line, and
///          image functions, which count as what specialize-images will make of them.
/// Reads:   `weft-kernel`, names::isImageFunction, isNumberedBarrier and isSubGroupOperation.
class InlineBudgetPass : public llvm::PassInfoMixin<InlineBudgetPass> {
 public:
  /// Optimising 1,000 instructions takes some 20 ms.
  static constexpr uint64_t kDefaultBudget = tuning::kInlineBudget;

  explicit InlineBudgetPass(uint64_t budget = kDefaultBudget) : budget_(budget) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);

 private:
  uint64_t budget_;
};

}  // namespace weft::compiler
