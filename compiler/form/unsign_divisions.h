// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes divisions of what is never negative unsigned: programs keep local ids in ints and take
/// them apart into rows and columns of a tile. How such indices step from lane to lane is known of
/// shifts and masks, not of what rounds towards zero.
///
/// Does:    turns signed divisions and remainders whose operands have no sign into unsigned ones,
///          and those by powers of two into shifts and masks.
/// Assumes: total-division has run. fix-local-size has told what ids are below.
/// Leaves:  values as they were.
/// Reads:   nothing but ranges.
class UnsignDivisionsPass : public llvm::PassInfoMixin<UnsignDivisionsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace weft::compiler
