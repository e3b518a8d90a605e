// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Brings places of neighbours together that programs compute one by one: rows in local memory are
/// padded, as in `s[i / 16 * 17 + i % 16]`, and a work-item that goes to `i = 8 * id`, to `i + 1`
/// and so on asks for quotients and remainders of each.
///
/// Does:    of unsigned numbers and a power of two p, (x + c) / p becomes x / p, and (x + c) % p
///          becomes x % p + c, where all bits of the constant c are below the lowest one that x can
///          have, and p is not.
/// Assumes: nothing. Sums by `or` count where their bits are disjoint.
/// Leaves:  the same values, and blocks. There is one quotient and one remainder of each x, behind
///          it. Sums that nobody wants any more stay for others to remove.
/// Reads:   nothing.
class SplitOffsetsPass : public llvm::PassInfoMixin<SplitOffsetsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
