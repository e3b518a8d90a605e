// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Passes/PassBuilder.h>

#include "analysis/lane_shapes.h"
#include "passes/error_log.h"
#include "passes/inline_budget.h"

namespace weft::compiler {

/// What passes run by name are set to.
struct PassSettings {
  uint64_t maxLocalBytes = 0;
  uint64_t maxGlobalVariableBytes = 0;
  uint64_t inlineBudget = InlineBudgetPass::kDefaultBudget;
  unsigned width = 0;                   ///< of vectorize-items; 0: chosen
  IndexReach reach = IndexReach::Near;  ///< of vectorize-items
};

/// Makes every pass of passes.def known to `builder` by name. `errors` must outlive it.
void registerPasses(llvm::PassBuilder& builder, const PassSettings& settings, ErrorLog& errors);

}  // namespace weft::compiler
