// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Loop metadata: the remainder of a vectorised loop, offered to the loop vectoriser again.
inline constexpr const char* kOfferedRemainder = "weft.remainder";

/// Offers the remainders of interleaved vector loops to the loop vectoriser again. Iterations of
/// such a loop are several vectors, which hide latencies where rows are long; of rows of some tens
/// of elements nothing else would be left than scalars.
///
/// Does:    takes the mark of the vectoriser from remainders that may still have whole vectors,
///          and asks that those are not interleaved.
/// Assumes: runs after the loop vectoriser, before anything unrolls loops. The vectoriser runs
///          again where this has changed something, and keep-loops after that.
/// Leaves:  all but loop metadata as it is.
/// Reads:   llvm.loop.isvectorized.
class OfferRemaindersPass : public llvm::PassInfoMixin<OfferRemaindersPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
